# `cmake --install` and `find_package(nocturne)`.
include(CMakePackageConfigHelpers)
get_property(libraries GLOBAL PROPERTY NOCTURNE_LIBRARIES)
set(used nocturne_compiler nocturne_systemc nocturne_clp nocturne_nauty nocturne_cadical)
if(TARGET nocturne_metis)
    list(APPEND used nocturne_metis)
endif()
install(TARGETS ${libraries} ${used}
    EXPORT nocturne ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS nocturne RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT nocturne NAMESPACE nocturne:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nocturne)
configure_package_config_file(cmake/nocturneConfig.cmake.in ${PROJECT_BINARY_DIR}/nocturneConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nocturne)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nocturneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nocturneConfig.cmake ${PROJECT_BINARY_DIR}/nocturneConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/nocturne)
install(DIRECTORY schedules/library/ DESTINATION ${CMAKE_INSTALL_DATADIR}/nocturne/schedules FILES_MATCHING PATTERN "*.json")
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/nocturne/examples)
