# Install rules: headers, library, program, and the package behind find_package(espalier).
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/espalier")

install(TARGETS espalier EXPORT espalierTargets FILE_SET HEADERS)
install(EXPORT espalierTargets NAMESPACE espalier:: DESTINATION "${package_dir}")
if(ESPALIER_BUILD_CLI)
  install(TARGETS espalier_cli)
endif()

configure_package_config_file(cmake/espalierConfig.cmake.in cmake/espalierConfig.cmake
  INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/espalierConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cmake/espalierConfig.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindGumbo.cmake"
              "${PROJECT_BINARY_DIR}/cmake/espalierConfigVersion.cmake"
        DESTINATION "${package_dir}")
