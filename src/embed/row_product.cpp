#include "embed/row_product.hpp"

#include <algorithm>
#include <vector>

#include "kernel/dense_product.hpp"

namespace espalier {

template <class T>
void row_product(const Matrix<double>& rows, const Matrix<double>& columns, T* out,
                 const Context& context) {
  constexpr std::size_t rows_at_once = 64;
  const std::size_t tasks = (rows.rows() + rows_at_once - 1) / rows_at_once;
  Context quiet = context;
  quiet.progress = nullptr;
  std::vector<Matrix<double>> products(thread_count(context));
  parallel(
      tasks, quiet,
      [&](std::size_t worker, std::size_t task) {
        Matrix<double>& product = products[worker];
        if (product.rows() == 0) product = Matrix<double>(rows_at_once, columns.rows());
        const Slice some{task * rows_at_once, std::min((task + 1) * rows_at_once, rows.rows())};
        dense_product(DenseRows<double>(rows, some), columns, {product.data(), product.columns()});
        std::transform(product.data(), product.data() + some.size() * columns.rows(),
                       out + some.begin * columns.rows(),
                       [](double value) { return static_cast<T>(value); });
      },
      [](std::size_t) { return 1.0; });
}

template void row_product(const Matrix<double>&, const Matrix<double>&, float*, const Context&);
template void row_product(const Matrix<double>&, const Matrix<double>&, double*, const Context&);

}  // namespace espalier
