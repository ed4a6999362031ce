#pragma once

#include "distributed/fourier.hpp"
#include "distributed/lanes.hpp"

// The loops of RealFourier, eight numbers at a time. Complex vectors of length h have their real
// and their imaginary parts apart.

namespace espalier::distributed {

struct ComplexLanes {
  Lanes re, im;
};

ESPALIER_INLINE ComplexLanes load(const float* re, const float* im) { return {load(re), load(im)}; }
ESPALIER_INLINE void store(float* re, float* im, const ComplexLanes& z) {
  store(re, z.re);
  store(im, z.im);
}
ESPALIER_INLINE ComplexLanes operator+(const ComplexLanes& a, const ComplexLanes& b) {
  return {a.re + b.re, a.im + b.im};
}
ESPALIER_INLINE ComplexLanes operator-(const ComplexLanes& a, const ComplexLanes& b) {
  return {a.re - b.re, a.im - b.im};
}
/// a + i b and a - i b.
ESPALIER_INLINE ComplexLanes plus_i(const ComplexLanes& a, const ComplexLanes& b) {
  return {a.re - b.im, a.im + b.re};
}
ESPALIER_INLINE ComplexLanes minus_i(const ComplexLanes& a, const ComplexLanes& b) {
  return {a.re + b.im, a.im - b.re};
}
/// w z, and z times the conjugate of w. W has members re and im: numbers or lanes.
template <class W>
ESPALIER_INLINE ComplexLanes times(const W& w, const ComplexLanes& z) {
  return {z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re};
}
template <class W>
ESPALIER_INLINE ComplexLanes conjugate_times(const W& w, const ComplexLanes& z) {
  return {z.re * w.re + z.im * w.im, z.im * w.re - z.re * w.im};
}

ESPALIER_INLINE void split(float* x, std::size_t half) {
  for (std::size_t i = 0; i < half; i += lane_count) {
    const Lanes a = load(x + i), b = load(x + i + half);
    store(x + i, a + b);
    store(x + i + half, a - b);
  }
}

/// Two levels at once, of one node of length 4 quarter.
ESPALIER_INLINE void forward_four(float* re, float* im, std::size_t quarter,
                                  const RealFourier::Factors& w) {
  const std::size_t q = quarter;
  for (std::size_t i = 0; i < q; i += lane_count) {
    const ComplexLanes x0 = load(re + i, im + i);
    const ComplexLanes x1 = times(w.child, load(re + i + q, im + i + q));
    const ComplexLanes x2 = times(w.own, load(re + i + 2 * q, im + i + 2 * q));
    const ComplexLanes x3 = times(w.both, load(re + i + 3 * q, im + i + 3 * q));
    const ComplexLanes a = x0 + x2, b = x0 - x2, c = x1 + x3, e = x1 - x3;
    store(re + i, im + i, a + c);
    store(re + i + q, im + i + q, a - c);
    store(re + i + 2 * q, im + i + 2 * q, plus_i(b, e));
    store(re + i + 3 * q, im + i + 3 * q, minus_i(b, e));
  }
}

ESPALIER_INLINE void inverse_four(float* re, float* im, std::size_t quarter,
                                  const RealFourier::Factors& w) {
  const std::size_t q = quarter;
  for (std::size_t i = 0; i < q; i += lane_count) {
    const ComplexLanes y0 = load(re + i, im + i);
    const ComplexLanes y1 = load(re + i + q, im + i + q);
    const ComplexLanes y2 = load(re + i + 2 * q, im + i + 2 * q);
    const ComplexLanes y3 = load(re + i + 3 * q, im + i + 3 * q);
    const ComplexLanes a = y0 + y1, c = y0 - y1, b = y2 + y3, e = y2 - y3;
    store(re + i, im + i, a + b);
    store(re + i + q, im + i + q, conjugate_times(w.child, minus_i(c, e)));
    store(re + i + 2 * q, im + i + 2 * q, conjugate_times(w.own, a - b));
    store(re + i + 3 * q, im + i + 3 * q, conjugate_times(w.both, plus_i(c, e)));
  }
}

/// One level of the root, of length 2 half.
ESPALIER_INLINE void forward_two(float* re, float* im, std::size_t half,
                                 const RealFourier::Complex& w) {
  for (std::size_t i = 0; i < half; i += lane_count) {
    const ComplexLanes a = load(re + i, im + i);
    const ComplexLanes b = times(w, load(re + i + half, im + i + half));
    store(re + i, im + i, a + b);
    store(re + i + half, im + i + half, a - b);
  }
}

ESPALIER_INLINE void inverse_two(float* re, float* im, std::size_t half,
                                 const RealFourier::Complex& w) {
  for (std::size_t i = 0; i < half; i += lane_count) {
    const ComplexLanes a = load(re + i, im + i), b = load(re + i + half, im + i + half);
    store(re + i, im + i, a + b);
    store(re + i + half, im + i + half, conjugate_times(w, a - b));
  }
}

/// Rows become columns.
ESPALIER_INLINE void transpose(Lanes (&v)[8]) {
  Lanes a[8], b[8];
  for (int i = 0; i < 8; i += 2) {
    a[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    a[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4) {
    for (int j = 0; j < 2; ++j) {
      b[i + j] = __builtin_shufflevector(a[i + j], a[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + j + 2] = __builtin_shufflevector(a[i + j], a[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int i = 0; i < 4; ++i) {
    v[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    v[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

/// Eight nodes of length 8, turned so that a lane is a node.
struct EightNodes {
  ComplexLanes at[8];

  ESPALIER_INLINE void load_rows(const float* re, const float* im, bool turn) {
    Lanes r[8], i[8];
    for (int k = 0; k < 8; ++k) {
      r[k] = load(re + std::ptrdiff_t{8} * k);
      i[k] = load(im + std::ptrdiff_t{8} * k);
    }
    if (turn) {
      transpose(r);
      transpose(i);
    }
    for (int k = 0; k < 8; ++k) at[k] = {r[k], i[k]};
  }
  ESPALIER_INLINE void store_rows(float* re, float* im, bool turn) const {
    Lanes r[8], i[8];
    for (int k = 0; k < 8; ++k) {
      r[k] = at[k].re;
      i[k] = at[k].im;
    }
    if (turn) {
      transpose(r);
      transpose(i);
    }
    for (int k = 0; k < 8; ++k)
      store(re + std::ptrdiff_t{8} * k, im + std::ptrdiff_t{8} * k, {r[k], i[k]});
  }
};

/// The last three levels of eight nodes. The second child of a node has i times the factor of the
/// first.
ESPALIER_INLINE void forward_eight(float* re, float* im, const float* factors) {
  EightNodes n;
  n.load_rows(re, im, true);
  auto& v = n.at;
  const ComplexLanes w1 = load(factors, factors + 8), w2 = load(factors + 16, factors + 24);
  const ComplexLanes w3 = load(factors + 32, factors + 40), w4 = load(factors + 48, factors + 56);
  for (int k = 0; k < 4; ++k) {
    const ComplexLanes t = times(w1, v[k + 4]);
    v[k + 4] = v[k] - t;
    v[k] = v[k] + t;
  }
  for (int k = 0; k < 2; ++k) {
    const ComplexLanes t = times(w2, v[k + 2]), u = times(w2, v[k + 6]);
    v[k + 2] = v[k] - t;
    v[k] = v[k] + t;
    v[k + 6] = minus_i(v[k + 4], u);
    v[k + 4] = plus_i(v[k + 4], u);
  }
  for (int k = 0; k < 8; k += 4) {
    const ComplexLanes& w = k == 0 ? w3 : w4;
    const ComplexLanes t = times(w, v[k + 1]), u = times(w, v[k + 3]);
    v[k + 1] = v[k] - t;
    v[k] = v[k] + t;
    v[k + 3] = minus_i(v[k + 2], u);
    v[k + 2] = plus_i(v[k + 2], u);
  }
  n.store_rows(re, im, false);
}

ESPALIER_INLINE void inverse_eight(float* re, float* im, const float* factors) {
  EightNodes n;
  n.load_rows(re, im, false);
  auto& v = n.at;
  const ComplexLanes w1 = load(factors, factors + 8), w2 = load(factors + 16, factors + 24);
  const ComplexLanes w3 = load(factors + 32, factors + 40), w4 = load(factors + 48, factors + 56);
  const ComplexLanes zero = {};
  for (int k = 0; k < 8; k += 4) {
    const ComplexLanes& w = k == 0 ? w3 : w4;
    const ComplexLanes t = v[k] - v[k + 1], u = v[k + 2] - v[k + 3];
    v[k] = v[k] + v[k + 1];
    v[k + 1] = conjugate_times(w, t);
    v[k + 2] = v[k + 2] + v[k + 3];
    v[k + 3] = conjugate_times(w, minus_i(zero, u));
  }
  for (int k = 0; k < 2; ++k) {
    const ComplexLanes t = v[k] - v[k + 2], u = v[k + 4] - v[k + 6];
    v[k] = v[k] + v[k + 2];
    v[k + 2] = conjugate_times(w2, t);
    v[k + 4] = v[k + 4] + v[k + 6];
    v[k + 6] = conjugate_times(w2, minus_i(zero, u));
  }
  for (int k = 0; k < 4; ++k) {
    const ComplexLanes t = v[k] - v[k + 4];
    v[k] = v[k] + v[k + 4];
    v[k + 4] = conjugate_times(w1, t);
  }
  n.store_rows(re, im, true);
}

/// A complex vector modulo z^length - i, of at least 64 numbers.
ESPALIER_INLINE void forward_complex(float* re, float* im, std::size_t length,
                                     const RealFourier::Factors* factors,
                                     const float* lane_factors) {
  const bool odd = (__builtin_ctzll(length) - 3) % 2 != 0;
  if (odd) forward_two(re, im, length / 2, factors[1].own);
  std::size_t nodes = odd ? 2 : 1;
  for (std::size_t quarter = length / nodes / 4; quarter >= 8; quarter /= 4, nodes *= 4) {
    for (std::size_t m = 0; m < nodes; ++m) {
      forward_four(re + 4 * quarter * m, im + 4 * quarter * m, quarter, factors[nodes + m]);
    }
  }
  for (std::size_t m = 0; m < nodes; m += 8) {
    forward_eight(re + 8 * m, im + 8 * m, lane_factors + 8 * (nodes + m));
  }
}

ESPALIER_INLINE void inverse_complex(float* re, float* im, std::size_t length,
                                     const RealFourier::Factors* factors,
                                     const float* lane_factors) {
  std::size_t nodes = length / 8;
  for (std::size_t m = 0; m < nodes; m += 8) {
    inverse_eight(re + 8 * m, im + 8 * m, lane_factors + 8 * (nodes + m));
  }
  std::size_t quarter = 8;
  for (; nodes >= 4; quarter *= 4) {
    nodes /= 4;
    for (std::size_t m = 0; m < nodes; ++m) {
      inverse_four(re + 4 * quarter * m, im + 4 * quarter * m, quarter, factors[nodes + m]);
    }
  }
  if (nodes == 2) inverse_two(re, im, length / 2, factors[1].own);
}

}  // namespace espalier::distributed
