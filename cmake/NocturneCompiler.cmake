# Language level, warnings and sanitizers: everything that every target shares, in one interface target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Most of a file's time is for headers, so all files of a folder that go into one target are one translation unit. What is in
# their unnamed namespaces therefore has names of its own within the folder.
set(CMAKE_UNITY_BUILD ${NOCTURNE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 50)

find_program(CCACHE ccache)
if(CCACHE)
    # The headers that are compiled before the others have no times in them. What a file includes is known from the list that
    # the compiler writes for Ninja: files that have not been compiled before are not preprocessed for the cache alone.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

# Some eighty programs are linked for the tests: these linkers take a quarter of the other's time, or less.
find_program(MOLD ld.mold)
find_program(LLD ld.lld)
if(MOLD)
    add_link_options(-fuse-ld=mold)
elseif(LLD)
    add_link_options(-fuse-ld=lld)
endif()

# Each version of a compiler warns of something else: only those that the project is written with end a build by it.
string(REGEX MATCH "^[0-9]+" major "${CMAKE_CXX_COMPILER_VERSION}")
set(warning_ends_build OFF)
if(NOCTURNE_WERROR AND "${CMAKE_CXX_COMPILER_ID} ${major}" MATCHES "^(GNU 12|Clang 14)$")
    set(warning_ends_build ON)
endif()
add_library(nocturne_compiler INTERFACE)
target_compile_options(nocturne_compiler INTERFACE $<BUILD_INTERFACE:-Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual $<$<BOOL:${warning_ends_build}>:-Werror>>)

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # A tenth of the compiler's time goes to collecting its garbage long before memory is short.
    target_compile_options(nocturne_compiler INTERFACE $<BUILD_INTERFACE:--param=ggc-min-heapsize=1000000>)
    # GCC sees overreads and overlaps in Boost's small_vector and in string concatenation (its bug 105329), and values
    # without a beginning in aggregates that were moved from, that cannot be. Clang looks for the latter in the style check.
    target_compile_options(nocturne_compiler INTERFACE
        $<BUILD_INTERFACE:-Wno-stringop-overread -Wno-stringop-overflow -Wno-restrict -Wno-maybe-uninitialized>)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 14)
        # Looking for comparisons of what is the same, GCC 14 evaluates functions of std::variant that it has not read yet.
        target_compile_options(nocturne_compiler INTERFACE $<BUILD_INTERFACE:-Wno-tautological-compare>)
    endif()
    if(NOCTURNE_UNITY AND CMAKE_BUILD_TYPE STREQUAL Release)
        # From a size on, which a folder has and a file has not, GCC lets a translation unit grow by 40 % only: what is left is
        # not inlined, and simulation and search are a tenth slower.
        target_compile_options(nocturne_compiler INTERFACE $<BUILD_INTERFACE:--param=large-unit-insns=200000>)
    endif()
endif()

if(NOCTURNE_SANITIZE)
    # Without the checks of every pointer and sum of pointers: AddressSanitizer sees bad ones too when they are used, and they
    # cost a quarter of the build. Without those of the types of functions called by pointers, nor guards around text: they were
    # four fifths of the data that each start of a program goes through.
    target_compile_options(nocturne_compiler INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
        -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow,nonnull-attribute,returns-nonnull-attribute
        $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>
        $<$<CXX_COMPILER_ID:Clang>:-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizer_ignores.txt>
        -fno-omit-frame-pointer)
    # Elements behind the end of a vector that has room for them, and optionals without a value.
    target_compile_definitions(nocturne_compiler INTERFACE _GLIBCXX_ASSERTIONS)
    target_link_options(nocturne_compiler INTERFACE -fsanitize=address,undefined)
    # The tests start programs thousands of times: a third of a start is for the addresses that a position-independent one sets.
    add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()
