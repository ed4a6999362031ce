#include "bindings.hpp"
#include "element_error.hpp"
#include "espalier/base/error.hpp"

namespace espalier::python {

namespace nb = nanobind;

namespace {

/// Makes our exceptions those of espalier/errors.py.
void translate(const std::exception_ptr& exception, void*) {
  const auto raise = [](const char* type, auto&&... arguments) {
    const nb::object cls = nb::module_::import_("espalier.errors").attr(type);
    PyErr_SetObject(cls.ptr(), cls(arguments...).ptr());
  };
  try {
    std::rethrow_exception(exception);
  } catch (const ElementError& error) {
    raise("ElementError", to_python(error.what()), error.index());
  } catch (const InputError& error) {
    const Location& at = error.location();
    raise("InputError", to_python(error.what()), to_python(at.file), at.line, at.column);
  } catch (const Error& error) {
    raise("Error", to_python(error.what()));
  }
}

}  // namespace

void add_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace espalier::python
