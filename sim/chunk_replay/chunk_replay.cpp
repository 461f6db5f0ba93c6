#include "sim/chunk_replay/chunk_replay.hpp"

#include "models/hardware/kernel.hpp"
#include "models/network/zero_load.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/step_staging.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/chunk_replay/chunk_engine.hpp"
#include "sim/chunk_replay/chunk_memory.hpp"
#include "sim/chunk_replay/chunk_sequencer.hpp"
#include "sim/simulation/stalls.hpp"
#include "sim/simulation/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace nocturne {

namespace {

/// Links without a channel are a processor's own: the hardware has injection and ejection links there.
Route route_of(const Transfer& transfer, const LinkNetwork& network)
{
    Route route;
    for (const LinkId link : transfer.links())
        if (const auto channel = network.link(link).channel)
            route.push_back({*channel});
    return route;
}

/// Of one transfer in the hardware.
struct HardwareTime {
    Cycle duration;
    Cycle hold;
};

HardwareTime hardware_time(const Transfer& transfer, std::uint32_t weight, const Topology& topology,
                           const LinkNetwork& network, const ChunkReplayOptions& options)
{
    if (transfer.is_local())
        return {0, 0};
    const Route route = route_of(transfer, network);
    const std::uint64_t flits = options.hardware.flits(weight * options.bytes_per_weight);
    Cycle slowest = 1;
    for (const auto& hop : route)
        slowest = std::max<Cycle>(slowest, options.hardware.cycles_per_flit(topology.channel(hop.channel)));
    // A head takes its virtual channel when the tail before it has left the router.
    unsigned head_cycles = options.hardware.pipeline_of(topology).head_cycles();
    for (const auto& hop : route)
        head_cycles = std::max(
            head_cycles,
            options.hardware.pipeline_of(topology, topology.channel(hop.channel).target).head_cycles());
    const Cycle turnaround = head_cycles + 1;
    return {options.hardware.start_up_cycles() + zero_load_cycles(topology, options.hardware, route, flits),
            flits * slowest + turnaround};
}

void check_replay(const Schedule& schedule, const LinkNetwork& network, const ChunkReplayOptions& options)
{
    if (const auto violations = validate(schedule, network); !violations.empty())
        throw std::invalid_argument(
            fmt::format("{} is not valid: {}", schedule.name, violations.front().text));
    if (options.bytes_per_weight == 0 || options.bytes_per_weight % 4 != 0)
        throw std::invalid_argument(
            fmt::format("chunks of {} bytes are no whole words of 4", options.bytes_per_weight));
}

std::vector<ChunkOrder> orders_of(const Schedule& schedule, const LinkNetwork& network,
                                  const std::vector<ChunkMemoryMap>& memories,
                                  const ChunkReplayOptions& options)
{
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    const TransferList transfers(schedule);
    std::vector<ChunkOrder> orders;
    for (std::size_t id = 0; id < transfers.size(); ++id) {
        const Transfer& transfer = transfers[id];
        orders.push_back({transfer.destination, route_of(transfer, network),
                          memories[transfer.source].address_of(transfer.message),
                          memories[transfer.destination].address_of(transfer.to),
                          static_cast<std::uint32_t>(weights[id] * options.bytes_per_weight),
                          transfer.operation});
    }
    return orders;
}

/// What memories have more than the schedule says.
std::uint64_t staging_bytes(const Schedule& schedule, const Schedule& staged,
                            const ChunkReplayOptions& options)
{
    const std::vector<ChunkMemoryMap> asked = chunk_memories(schedule, options);
    const std::vector<ChunkMemoryMap> needed = chunk_memories(staged, options);
    std::uint64_t most = 0;
    for (std::size_t id = 0; id < asked.size(); ++id)
        most = std::max(most, needed[id].bytes() - asked[id].bytes());
    return most;
}

/// Network, memories, engines, and what starts them.
class ChunkSystem final : public sc_core::sc_module {
public:
    ChunkSystem(const sc_core::sc_module_name& name, const Schedule& schedule, const Topology& topology,
                const LinkNetwork& network, const ChunkReplayOptions& options)
        : sc_module(name), schedule_(schedule), transfers_(schedule), options_(options),
          maps_(chunk_memories(schedule, options)), orders_(orders_of(schedule, network, maps_, options)),
          network_("network", topology, options.hardware, all_port),
          sequencer_(schedule, network, network_.domain(), holds(topology, network),
                     options.hardware.start_up_cycles(),
                     {[this](std::uint32_t id) { engines_[transfers_[id].source]->issue(id); },
                      [this](std::uint32_t id) { engines_[transfers_[id].source]->carry_out(id); }})
    {
        for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
            memories_.push_back(
                std::make_unique<Memory>(fmt::format("memory_{}", id).c_str(), maps_[id].bytes()));
            engines_.push_back(std::make_unique<ChunkEngine>(
                fmt::format("dma_{}", id).c_str(), network_, id, orders_, options.element,
                [this](std::uint32_t transfer) { sequencer_.arrived(transfer); }));
            engines_[id]->memory.bind(memories_[id]->socket);
        }
        load_contributions();
        sequencer_.begin();
    }

    Network& network() { return network_; }
    const ChunkSequencer& sequencer() const { return sequencer_; }

    bool is_right(const Demand& demand) const
    {
        const std::vector<std::uint32_t> owed =
            reference_sum(schedule_.collective, demand, form_of(schedule_, demand.chunk, options_));
        const std::uint64_t address =
            maps_[demand.receiver].address_of(output_place(schedule_, demand.receiver, demand.chunk));
        const auto place = memories_[demand.receiver]->contents().subspan(address, owed.size() * 4);
        return std::memcmp(place.data(), owed.data(), place.size()) == 0;
    }

private:
    std::vector<Cycle> holds(const Topology& topology, const LinkNetwork& network) const
    {
        const std::vector<std::uint32_t> weights = transfer_weights(schedule_);
        std::vector<Cycle> cycles;
        for (std::size_t id = 0; id < weights.size(); ++id)
            cycles.push_back(hardware_time(transfers_[id], weights[id], topology, network, options_).hold);
        return cycles;
    }

    /// A place without a contribution holds the complement of what it will be: never right by chance.
    void load_contributions()
    {
        const auto load = [&](std::uint32_t processor, PlaceId place, std::vector<std::uint32_t> words) {
            memories_[processor]->load(
                maps_[processor].address_of(place),
                {reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 4});
        };
        for (const Demand& demand : schedule_.collective.demands) {
            std::vector<std::uint32_t> wrong =
                reference_sum(schedule_.collective, demand, form_of(schedule_, demand.chunk, options_));
            for (std::uint32_t& word : wrong)
                word = ~word;
            load(demand.receiver, output_place(schedule_, demand.receiver, demand.chunk), std::move(wrong));
        }
        const auto& chunks = schedule_.collective.chunks;
        for (ChunkId chunk = 0; chunk < chunks.size(); ++chunk)
            for (const std::uint32_t processor : chunks[chunk].contributors)
                load(processor, input_place(schedule_, processor, chunk),
                     contribution(schedule_.collective, chunk, processor,
                                  form_of(schedule_, chunk, options_)));
    }

    const Schedule& schedule_;
    const TransferList transfers_;
    const ChunkReplayOptions& options_;
    const std::vector<ChunkMemoryMap> maps_;
    const std::vector<ChunkOrder> orders_;
    Network network_;
    ChunkSequencer sequencer_;
    std::vector<std::unique_ptr<Memory>> memories_;
    std::vector<std::unique_ptr<ChunkEngine>> engines_;
};

} // namespace

std::vector<double> expected_end_cycles(const Schedule& schedule, const Topology& topology,
                                        const LinkNetwork& network, const ChunkReplayOptions& options)
{
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    const TransferList transfers(schedule);
    return end_times(schedule, network, [&](std::uint32_t id) {
        const HardwareTime time = hardware_time(transfers[id], weights[id], topology, network, options);
        return TransferTime{static_cast<double>(time.duration), static_cast<double>(time.hold)};
    });
}

ChunkReplayResult replay_chunks_in_this_process(const Schedule& schedule, const Topology& topology,
                                                const LinkNetwork& network, const ChunkReplayOptions& options)
{
    check_replay(schedule, network, options);
    prepare_kernel();
    const StagedSchedule staged = stage_steps(schedule);
    ChunkSystem system("system", staged.schedule, topology, network, options);
    system.network().drain();

    const double cycle_ns = options.hardware.cycle_ns;
    ChunkReplayResult result;
    result.staging_bytes = staging_bytes(schedule, staged.schedule, options);
    for (const std::uint32_t position : staged.position)
        result.end_ns.push_back(static_cast<double>(system.sequencer().end_cycles()[position]) * cycle_ns);
    const auto last = [](const std::vector<double>& ends) {
        return ends.empty() ? 0 : *std::max_element(ends.begin(), ends.end());
    };
    result.time_ns = last(result.end_ns);
    result.expected_ns = last(expected_end_cycles(schedule, topology, network, options)) * cycle_ns;
    result.blocked_cycles = system.network().blocked_cycles();
    result.flit_hops = system.network().flit_hops();
    if (!system.sequencer().is_over())
        result.stall = stall_of(system.network())
                           .value_or(Stall{in_ns(sc_core::sc_time_stamp()),
                                           "the network is empty, but transfers have not begun",
                                           {}});
    for (const Demand& demand : schedule.collective.demands) {
        ++result.results_owed;
        result.results_right += system.is_right(demand) ? 1 : 0;
    }
    return result;
}

ChunkReplayResult replay_chunks(const Schedule& schedule, const Topology& topology,
                                const LinkNetwork& network, const ChunkReplayOptions& options)
{
    const Job job = [&] {
        const ChunkReplayResult result = replay_chunks_in_this_process(schedule, topology, network, options);
        nlohmann::json json{
            {"time", result.time_ns},   {"expected", result.expected_ns}, {"blocked", result.blocked_cycles},
            {"hops", result.flit_hops}, {"owed", result.results_owed},    {"right", result.results_right},
            {"ends", result.end_ns},    {"staging", result.staging_bytes}};
        if (result.stall)
            json["stall"] = {{"time", result.stall->time_ns}, {"reason", result.stall->reason}};
        return json;
    };
    const nlohmann::json json = run_jobs(std::span(&job, 1), {.workers = 1}).front();
    ChunkReplayResult result;
    result.time_ns = json["time"];
    result.expected_ns = json["expected"];
    result.blocked_cycles = json["blocked"];
    result.flit_hops = json["hops"];
    result.results_owed = json["owed"];
    result.results_right = json["right"];
    result.end_ns = json["ends"].get<std::vector<double>>();
    result.staging_bytes = json["staging"];
    if (json.contains("stall"))
        result.stall = Stall{json["stall"]["time"], json["stall"]["reason"], {}};
    return result;
}

} // namespace nocturne
