#include "models/topology/make_topology.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

namespace nocturne::undelivered_test {

TEST_CASE("missing deliveries are listed up to a number and counted beyond it", "[schedule][validator]")
{
    const Topology topology = make_topology("ring:64");
    Schedule schedule{"", "", "ring:64", alltoall({64}), all_port, Switching::wormhole, {}};
    const std::size_t owed = 64 * 63;
    const auto listed = validate(schedule, topology);
    REQUIRE(listed.size() == most_undelivered_listed + 1);
    CHECK(count_violations(listed) == owed);
    CHECK(listed.back().text == fmt::format("undelivered: and {} more deliveries", owed - 1000));
    CHECK(listed.back().count == owed - 1000);
    CHECK_FALSE(listed.back().processor.has_value());
    for (std::size_t i = 0; i < most_undelivered_listed; ++i) // in order: 0>1, 0>2, ...
        CHECK(listed[i].text == fmt::format("undelivered: {0} never receives message {1}>{0}",
                                            i % 63 < i / 63 ? i % 63 : i % 63 + 1, i / 63));
    // Whoever does the work.
    for (const unsigned threads : {2U, 3U, 7U}) {
        const auto others = validate(schedule, topology, threads);
        REQUIRE(others.size() == listed.size());
        for (std::size_t i = 0; i < others.size(); ++i)
            CHECK(others[i].text == listed[i].text);
    }
    // As many as are listed: nothing stands for others.
    schedule.collective = alltoall({32});
    CHECK(validate(schedule, make_topology("ring:32")).size() == 32 * 31);
    CHECK(count_violations(validate(schedule, make_topology("ring:32"))) == 32 * 31);
}

} // namespace nocturne::undelivered_test
