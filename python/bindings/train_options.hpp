#pragma once

#include <nanobind/nanobind.h>

#include "espalier/model/train.hpp"
#include "espalier/model/validation.hpp"

namespace espalier::python {

/// Options from a dict of all the keyword arguments of espalier.train(). What is wrong about one of
/// them is an Error, or a TypeError, that names it.
TrainOptions train_options(const nanobind::dict& options);

/// The options that count when a model goes on learning: epochs, shuffle, seed.
TrainOptions continue_options(const nanobind::dict& options);

/// From landmarks, policy and seed.
NystroemOptions landmark_options(const nanobind::dict& options);

/// From how, folds, repetitions, train_share and seed.
ValidationOptions validation_options(const nanobind::dict& options);

}  // namespace espalier::python
