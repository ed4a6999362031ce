# The HTML parser gumbo, which brings no package file for CMake: the target Gumbo::Gumbo.
find_path(Gumbo_INCLUDE_DIR gumbo.h)
find_library(Gumbo_LIBRARY gumbo)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Gumbo REQUIRED_VARS Gumbo_LIBRARY Gumbo_INCLUDE_DIR)
if(Gumbo_FOUND AND NOT TARGET Gumbo::Gumbo)
  add_library(Gumbo::Gumbo UNKNOWN IMPORTED)
  set_target_properties(Gumbo::Gumbo PROPERTIES
    IMPORTED_LOCATION "${Gumbo_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Gumbo_INCLUDE_DIR}")
endif()
mark_as_advanced(Gumbo_INCLUDE_DIR Gumbo_LIBRARY)
