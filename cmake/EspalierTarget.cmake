# espalier_own_target(TARGET): what every target of this project has in common. A function rather
# than global flags, so that a project that adds us with add_subdirectory keeps its own.
function(espalier_own_target target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion)
  if(NOT CMAKE_UNITY_BUILD)
    target_compile_options(${target} PRIVATE -Wshadow)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wshadow=local)  # not of names in other files
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of overlapping copies in std::string + where there are none (its bug 105651), and
    # takes the members of a variant for uninitialised.
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-maybe-uninitialized)
  endif()
  if(ESPALIER_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# espalier_unity_by_folder(TARGET): where CMAKE_UNITY_BUILD is on, as in the release preset, compiles
# the sources of each folder as one, which halves the time. Their unnamed namespaces are one then: a
# name that only one file knows must still be unique in its folder.
function(espalier_unity_by_folder target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(folder "${source}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}")
  endforeach()
endfunction()
