#include "schedules/chunk_flows/flow_schedule.hpp"
#include "schedules/chunks/chunk_validator.hpp"
#include "tests/schedules/chunk_flows/clusters.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace nocturne;

TEST_CASE("all-to-all on machines of two chassis: 1 GB a GPU in the time that the InfiniBand links need",
          "[chunk_flows]")
{
    struct Row {
        LinkNetwork network;
        std::uint32_t parts;
        double bound_ms; ///< what crosses between the chassis, over what the links between them carry
        double most_ms;
    };
    const Row row = GENERATE(Row{test::two_ndv2(), 4, 64 * 1000 / 16 / 12.5, 320.05},
                             Row{test::two_dgx2(), 4, 256 * 1000 / 32 / 100.0, 80.5});
    const std::uint32_t gpus = row.network.processor_count();
    FlowConfig config;
    config.cost.bytes_per_weight = 1e9 / (gpus * row.parts);
    const auto found =
        schedule_flow(row.network, chunked_alltoall({.processors = gpus, .parts = row.parts}), config);
    REQUIRE(found);
    CHECK(validate(found->schedule, row.network).empty());
    CHECK(found->flow_cycles == Approx(row.bound_ms * test::cycles_per_ms).epsilon(1e-6));
    CHECK(found->cycles >= found->flow_cycles * (1 - 1e-6));
    CHECK(found->cycles <= row.most_ms * test::cycles_per_ms);
}
