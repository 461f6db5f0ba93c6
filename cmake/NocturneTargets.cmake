# One helper for a room's library, one for a room's tests.

# nocturne_library(NAME [CALLS_ONLY] SOURCES file... [DEPENDS target...] [PRIVATE target...] [PRECOMPILE header...])
# Builds the current folder as the static library nocturne_NAME, alias nocturne::NAME, and installs it with its headers.
# CALLS_ONLY: the tests spend less time in it than it takes to optimize it. PRECOMPILE: the heavy headers that most of its files include, read
# once where each file is a translation unit.
function(nocturne_library name)
    cmake_parse_arguments(ARG "CALLS_ONLY" "" "SOURCES;DEPENDS;PRIVATE;PRECOMPILE" ${ARGN})
    add_library(nocturne_${name} STATIC ${ARG_SOURCES})
    add_library(nocturne::${name} ALIAS nocturne_${name})
    set_target_properties(nocturne_${name} PROPERTIES EXPORT_NAME ${name})
    target_include_directories(nocturne_${name} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/nocturne>)
    target_compile_features(nocturne_${name} PUBLIC cxx_std_20)
    target_link_libraries(nocturne_${name} PUBLIC ${ARG_DEPENDS} PRIVATE nocturne_compiler ${ARG_PRIVATE})
    if(NOCTURNE_SANITIZE AND NOT ARG_CALLS_ONLY)
        # The tests run several times faster than with libraries at -O0, and the sanitizers see the same accesses; -O1 would take
        # half as long again to compile, with what the address sanitizer adds to inlined functions. What only calls the
        # libraries, like the tests themselves, is compiled without: a third to a half less time for each.
        target_compile_options(nocturne_${name} PRIVATE -Og)
    endif()
    if(ARG_PRECOMPILE AND NOT NOCTURNE_UNITY)
        target_precompile_headers(nocturne_${name} PRIVATE ${ARG_PRECOMPILE})
    endif()
    file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
    install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nocturne/${room} COMPONENT development)
    set_property(GLOBAL APPEND PROPERTY NOCTURNE_LIBRARIES nocturne_${name})
    if(room MATCHES "^(models/(hardware|worm|fabric)|sim/)")
        set_property(GLOBAL APPEND PROPERTY NOCTURNE_SIMULATION_LIBRARIES nocturne_${name})
    endif()
endfunction()

# nocturne_test(NAME SOURCES file... DEPENDS target...)
# One executable for a room's tests; each test case is a test of its own, run in a process of its own (SystemC elaborates
# once in a process).
function(nocturne_test name)
    cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
    add_executable(test_${name} ${ARG_SOURCES})
    target_link_libraries(test_${name} PRIVATE nocturne_test_main nocturne_compiler ${ARG_DEPENDS})
    target_precompile_headers(test_${name} REUSE_FROM nocturne_test_tools)
    target_compile_options(test_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>) # what ccache asks for
    catch_discover_tests(test_${name} TEST_PREFIX "${name}: " PROPERTIES TIMEOUT 300)
endfunction()
