// Trains on one file of labelled trees, tests on another, and prints the predicted classes of its
// first three.
//
//     classify TRAIN TEST ['norm(sst(lambda=0.4))']

#include <cstdio>
#include <exception>

#include "espalier/espalier.hpp"

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: classify TRAIN TEST [KERNEL]\n");
    return 2;
  }
  try {
    const espalier::Kernel kernel(count > 3 ? arguments[3] : "norm(sst(lambda=0.4))");
    const espalier::Dataset train_data = espalier::read(arguments[1]);
    const espalier::Dataset test_data = espalier::read(arguments[2]);

    espalier::TrainOptions options;
    options.classifier.cost = 3;
    const espalier::Model model = espalier::train(kernel, train_data, options);
    const espalier::Predictions predictions = espalier::predict(model, test_data);

    std::printf("accuracy %.3f\n",
                espalier::evaluate(model, predictions, test_data).classification->accuracy);
    for (std::size_t i = 0; i < test_data.size() && i < 3; ++i) {
      std::printf("%s\n", predictions.label(i).c_str());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "classify: %s\n", error.what());
    return 1;
  }
}
