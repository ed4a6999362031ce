# espalier_embed(HEADER FILE..): writes a header that holds each file as a string in namespace
# espalier, named after it: report.css is report_css. A changed file changes the next build.
function(espalier_embed header)
  set(strings "")
  foreach(file IN LISTS ARGN)
    file(READ "${file}" content)
    get_filename_component(name "${file}" NAME)
    string(MAKE_C_IDENTIFIER "${name}" name)
    string(APPEND strings
      "inline constexpr std::string_view ${name} = R\"espalier(${content})espalier\";\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  endforeach()
  file(CONFIGURE OUTPUT "${header}" @ONLY CONTENT
    "#pragma once\n\n#include <string_view>\n\nnamespace espalier {\n\n@strings@\n}  // namespace espalier\n")
endfunction()
