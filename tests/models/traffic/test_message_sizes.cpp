#include "models/traffic/message_sizes.hpp"
#include "tests/catch.hpp"

#include <map>

namespace nocturne::message_sizes_test {

TEST_CASE("message sizes are drawn by weight", "[traffic]")
{
    const MessageSizes sizes = make_message_sizes("2:3,16:1");
    CHECK(sizes.mean_flits() == Approx(5.5));
    CHECK(sizes.most_flits() == 16);
    std::map<std::uint32_t, int> drawn;
    SplitMix64 random(3);
    for (int i = 0; i < 20'000; ++i)
        ++drawn[sizes.draw(random)];
    CHECK(drawn.size() == 2);
    CHECK(drawn[2] == Approx(15'000).epsilon(0.02));

    const MessageSizes fixed = make_message_sizes("8");
    CHECK(fixed.mean_flits() == 8);
    CHECK(fixed.draw(random) == 8);
}

} // namespace nocturne::message_sizes_test
