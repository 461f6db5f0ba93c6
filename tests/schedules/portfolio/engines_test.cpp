#include "schedules/portfolio/engines.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

namespace nocturne::engines_test {

TEST_CASE("an engine that does not exist is refused", "[portfolio][engine]")
{
    CHECK_THROWS_AS(find_engine("oracle"), std::invalid_argument);
}

} // namespace nocturne::engines_test
