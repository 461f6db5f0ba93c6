# One helper for a module's library, one for a module's tests.

# What most modules include, read once by Clang: a third to a tenth of a module's time. GCC gains nothing by it.
set(shared_headers OFF)
if(NOCTURNE_SANITIZE AND NOCTURNE_UNITY)
    set(shared_headers ON)
    file(CONFIGURE OUTPUT headers.cpp CONTENT "// Only its precompiled headers are used.\n")
    add_library(nocturne_headers OBJECT ${CMAKE_CURRENT_BINARY_DIR}/headers.cpp)
    target_link_libraries(nocturne_headers PRIVATE nocturne_compiler fmt::fmt)
    target_precompile_headers(nocturne_headers PRIVATE <algorithm> <array> <bit> <chrono> <cmath> <cstdint> <filesystem>
        <functional> <limits> <map> <memory> <numeric> <optional> <queue> <set> <span> <sstream> <stdexcept> <string>
        <string_view> <tuple> <unordered_map> <utility> <variant> <vector> <boost/container/small_vector.hpp>
        <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp>)
    # Without the headers' times in it, what is compiled with it is found in the compiler cache from any checkout.
    target_compile_options(nocturne_compiler INTERFACE
        $<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>>)
    # Some modules go into the Python package too, and the headers are compiled as the modules are.
    set_target_properties(nocturne_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
endif()

# nocturne_library(NAME [COLD] SOURCES file... [DEPENDS target...] [PRIVATE target...] [PRECOMPILE header...])
# Builds the current folder as the static library nocturne_NAME, alias nocturne::NAME, and installs it with its headers.
# COLD: no run spends time in it that is worth more than -O1, which takes two thirds of -O3's time to compile. PRECOMPILE: the
# heavy headers that most of its files include, read once where each file is a translation unit.
function(nocturne_library name)
    cmake_parse_arguments(ARG "COLD" "" "SOURCES;DEPENDS;PRIVATE;PRECOMPILE" ${ARGN})
    add_library(nocturne_${name} STATIC ${ARG_SOURCES})
    add_library(nocturne::${name} ALIAS nocturne_${name})
    set_target_properties(nocturne_${name} PROPERTIES EXPORT_NAME ${name})
    target_include_directories(nocturne_${name} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/nocturne>)
    target_compile_features(nocturne_${name} PUBLIC cxx_std_20)
    target_link_libraries(nocturne_${name} PUBLIC ${ARG_DEPENDS} PRIVATE nocturne_compiler ${ARG_PRIVATE})
    if(ARG_COLD)
        target_compile_options(nocturne_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
        target_compile_definitions(nocturne_${name} PRIVATE _GLIBCXX_ASSERTIONS)
    else()
        set_property(GLOBAL APPEND PROPERTY NOCTURNE_HOT_LIBRARIES nocturne_${name})
    endif()
    if(shared_headers)
        set_target_properties(nocturne_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        target_precompile_headers(nocturne_${name} REUSE_FROM nocturne_headers)
    elseif(ARG_PRECOMPILE AND NOT NOCTURNE_UNITY)
        target_precompile_headers(nocturne_${name} PRIVATE ${ARG_PRECOMPILE})
    endif()
    file(RELATIVE_PATH room ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
    install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nocturne/${room} COMPONENT development)
    set_property(GLOBAL APPEND PROPERTY NOCTURNE_LIBRARIES nocturne_${name})
    if(room MATCHES "^(models/(network|endpoints|hardware|worm|fabric)|sim/)")
        set_property(GLOBAL APPEND PROPERTY NOCTURNE_SIMULATION_LIBRARIES nocturne_${name})
    endif()
endfunction()

# nocturne_test(NAME [ALONE [NIGHT]] SOURCES file... DEPENDS target... [TOGETHER file...])
# One executable for a module's tests. The test cases of a file (*_test.cpp, test_*.cpp) are one test, run in one process: with the
# sanitizers a start, and the search for leaks at the end, take longer than most test cases.
# ALONE: each test case is a test of its own, run in a process of its own, since SystemC elaborates once in a process, or since
# they take long; but for those of the files after TOGETHER (without .cpp). Hidden ones ([.]) are for a call by hand.
# NIGHT: some of these have the tag [.night], and are for `./run nightly` only.
# STARTS_PROGRAMS: thousands of times, and a third of each would be the search for leaks that the tests of the libraries make too.
function(nocturne_test name)
    cmake_parse_arguments(ARG "ALONE;NIGHT;STARTS_PROGRAMS" "" "SOURCES;DEPENDS;TOGETHER" ${ARGN})
    set(properties TIMEOUT 1800) # what hangs ends, what is slow beside other work does not
    if(ARG_STARTS_PROGRAMS AND NOCTURNE_SANITIZE)
        list(APPEND properties ENVIRONMENT_MODIFICATION ASAN_OPTIONS=string_append:detect_leaks=0)
    endif()
    add_executable(test_${name} ${ARG_SOURCES})
    target_link_libraries(test_${name} PRIVATE nocturne_test_main nocturne_compiler ${ARG_DEPENDS})
    target_precompile_headers(test_${name} REUSE_FROM nocturne_test_tools)
    # What ccache asks for. Of tests only what Clang warns of counts: GCC sees overflows in strings where there are none.
    target_compile_options(test_${name} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess;-w>")
    set(files ${ARG_SOURCES})
    list(TRANSFORM files REPLACE "^.*/|[.]cpp$" "")
    if(ARG_ALONE)
        set(files ${ARG_TOGETHER})
        set(others "")
        foreach(file ${ARG_TOGETHER})
            string(APPEND others "~[#${file}]")
        endforeach()
        catch_discover_tests(test_${name} TEST_SPEC --filenames-as-tags "~[.]${others}" TEST_PREFIX "${name}: " PROPERTIES ${properties})
        if(ARG_NIGHT)
            catch_discover_tests(test_${name} TEST_SPEC "[night]" TEST_PREFIX "${name}: " TEST_LIST test_${name}_NIGHT
                PROPERTIES LABELS night ${properties})
        endif()
    endif()
    list(FILTER files INCLUDE REGEX "^test_|_test$")
    set(warn "")
    if(Catch2_VERSION VERSION_LESS 3)
        set(warn --warn NoTests)
    endif()
    foreach(file ${files})
        # A file without a test case would be an error; to version 3 of Catch2 it always is.
        add_test(NAME "${name}: ${file}" COMMAND test_${name} --filenames-as-tags "[#${file}]" ${warn})
        set_tests_properties("${name}: ${file}" PROPERTIES ${properties})
    endforeach()
endfunction()
