#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"
#include "espalier/io/format.hpp"
#include "work.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// All examples. The caller has released the interpreter; Ctrl-C stops it.
Dataset read_all(ExampleReader& reader) {
  Dataset data;
  Signals signals;
  for (Example example; reader.next(example);) {
    signals.check();
    try {
      data.add(example);
    } catch (const Error& error) {
      throw InputError(reader.location(), error.what());
    }
  }
  return data;
}

/// The data set, and what there is to warn of.
nb::tuple read_with(ReadOptions options, const nb::bytes& path) {
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& message) { warnings.push_back(message); };
  Dataset data;
  {
    const std::string file = path_of(path);
    const nb::gil_scoped_release others_may_run;
    const auto reader = open_reader(file, options);
    data = read_all(*reader);
  }
  nb::list messages;
  for (const std::string& message : warnings) messages.append(to_python(message));
  return nb::make_tuple(nb::cast(std::move(data)), messages);
}

nb::tuple read_file(const nb::bytes& path, const std::string& format,
                    const std::vector<std::pair<std::string, std::string>>& named) {
  ReadOptions options;
  options.format = format;
  for (const auto& [name, value] : named) set_read_option(options, name, value);
  return read_with(std::move(options), path);
}

nb::tuple read_sentences(const nb::bytes& path, const std::vector<std::string>& represent,
                         const WordOptions& words, const std::string& task,
                         const std::string& label_from, const std::string& label_until) {
  ReadOptions options;
  options.format = "conllu";
  options.sentences.forms.clear();
  for (const std::string& name : represent) {
    options.sentences.forms.push_back(sentence_form_named(name));
  }
  options.sentences.words = words;
  if (task == "arguments") options.sentences.task = SentenceTask::arguments;
  if (task == "roles") options.sentences.task = SentenceTask::roles;
  options.sentences.label_from = label_from;
  options.sentences.label_until = label_until;
  return read_with(std::move(options), path);
}

void write_file(const Dataset& data, const nb::bytes& path, const std::string& format) {
  const std::string file = path_of(path);
  const nb::gil_scoped_release others_may_run;
  write(data, file, format);
}

nb::dict known_formats() {
  nb::dict out;
  for (const Format& format : formats()) {
    out[to_python(format.name)] = to_python(format.description);
  }
  return out;
}

}  // namespace

void add_formats(nb::module_& module) {
  module.def("read", read_file, nb::arg("path"), nb::arg("format"), nb::arg("options"));
  nb::class_<WordOptions>(module, "WordOptions")
      .def(nb::init<bool, bool, bool, bool>(), nb::arg("forms"), nb::arg("coarse"),
           nb::arg("lower_case"), nb::arg("punctuation"));
  module.def("read_sentences", read_sentences, nb::arg("path"), nb::arg("represent"),
             nb::arg("words"), nb::arg("task"), nb::arg("label_from"), nb::arg("label_until"));
  module.def("write", write_file, nb::arg("data"), nb::arg("path"), nb::arg("format"));
  module.def("formats", known_formats);
}

}  // namespace espalier::python
