#include "schedules/collective/bandwidth.hpp"
#include "tests/catch.hpp"

namespace nocturne::bandwidth_test {

TEST_CASE("sizes and factors are those of nccl-tests", "[collective][bandwidth]")
{
    const CollectiveShape shape{.processors = 8, .parts = 3, .group = {0, 2, 5, 7}};
    struct Row {
        Collective collective;
        double size_over_contribution;
        double factor;
    };
    // Of four members: an allgather is 4 blocks, of which each member contributes one; an alltoall is 4
    // blocks a member, of which one stays.
    for (const auto& [collective, size, factor] :
         {Row{allreduce(shape), 1, 2 * 3 / 4.0}, Row{reduce_scatter(shape), 1, 3 / 4.0},
          Row{allgather(shape), 4, 3 / 4.0}, Row{alltoall(shape), 4 / 3.0, 3 / 4.0},
          Row{scatter(shape, 2), 4 / 3.0, 3 / 4.0}, Row{gather(shape, 2), 4, 3 / 4.0},
          Row{broadcast(shape, 2), 1, 1}, Row{reduce(shape, 2), 1, 1}, Row{scan(shape), 1, 1}}) {
        INFO(to_string(collective.kind));
        CHECK(member_count(collective) == 4);
        CHECK(algorithm_bytes(collective, 300) == Approx(300 * size));
        CHECK(bus_factor(collective) == Approx(factor));
    }
}

} // namespace nocturne::bandwidth_test
