#include "models/routing/turn_layer.hpp"
#include "models/routing/turns.hpp"
#include "models/topology/topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

namespace nocturne::turn_layer_test {

TEST_CASE("a layer takes turns until one would close a cycle, and does not change its mind",
          "[routing][layers]")
{
    const Topology circle = test::one_way_circle("circle", 3);
    const Turns turns(circle);
    TurnLayer layer(circle.channel_count(), turns.count());
    const auto take = [&](ChannelId channel, ChannelId next) {
        return layer.take(turns.index(channel, next), channel, next);
    };
    for (int again = 0; again < 2; ++again) {
        CHECK(take(0, 1));
        CHECK(take(1, 2));
        CHECK_FALSE(take(2, 0));
    }
    CHECK(layer.taken()[turns.index(0, 1)]);
    CHECK_FALSE(layer.taken()[turns.index(2, 0)]);
}

} // namespace nocturne::turn_layer_test
