#include "models/routing/turn_layer.hpp"
#include "models/routing/turns.hpp"
#include "models/topology/topology.hpp"
#include "tests/catch.hpp"

namespace nocturne::turn_layer_test {

TEST_CASE("a layer takes turns until one would close a cycle, and does not change its mind",
          "[routing][layers]")
{
    Topology circle("circle");
    for (int i = 0; i < 3; ++i)
        circle.add_router();
    for (RouterId id = 0; id < 3; ++id)
        circle.add_channel(id, (id + 1) % 3);
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
