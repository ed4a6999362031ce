# espalier_own_target(TARGET): what every target of this project has in common. A function rather
# than global flags, so that a project that adds us with add_subdirectory keeps its own.
function(espalier_own_target target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of overlapping copies in std::string + where there are none (its bug 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict)
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
      # Beside a sanitizer it takes the members of a variant for uninitialised.
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
  endif()
  if(ESPALIER_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
