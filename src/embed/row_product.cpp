#include "embed/row_product.hpp"

#include <algorithm>
#include <vector>

namespace espalier {

template <class T>
void row_product(const DenseRows<double>& rows, const DenseRows<double>& columns, T* out,
                 const Context& context) {
  constexpr std::size_t rows_at_once = 64;
  const std::size_t tasks = (rows.count + rows_at_once - 1) / rows_at_once;
  Context quiet = context;
  quiet.progress = nullptr;
  std::vector<Matrix<double>> products(thread_count(context));
  parallel(
      tasks, quiet,
      [&](std::size_t worker, std::size_t task) {
        Matrix<double>& product = products[worker];
        if (product.rows() == 0) product = Matrix<double>(rows_at_once, columns.count);
        const Slice some{task * rows_at_once, std::min((task + 1) * rows_at_once, rows.count)};
        dense_product(DenseRows<double>(rows.row(some.begin), some.size(), rows.dimension), columns,
                      {product.data(), product.columns()});
        std::transform(product.data(), product.data() + some.size() * columns.count,
                       out + some.begin * columns.count,
                       [](double value) { return static_cast<T>(value); });
      },
      [](std::size_t) { return 1.0; });
}

template void row_product(const DenseRows<double>&, const DenseRows<double>&, float*,
                          const Context&);
template void row_product(const DenseRows<double>&, const DenseRows<double>&, double*,
                          const Context&);

}  // namespace espalier
