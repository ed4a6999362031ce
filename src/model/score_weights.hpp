#pragma once

#include <string>
#include <vector>

#include "espalier/model/model.hpp"

namespace espalier {

/// The number of a class; 0 for "" if there are no classes. Throws Error if there is no such class.
std::uint32_t class_number(const Model& model, const std::string& name);

/// The weight of each decision function in the score of a class: its own in one-vs-rest, and all
/// that involve the class in one-vs-one.
std::vector<double> classifier_weights(const Model& model, std::uint32_t c);

/// The weight of each kernel function in the score of a class. Throws Error if scores are not
/// linear in them.
std::vector<double> linear_weights(const Model& model, std::uint32_t c);

/// A row of linear_weights() for each class; one if there are no classes.
Matrix<double> score_matrix(const Model& model);

/// The rows of score_matrix() with weights of their own: without classes that have no examples, and
/// without the second of two classes, whose weights are the opposite ones.
std::vector<std::uint32_t> scored_classes(const Model& model);

}  // namespace espalier
