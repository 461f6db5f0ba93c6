#include "models/topology/make_topology.hpp"
#include "schedules/formats/tool_formats.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/formats/gpu_executor.hpp"
#include "tests/schedules/formats/random_schedules.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <stdexcept>

namespace nocturne::mscclpp_reader_test {

using nlohmann::json;
using namespace test;

namespace {

/// What is wrong with a plan; empty if nothing is.
std::string fault_of(const json& plan, const LinkNetwork& network)
{
    ForeignSchedule read = read_mscclpp_json(plan.dump(), "plan", network);
    if (!read.violations.empty())
        return read.violations.front().text;
    const auto violations = validate(read.schedule, network);
    return violations.empty() ? "" : violations.front().text;
}

/// Plans that are written of random schedules.
void for_each_plan(std::uint64_t seeds,
                   const std::function<void(const json&, const LinkNetwork&, SplitMix64&)>& use)
{
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        SplitMix64 random(seed);
        const LinkNetwork network = random_network(random);
        const Schedule schedule = random_schedule(random, network);
        INFO("seed " << seed << ", " << to_string(schedule.collective.kind));
        try {
            const json plan = json::parse(to_mscclpp_json(schedule, network));
            use(plan, network, random);
        } catch (const std::invalid_argument&) { // more than the executor has room for
        }
    }
}

json& operations_of(json& plan, std::size_t gpu, std::size_t block)
{
    return plan["gpus"][gpu]["threadblocks"][block]["ops"];
}

/// Is it seen in one of so many orders of the threads?
bool is_seen(const json& plan, std::uint64_t orders)
{
    for (std::uint64_t order = 0; order < orders; ++order)
        if (!execute(plan, order).empty())
            return true;
    return false;
}

/// An operation of an all-reduce of two GPUs by packets: each sends its chunk, adds what comes and has both.
json packet_plan()
{
    const auto gpu = [](int id) {
        const json own{{"type", "i"}, {"index", 0}, {"size", 1}};
        const json come{{"type", "s"}, {"index", 1 - id}, {"size", 1}};
        const json there{{"buffer_id", 0}, {"index", id}, {"size", 1}};
        return json{
            {"id", id},
            {"input_chunks", 1},
            {"output_chunks", 1},
            {"scratch_chunks", 2},
            {"channels", {{{"channel_type", "memory"}, {"connected_to", {1 - id}}}}},
            {"remote_buffers", {{{"rank", 1 - id}, {"type", "s"}, {"access_channel_types", {"memory"}}}}},
            {"semaphores", json::array()},
            {"threadblocks",
             {{{"id", 0},
               {"ops",
                {{{"name", "ppkt"},
                  {"src_buff", {own}},
                  {"dst_buff", {there}},
                  {"channel_ids", {0}},
                  {"channel_type", "memory"}},
                 {{"name", "nop"}},
                 {{"name", "repkt"}, {"src_buff", {own, come}}, {"dst_buff", {own}}}}},
               {"channels", {{{"channel_type", "memory"}, {"channel_ids", {0}}}}},
               {"remote_buffer_refs", {{{"access_channel_type", "memory"}, {"remote_buffer_ids", {0}}}}}}}}};
    };
    return {{"name", "packets"},
            {"collective", "allreduce"},
            {"protocol", "LL"},
            {"inplace", true},
            {"gpus", {gpu(0), gpu(1)}}};
}

} // namespace

TEST_CASE("a plan that is written is read as what it does", "[formats][mscclpp]")
{
    std::size_t read = 0;
    for_each_plan(30, [&](const json& plan, const LinkNetwork& network, SplitMix64&) {
        CHECK(fault_of(plan, network) == "");
        ++read;
    });
    CHECK(read > 20);
}

TEST_CASE("what the executor does wrong in some order of its threads is found", "[formats][mscclpp]")
{
    std::size_t faults = 0, missed = 0;
    for_each_plan(12, [&](const json& plan, const LinkNetwork& network, SplitMix64& random) {
        for (int i = 0; i < 12; ++i) {
            json other = plan;
            const std::size_t gpu = random.below(static_cast<std::uint32_t>(plan["gpus"].size()));
            const std::size_t block =
                random.below(static_cast<std::uint32_t>(plan["gpus"][gpu]["threadblocks"].size()));
            json& operations = operations_of(other, gpu, block);
            const std::size_t at = random.below(static_cast<std::uint32_t>(operations.size()));
            if (random.below(2) == 0)
                operations.erase(at);
            else
                std::swap(operations[at],
                          operations[random.below(static_cast<std::uint32_t>(operations.size()))]);
            INFO(operations.dump());
            const std::string fault = fault_of(other, network);
            const bool goes_wrong = is_seen(other, 100);
            if (goes_wrong)
                CHECK(fault != "");
            faults += fault.empty() ? 0 : 1;
            missed += fault.empty() || goes_wrong ? 0 : 1;
        }
    });
    CHECK(faults > 50);
    CHECK(missed * 4 < faults); // a race that no order among a hundred shows
}

TEST_CASE("packets are read when they have come", "[formats][mscclpp]")
{
    const LinkNetwork network = link_network_of(make_topology("complete:2"));
    const json plan = packet_plan();
    CHECK(fault_of(plan, network) == "");
    SECTION("but not before what they are made of is read")
    {
        json other = plan;
        operations_of(other, 0, 0).erase(1); // the own chunk is sent while the sum is stored in its place
        CHECK(fault_of(other, network) != "");
    }
    SECTION("and nobody waits for what is not sent")
    {
        json other = plan;
        operations_of(other, 1, 0).erase(0);
        CHECK(fault_of(other, network) == "GPU 0, thread block 0, operation 2: repkt waits for ever");
    }
    SECTION("halves of a chunk, each by a thread block of its own")
    {
        json other = plan;
        for (std::size_t gpu = 0; gpu < 2; ++gpu) {
            json& blocks = other["gpus"][gpu]["threadblocks"];
            blocks.push_back(blocks[0]);
            blocks[1]["id"] = 1;
            for (std::size_t block = 0; block < 2; ++block)
                for (json& step : operations_of(other, gpu, block))
                    if (step["name"] != "nop")
                        step["tbg_info"] = {{"tb_id", block}, {"tbg_size", 2}};
        }
        CHECK(fault_of(other, network) == "");
        operations_of(other, 0, 1).clear();
        CHECK(fault_of(other, network) != "");
    }
}

TEST_CASE("signals that are left over, and kernels that do not wait, are faults", "[formats][mscclpp]")
{
    const LinkNetwork network = link_network_of(make_topology("complete:2"));
    json plan = packet_plan();
    json& operations = operations_of(plan, 0, 0);
    operations.push_back({{"name", "signal"}, {"channel_ids", {0}}, {"channel_type", "memory"}});
    CHECK(fault_of(plan, network) == "GPU 1, channel 0: a signal that nobody waits for");
    operations.back() = {{"name", "put"},
                         {"src_buff", {{{"type", "i"}, {"index", 0}, {"size", 1}}}},
                         {"dst_buff", {{{"buffer_id", 0}, {"index", 0}, {"size", 1}}}},
                         {"channel_type", "memory"}};
    CHECK(fault_of(plan, network)
              .find("GPU 0, thread block 0, operation 3: it reaches into the memory of GPU 1, "
                    "whose kernel need not have begun") == 0);
}

} // namespace nocturne::mscclpp_reader_test
