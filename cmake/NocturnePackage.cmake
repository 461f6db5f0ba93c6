# `cmake --install`, `find_package(nocturne)`, pkg-config, and the Debian packages that `cpack` makes: `nocturne` has the command
# and what it reads, `libnocturne-dev` the libraries.
include(CMakePackageConfigHelpers)
get_property(libraries GLOBAL PROPERTY NOCTURNE_LIBRARIES)
set(used nocturne_compiler nocturne_systemc nocturne_clp nocturne_nauty nocturne_cadical)
if(TARGET nocturne_metis)
    list(APPEND used nocturne_metis)
endif()
set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/nocturne)
install(TARGETS ${libraries} ${used}
    EXPORT nocturne ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(TARGETS nocturne RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(EXPORT nocturne NAMESPACE nocturne:: DESTINATION ${cmake_folder} COMPONENT development)
configure_package_config_file(cmake/nocturneConfig.cmake.in ${PROJECT_BINARY_DIR}/nocturneConfig.cmake
    INSTALL_DESTINATION ${cmake_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nocturneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nocturneConfig.cmake ${PROJECT_BINARY_DIR}/nocturneConfigVersion.cmake
    DESTINATION ${cmake_folder} COMPONENT development)
install(DIRECTORY schedules/library/ DESTINATION ${CMAKE_INSTALL_DATADIR}/nocturne/schedules COMPONENT runtime
    FILES_MATCHING PATTERN "*.json")
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/nocturne/examples COMPONENT runtime)

# Two files for pkg-config: what finds schedules needs no SystemC, what simulates needs both. The archives are searched as one
# group, since rooms use each other in more than one order. A group is one word: pkg-config drops a word that comes twice, as the
# end of a group would.
get_property(simulation GLOBAL PROPERTY NOCTURNE_SIMULATION_LIBRARIES)
set(upstream ${libraries})
list(REMOVE_ITEM upstream ${simulation})
# From lib/pkgconfig, or lib/x86_64-linux-gnu/pkgconfig, to the prefix.
string(REGEX REPLACE "[^/]+" ".." PC_UP ${CMAKE_INSTALL_LIBDIR})
function(write_pkg_config name libraries)
    list(TRANSFORM libraries PREPEND -l)
    list(JOIN libraries "," LIBRARIES)
    configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endfunction()
if(TARGET nocturne_metis)
    set(OPTIONAL_LIBRARIES -lmetis)
endif()
write_pkg_config(nocturne "${upstream}")
write_pkg_config(nocturne-simulation "${simulation}")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the Nocturne developers <nocturne@localhost>")
set(CPACK_PACKAGE_VENDOR Nocturne)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME nocturne)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "gnuplot-nox, graphviz, fonts-dejavu-core")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${PROJECT_DESCRIPTION}\n The command, its manual pages, schedules and sample files.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libnocturne-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
string(CONCAT CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libsystemc-dev, libboost-dev, libboost-program-options-dev, "
    "libboost-graph-dev, libfmt-dev, nlohmann-json3-dev, coinor-libclp-dev, libcadical-dev, libnauty2-dev, zlib1g-dev, libsqlite3-dev")
if(TARGET nocturne_metis)
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libmetis-dev")
endif()
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${PROJECT_DESCRIPTION}\n Libraries and headers; CMake and pkg-config files.")
include(CPack)

# The reference of the headers, as HTML: `cmake --build build/release --target reference`.
find_program(DOXYGEN doxygen)
if(DOXYGEN)
    configure_file(cmake/reference/Doxyfile.in ${PROJECT_BINARY_DIR}/reference/Doxyfile @ONLY)
    add_custom_target(reference COMMAND ${DOXYGEN} ${PROJECT_BINARY_DIR}/reference/Doxyfile VERBATIM)
endif()
