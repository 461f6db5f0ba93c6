#include "schedules/constructions/hadamard.hpp"
#include "tests/catch.hpp"

#include <array>

namespace nocturne::hadamard_test {

TEST_CASE("two columns of a Hadamard matrix have each pair of values in a quarter of the rows",
          "[constructions][hadamard]")
{
    const auto order = GENERATE(1u, 2u, 4u, 8u, 12u, 16u, 20u, 24u, 28u, 36u, 40u, 56u, 64u, 72u, 76u, 148u);
    CAPTURE(order);
    const auto matrix = hadamard_matrix(order);
    REQUIRE(matrix.has_value());
    REQUIRE(matrix->size() == order);
    for (unsigned a = 0; a < order; ++a) {
        CHECK_FALSE((*matrix)[a].at(0));
        for (unsigned b = a + 1; b < order; ++b) {
            std::array<unsigned, 4> count{};
            for (const auto& row : *matrix)
                ++count[(row.at(a) ? 2 : 0) + (row.at(b) ? 1 : 0)];
            if (a == 0)
                REQUIRE((count[0] == order / 2 && count[1] == order / 2));
            else
                REQUIRE((count[0] == order / 4 && count[1] == order / 4 && count[2] == order / 4));
        }
    }
}

TEST_CASE("orders without a Hadamard matrix", "[constructions][hadamard]")
{
    CHECK_FALSE(hadamard_matrix(GENERATE(0u, 3u, 6u, 10u, 92u))); // that of 92 is none of these
}

} // namespace nocturne::hadamard_test
