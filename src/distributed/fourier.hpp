#pragma once

#include <cstddef>
#include <vector>

namespace espalier::distributed {

/// Fourier transforms of real vectors whose size is a power of two, for circular convolutions. The
/// spectrum has its own order, known only to multiply(); it starts with the sum of the components.
///
/// As polynomials: x^n - 1 = (x^(n/2) - 1)(x^(n/2) + 1) splits a real vector into two halves, a
/// real one of the same kind and one that is complex of length n/4 modulo z^(n/4) - i. A complex
/// one modulo z^h - w^2 splits into z^(h/2) - w and z^(h/2) + w. So no half of a spectrum is
/// computed twice, no reordering is needed, and the factors w are the same throughout a loop. Const
/// members may be called from many threads at once.
class RealFourier {
 public:
  explicit RealFourier(std::size_t size);

  /// All of these work in place, on `size` floats aligned to 32 bytes. O(n log n).
  void forward(float* x) const;
  /// Without the factor 1/size.
  void inverse(float* x) const;
  /// out = factor * a * b, of spectra.
  void multiply(const float* a, const float* b, float factor, float* out) const;

  struct Complex {
    float re, im;
  };
  /// w of a node, w of its first child, and their product.
  struct Factors {
    Complex own, child, both;
  };

 private:
  void make_factors();
  void make_lane_factors();

  std::size_t size_;
  /// The complex splits form a binary tree: node k has the children 2k and 2k + 1, the root is 1.
  std::vector<Factors> factors_;
  /// For the last three levels, eight nodes at once: four factors (real parts, imaginary parts)
  /// for each group of nodes k .. k+7, the group at 64 (k / 8).
  std::vector<float> lane_factors_;
};

}  // namespace espalier::distributed
