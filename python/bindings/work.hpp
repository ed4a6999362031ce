#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>

#include "espalier/base/context.hpp"
#include "espalier/base/parameter.hpp"

namespace espalier::python {

/// Ctrl-C for work on one thread that has released the interpreter.
class Signals {
 public:
  /// Throws what the handler of a signal raised. Asks Python every 50 milliseconds at most.
  void check() {
    constexpr std::chrono::milliseconds pause(50);
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < pause) return;
    asked_ = now;
    const nanobind::gil_scoped_acquire python;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  }

 private:
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

/// Long work for Python: other threads run meanwhile, and Ctrl-C stops it.
class Work {
 public:
  Work(std::size_t threads, std::size_t memory) {
    context_.threads = threads;
    context_.memory = memory;
    check_parameters(context_);
    context_.cancelled = [this] { return asked_to_stop(); };
  }
  Work(const Work&) = delete;  // the context refers to it
  Work& operator=(const Work&) = delete;

  /// function(context), which must not touch Python.
  template <class Function>
  auto run(Function&& function) {
    try {
      const nanobind::gil_scoped_release others_may_run;
      return function(context_);
    } catch (const Cancelled&) {
      throw nanobind::python_error();  // what the signal handler raised
    }
  }

 private:
  /// Python handles signals in the thread that called; the others learn of it here.
  bool asked_to_stop() {
    if (std::this_thread::get_id() == caller_) {
      const nanobind::gil_scoped_acquire python;
      if (PyErr_CheckSignals() != 0) stop_ = true;
    }
    return stop_;
  }

  Context context_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> stop_ = false;
};

}  // namespace espalier::python
