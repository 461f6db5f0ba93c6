#include "models/routing/turns.hpp"
#include "random_networks.hpp"
#include "tests/catch.hpp"

#include <set>

namespace nocturne::turns_test {

TEST_CASE("each pair of channels that follow each other has a number of its own", "[routing][turns]")
{
    const Topology topology = test::random_directed(GENERATE(range(0u, 5u)), 8, 20);
    const Turns turns(topology);
    const auto channels = static_cast<ChannelId>(topology.channel_count());
    std::set<std::size_t> numbers;
    for (ChannelId a = 0; a < channels; ++a)
        for (ChannelId b = 0; b < channels; ++b) {
            REQUIRE(turns.follows(a, b) == (topology.channel(a).target == topology.channel(b).source));
            if (turns.follows(a, b))
                REQUIRE(numbers.insert(turns.index(a, b)).second);
        }
    CHECK(numbers.size() == turns.count());
    CHECK(*numbers.rbegin() == turns.count() - 1);
    CHECK_FALSE(turns.follows(0, channels));
    CHECK_FALSE(turns.follows(channels, 0));
}

} // namespace nocturne::turns_test
