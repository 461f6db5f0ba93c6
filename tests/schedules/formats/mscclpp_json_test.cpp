#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/formats/tool_formats.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/formats/gpu_executor.hpp"
#include "tests/schedules/formats/random_schedules.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace nocturne::mscclpp_json_test {

using Catch::Contains;
using nlohmann::json;
using namespace test;

namespace {

Schedule exchanging_allreduce(const LinkNetwork& network)
{
    FrontConfig config;
    config.most_parts = 1;
    config.extra_steps = 0;
    const auto front = find_front(network, allreduce({.processors = network.processor_count()}), config);
    return front.at(0).schedule;
}

Schedule searched(const LinkNetwork& network, const Collective& collective)
{
    TimedConfig config;
    config.runs = 1;
    return search_by_time(network, collective, config).value().schedule;
}

} // namespace

TEST_CASE("a plan does what the schedule does, in whatever order its threads run", "[formats][mscclpp]")
{
    std::size_t executed = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SplitMix64 random(seed);
        const LinkNetwork network = random_network(random);
        const Schedule schedule = random_schedule(random, network);
        INFO("seed " << seed << ", " << to_string(schedule.collective.kind));
        std::string text;
        try {
            text = to_mscclpp_json(schedule, network);
        } catch (const std::invalid_argument& error) {
            CHECK_THAT(error.what(), Contains("MSCCL++'s executor has"));
            continue;
        }
        ++executed;
        const json plan = json::parse(text);
        for (std::uint64_t order = 0; order < 3; ++order)
            CHECK(execute(plan, order) == "");
    }
    CHECK(executed > 20);
}

TEST_CASE("what a step exchanges goes through scratch", "[formats][mscclpp]")
{
    const LinkNetwork network = link_network_of(make_topology("hypercube:2"));
    const Schedule schedule = exchanging_allreduce(network);
    REQUIRE(validate(schedule, network).empty());
    const json plan = json::parse(to_mscclpp_json(schedule, network));
    CHECK(plan["gpus"][0]["scratch_chunks"] > 0);
    for (std::uint64_t order = 0; order < 50; ++order)
        CHECK(execute(plan, order) == "");
}

TEST_CASE("a plan needs all of its barriers, signals and waits", "[formats][mscclpp]")
{
    const LinkNetwork network = link_network_of(make_topology("hypercube:2"));
    const json plan = json::parse(to_mscclpp_json(exchanging_allreduce(network), network));
    std::size_t left_out = 0;
    for (std::size_t gpu = 0; gpu < plan["gpus"].size(); ++gpu)
        for (std::size_t block = 0; block < plan["gpus"][gpu]["threadblocks"].size(); ++block)
            for (std::size_t it = 0; it < plan["gpus"][gpu]["threadblocks"][block]["ops"].size(); ++it) {
                json damaged = plan;
                json& operations = damaged["gpus"][gpu]["threadblocks"][block]["ops"];
                INFO(operations.dump() << " without " << it);
                operations.erase(it);
                bool is_seen = false;
                for (std::uint64_t order = 0; order < 400 && !is_seen; ++order)
                    is_seen = !execute(damaged, order).empty();
                CHECK(is_seen);
                ++left_out;
            }
    CHECK(left_out > 50);
}

TEST_CASE("what the executor has no room for is refused in words", "[formats][mscclpp]")
{
    const LinkNetwork ring = link_network_of(make_topology("ring:12"));
    CHECK_THROWS_WITH(to_mscclpp_json(searched(ring, alltoall({.processors = 12, .parts = 2})), ring),
                      Contains("64 operations in a thread block: that of GPU"));
    const LinkNetwork three = link_network_of(make_topology("ring:3"));
    CHECK_THROWS_WITH(to_mscclpp_json(searched(three, broadcast({.processors = 3}, 0)), three),
                      "MSCCL++ JSON has no collective 'broadcast': it has allreduce, allgather, "
                      "reduce_scatter and alltoall");
    const LinkNetwork many = link_network_of(make_topology("ring:257"));
    CHECK_THROWS_WITH(to_mscclpp_json(empty_schedule("", "ring:257", allgather({.processors = 257}),
                                                     ScheduleSynchronization::dependencies),
                                      many),
                      Contains("at most 256 GPUs"));
}

} // namespace nocturne::mscclpp_json_test
