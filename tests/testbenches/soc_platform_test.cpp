// Schedules, DMA engines and programs of testbenches/soc_platform; the times are in its table, which is a
// test by itself.
#include "models/hardware/kernel.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "testbenches/soc_platform/programs.hpp"
#include "testbenches/soc_platform/timeline.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

#include <limits>

namespace nocturne::soc_platform_test {

using namespace nocturne::soc_platform;
using Catch::Contains;

namespace {

PlatformConfig quick_config()
{
    PlatformConfig config;
    config.fabric = default_fabric();
    return config;
}

/// What is wrong with the result of a program whose exchanges are done by `exchange`.
std::string error_of(const std::string& name,
                     const std::function<void(Cpu&, const TileWorkload&, std::size_t)>& exchange)
{
    prepare_kernel();
    const PlatformConfig config = quick_config();
    const Topology topology = make_topology(config.topology);
    const TileWorkload workload =
        make_workload(name, topology, make_routing(topology, config.fabric.routing));
    Platform platform("platform", config, [&](Cpu& processor) {
        workload.program(processor, [&](std::size_t which) { exchange(processor, workload, which); });
    });
    workload.load(platform);
    load_programs(workload.exchanges, platform);
    run_kernel();
    return workload.find_error(platform);
}

/// Runs a program on tile 0 only.
void run_on_first(const std::function<void(Cpu&)>& program)
{
    prepare_kernel();
    Platform platform("platform", quick_config(), [&](Cpu& processor) {
        if (processor.tile() == 0)
            program(processor);
    });
    run_kernel();
}

std::uint64_t address_of(DmaRegister which)
{
    return register_offset + 8 * static_cast<std::uint64_t>(which);
}

} // namespace

TEST_CASE("transposition on tori of rings of 3 and 4 takes as few steps as one port allows", "[soc]")
{
    const std::string name = GENERATE(as<std::string>(), "torus:4x4", "torus:3x3", "torus:3x4", "torus:4x3");
    CAPTURE(name);
    const Topology topology = make_topology(name);
    const Schedule schedule = transposition(topology, make_routing(topology, "auto"));
    const Problem problem{topology, schedule.collective, one_port};
    CHECK(schedule.steps.size() == topology.processor_count() - 1);
    CHECK(schedule.steps.size() == lower_bound(problem).steps);
}

TEST_CASE("broadcasts stay in their rows or columns, and take two steps on lines of four", "[soc]")
{
    const Topology topology = make_topology("torus:4x4");
    const Routing routing = make_routing(topology, "auto");
    const Lines lines = GENERATE(Lines::rows, Lines::columns);
    const unsigned root = GENERATE(0u, 1u, 2u, 3u);
    const Schedule schedule = line_broadcasts(topology, routing, lines, root);
    CHECK(schedule.steps.size() == 2);
    CHECK(count_transfers(schedule) == 12);
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step) {
            if (lines == Lines::rows)
                CHECK(transfer.source / 4 == transfer.destination / 4);
            else
                CHECK(transfer.source % 4 == transfer.destination % 4);
        }
    for (const Message& message : schedule.collective.messages())
        CHECK((lines == Lines::rows ? message.origin % 4 : message.origin / 4) == root);
}

TEST_CASE("what the tiles cannot share or the network cannot schedule is refused in one line", "[soc]")
{
    const auto make = [](const std::string& workload, const std::string& network) {
        const Topology topology = make_topology(network);
        make_workload(workload, topology, make_routing(topology, "auto"));
    };
    CHECK_THROWS_WITH(make("fft:40", "torus:4x4"), Contains("fft:40: a multiple of 16"));
    CHECK_THROWS_WITH(make("fft:512", "torus:4x4"), Contains("fft:512: a multiple of 16"));
    CHECK_THROWS_WITH(make("matmul:42", "torus:4x4"), Contains("matmul:42: a square grid"));
    CHECK_THROWS_WITH(make("matmul:30", "torus:3x5"), Contains("matmul:30: a square grid"));
    CHECK_THROWS_WITH(make("sort:64", "torus:4x4"), "'sort:64': fft:N or matmul:N");
    CHECK_THROWS_WITH(make("fft:99999999999", "torus:4x4"), "'fft:99999999999': fft:N or matmul:N");
    CHECK_THROWS_WITH(make("fft", "torus:4x4"), "'fft': fft:N or matmul:N");
    CHECK_THROWS_WITH(make("fft:32", "mesh:4x4"),
                      Contains("transposition on mesh:4x4: channel-conflict: step 2"));
    CHECK_THROWS_WITH(make("fft:32", "ring:16"), Contains("ring:16: a grid of rows and columns"));
}

TEST_CASE("times that no cycle ends at, and times that are none, are refused", "[soc]")
{
    PlatformConfig config = quick_config();
    CHECK_NOTHROW(config.validate());
    config.times.copy_start_ns = GENERATE(-2.0, 201.0, 2e6, std::numeric_limits<double>::quiet_NaN());
    CHECK_THROWS_WITH(config.validate(), Contains("copy start of "));
    config.times.copy_start_ns = 0;
    config.background.gap_cycles = GENERATE(-1.0, 1e7, std::numeric_limits<double>::quiet_NaN());
    CHECK_THROWS_WITH(config.validate(), Contains("background gap of "));
}

TEST_CASE("a transform is right with its exchanges", "[soc]")
{
    CHECK(error_of("fft:16", [](Cpu& processor, const TileWorkload& workload, std::size_t which) {
              take_part(processor, workload.exchanges, which, Communication::schedule);
          }).empty());
}

TEST_CASE("a transform is wrong if one tile leaves out one message", "[soc]")
{
    CHECK_THAT(error_of("fft:16",
                        [](Cpu& processor, TileWorkload workload, std::size_t which) {
                            workload.exchanges[1].direct[5].pop_back();
                            take_part(processor, workload.exchanges, which, Communication::engines);
                        }),
               Contains("off by"));
}

TEST_CASE("a product is wrong without its broadcasts", "[soc]")
{
    CHECK_THAT(error_of("matmul:8", [](Cpu&, const TileWorkload&, std::size_t) {}), Contains("off by"));
}

TEST_CASE("an engine copies to another tile, and says so", "[soc]")
{
    std::uint64_t arrived = 0;
    std::uint64_t status = 99;
    run_on_first([&](Cpu& processor) {
        const std::uint64_t word = 0x0123456789abcdef;
        processor.store(64, &word, sizeof word);
        processor.run_engine(DmaCommand::copy, 64, 7 * tile_bytes + 128, sizeof word);
        processor.read(7 * tile_bytes + 128, &arrived, sizeof arrived);
        processor.read(address_of(DmaRegister::status), &status, sizeof status);
    });
    CHECK(arrived == 0x0123456789abcdef);
    CHECK(status == std::uint64_t(DmaStatus::idle));
}

TEST_CASE("a timeline has each transaction, and each channel for as long as a message holds it", "[soc]")
{
    prepare_kernel();
    PlatformConfig config = quick_config();
    config.fabric.records_transactions = true;
    Platform platform("platform", config, [](Cpu& processor) {
        processor.begin_phase("copy");
        if (processor.tile() == 0) // one hop along the row, one along the column
            processor.run_engine(DmaCommand::copy, 0, 5 * tile_bytes, 100);
        processor.end_phase();
    });
    const ChannelWatch watch(platform);
    run_kernel();
    // A header and 100 bytes on their way over two channels, a header back.
    REQUIRE(watch.spans().size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        const TimelineSpan& span = watch.spans()[i];
        CHECK(span.end_ns - span.begin_ns == Approx((i < 2 ? 27 : 2) * config.fabric.hardware.cycle_ns));
        CHECK(span.group == "links");
    }
    CHECK_THAT(watch.spans().front().lane, Contains("00->01"));
    const std::vector<TimelineSpan> spans = timeline_of(platform);
    REQUIRE(spans.size() == 16 + 1);
    CHECK(spans.back().lane == "initiator dma 0");
    CHECK(spans.back().name == "write 100 bytes, target memory 5");
    CHECK(spans.back().begin_ns < watch.spans().front().begin_ns);
    CHECK(spans.back().end_ns > watch.spans().back().end_ns);
    CHECK(spans.front().name == "copy");
    CHECK(spans.front().end_ns >= spans.back().end_ns);
}

TEST_CASE("an engine refuses a command while it is busy", "[soc]")
{
    CHECK_THROWS_WITH(run_on_first([](Cpu& processor) {
                          const std::uint64_t command = std::uint64_t(DmaCommand::copy);
                          processor.write(address_of(DmaRegister::go), &command, sizeof command);
                          processor.write(address_of(DmaRegister::go), &command, sizeof command);
                      }),
                      Contains("TLM_COMMAND_ERROR_RESPONSE"));
}

TEST_CASE("an engine refuses a command that it does not know", "[soc]")
{
    CHECK_THROWS_WITH(run_on_first([](Cpu& processor) {
                          const std::uint64_t command = 3;
                          processor.write(address_of(DmaRegister::go), &command, sizeof command);
                      }),
                      Contains("TLM_COMMAND_ERROR_RESPONSE"));
}

TEST_CASE("a processor sees nothing between the tiles' memories", "[soc]")
{
    CHECK_THROWS_WITH(run_on_first([](Cpu& processor) {
                          std::uint64_t word = 0;
                          processor.read(3 * tile_bytes + memory_bytes, &word, sizeof word);
                      }),
                      Contains("TLM_ADDRESS_ERROR_RESPONSE"));
}

} // namespace nocturne::soc_platform_test
