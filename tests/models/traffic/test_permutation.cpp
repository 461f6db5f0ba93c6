#include "models/topology/files.hpp"
#include "models/topology/make_topology.hpp"
#include "models/traffic/permutation.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <map>

namespace nocturne::permutation_test {

using Catch::Contains;

TEST_CASE("every named permutation is one, on every network that it is made for", "[traffic]")
{
    const std::string network =
        GENERATE("mesh:4x4", "mesh:2x8", "torus:4x4x4", "hypercube:4", "omega:16", "benes:2,4", "octagon:8",
                 "fat_octagon:8", "kautz:3,2", "btree:8", "ring:7", "mesh:5x5");
    const Topology topology = make_topology(network);
    for (const std::string& name : permutation_names()) {
        CAPTURE(network, name);
        try {
            const Permutation permutation = make_permutation(topology, name, 3);
            CHECK_NOTHROW(check_permutation(permutation, topology.processor_count()));
        } catch (const std::invalid_argument& error) {
            // Only for want of a power of two or four.
            CHECK_THAT(error.what(), Contains("made for") && Contains(name) && Contains(network));
        }
    }
}

TEST_CASE("permutations are those of the textbooks", "[traffic]")
{
    const Topology mesh = make_topology("mesh:4x4");
    CHECK(make_permutation(mesh, "transpose") ==
          Permutation{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
    CHECK(make_permutation(mesh, "complement") ==
          Permutation{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
    CHECK(make_permutation(mesh, "reversal") ==
          Permutation{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15});
    CHECK(make_permutation(mesh, "shuffle") ==
          Permutation{0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15});
    CHECK(make_permutation(mesh, "rotation") ==
          Permutation{0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15});
    CHECK(make_permutation(mesh, "butterfly") ==
          Permutation{0, 8, 2, 10, 4, 12, 6, 14, 1, 9, 3, 11, 5, 13, 7, 15});
    CHECK(make_permutation(make_topology("ring:2"), "butterfly") == Permutation{0, 1});
    // ceil(4 / 2) - 1 = 1 on in both dimensions.
    CHECK(make_permutation(mesh, "tornado") ==
          Permutation{5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0});
    CHECK(make_permutation(mesh, "neighbour") == make_permutation(mesh, "tornado"));
    CHECK(make_permutation(make_topology("torus:8"), "tornado") == Permutation{3, 4, 5, 6, 7, 0, 1, 2});
    // No grid: a ring of all processors.
    CHECK(make_permutation(make_topology("omega:8"), "tornado") == Permutation{3, 4, 5, 6, 7, 0, 1, 2});
    CHECK(make_permutation(make_topology("omega:8"), "neighbour") == Permutation{1, 2, 3, 4, 5, 6, 7, 0});
    CHECK(make_permutation(make_topology("omega:16"), "transpose") == make_permutation(mesh, "transpose"));
    // A square grid need not have a power of two.
    CHECK(make_permutation(make_topology("mesh:3x3"), "transpose") == Permutation{0, 3, 6, 1, 4, 7, 2, 5, 8});
}

TEST_CASE("all permutations of four are drawn, equally often", "[traffic]")
{
    std::map<Permutation, int> drawn;
    constexpr int draws = 24'000;
    for (int seed = 0; seed < draws; ++seed)
        ++drawn[random_permutation(4, static_cast<std::uint64_t>(seed))];
    CHECK(drawn.size() == 24);
    // 1000 expected, standard deviation 31.
    for (const auto& [permutation, times] : drawn)
        CHECK(std::abs(times - draws / 24) < 160);
}

TEST_CASE("permutations come from files", "[traffic]")
{
    const test::TemporaryFolder folder;
    const std::string path = folder / "permutation.txt";
    const auto read = [&](const std::string& text) {
        write_file_atomically(path, text);
        return read_permutation(path, 4);
    };
    CHECK(read("# mine\n1, 0\n3 2 # the end\n") == Permutation{1, 0, 3, 2});
    CHECK_THROWS_WITH(read_permutation(folder / "none", 4), Contains("none"));
}

TEST_CASE("an unknown permutation is refused with those that exist", "[traffic]")
{
    CHECK_THROWS_WITH(make_permutation(make_topology("mesh:4x4"), "zigzag"),
                      Contains("unknown permutation 'zigzag'") && Contains("tornado"));
}

} // namespace nocturne::permutation_test
