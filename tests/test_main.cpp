// Compiled once and linked into every test executable: Catch2's main is the slowest file of the suite.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
