# Everything the project stands on; all of it comes from Debian packages (see the table in docs/dependencies.md).
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(pugixml REQUIRED)
find_package(yaml-cpp REQUIRED)
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_writer.hpp REQUIRED) # headers only, among those of the system
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(PkgConfig REQUIRED)

# Linear programs (COIN-OR), flows (LEMON), automorphisms (nauty), satisfiability (CaDiCaL has no pkg-config file). Interface
# targets of our own: the installed package must not need pkg-config.
pkg_check_modules(CLP REQUIRED clp)
pkg_check_modules(LEMON REQUIRED lemon)
pkg_check_modules(NAUTY REQUIRED nauty)
find_library(CADICAL_LIBRARY cadical REQUIRED)
find_path(CADICAL_INCLUDE_DIR cadical.hpp REQUIRED)
foreach(solver clp lemon nauty)
    string(TOUPPER ${solver} SOLVER)
    # The shared libraries know what they need themselves (compression, LAPACK), and its development packages may be missing.
    list(FILTER ${SOLVER}_LIBRARIES EXCLUDE REGEX "^(bz2|z|lapack|blas|m|pthread|rt)$")
    add_library(nocturne_${solver} INTERFACE)
    target_include_directories(nocturne_${solver} SYSTEM INTERFACE ${${SOLVER}_INCLUDE_DIRS})
    target_link_libraries(nocturne_${solver} INTERFACE ${${SOLVER}_LIBRARIES})
endforeach()
add_library(nocturne_cadical INTERFACE)
target_include_directories(nocturne_cadical SYSTEM INTERFACE ${CADICAL_INCLUDE_DIR})
target_link_libraries(nocturne_cadical INTERFACE cadical)

# Graph partitioning (METIS), a second opinion on bisections: used where it is installed.
find_library(METIS_LIBRARY metis)
find_path(METIS_INCLUDE_DIR metis.h)
if(METIS_LIBRARY AND METIS_INCLUDE_DIR)
    add_library(nocturne_metis INTERFACE)
    target_include_directories(nocturne_metis SYSTEM INTERFACE ${METIS_INCLUDE_DIR})
    target_link_libraries(nocturne_metis INTERFACE metis)
endif()

# D3 goes into the pages of reports.
find_file(NOCTURNE_D3 d3.min.js PATHS /usr/share/nodejs/d3/dist NO_DEFAULT_PATH)
if(NOT NOCTURNE_D3)
    message(FATAL_ERROR "D3 is not found: install the package node-d3, or say -DNOCTURNE_D3=.../d3.min.js (version 5)")
endif()

# MPI, for sweeps over many machines: a plugin that is built where Boost.MPI is installed.
# Its wrappers are asked, not the compiler without them.
set(MPI_ASSUME_NO_BUILTIN_MPI ON)
find_package(Boost 1.74 QUIET OPTIONAL_COMPONENTS mpi)

# SystemC has no CMake package in Debian. Its library is built as C++17; with SC_CPLUSPLUS set to that, C++20 code links.
pkg_check_modules(SYSTEMC REQUIRED systemc)
add_library(nocturne_systemc INTERFACE)
target_include_directories(nocturne_systemc SYSTEM INTERFACE ${SYSTEMC_INCLUDE_DIRS})
target_compile_definitions(nocturne_systemc INTERFACE SC_CPLUSPLUS=201703L SC_INCLUDE_DYNAMIC_PROCESSES)
target_link_libraries(nocturne_systemc INTERFACE systemc Threads::Threads)
# Its main() calls sc_main(), which programs with a main() of their own lack: the hardware library has one for them, which
# the linker must take although nothing of ours asks for it.
target_link_options(nocturne_systemc INTERFACE LINKER:--undefined=sc_main)

if(NOCTURNE_TESTS)
    find_package(Catch2 3 QUIET) # Debian 13
    if(NOT Catch2_FOUND)
        find_package(Catch2 2.13 REQUIRED)
    endif()
    include(Catch)
endif()
