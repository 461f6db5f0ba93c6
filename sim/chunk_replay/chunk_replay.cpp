#include "sim/chunk_replay/chunk_replay.hpp"

#include "models/network/zero_load.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/step_staging.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/chunk_replay/chunk_memory.hpp"
#include "sim/chunk_replay/chunk_sequencer.hpp"
#include "sim/simulation/stalls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

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
    std::uint64_t duration;
    std::uint64_t hold;
};

HardwareTime hardware_time(const Transfer& transfer, std::uint32_t weight, const Topology& topology,
                           const LinkNetwork& network, const ChunkReplayOptions& options)
{
    if (transfer.is_local())
        return {0, 0};
    const Route route = route_of(transfer, network);
    const std::uint64_t flits = options.hardware.flits(weight * options.bytes_per_weight);
    std::uint64_t slowest = 1;
    for (const auto& hop : route)
        slowest =
            std::max<std::uint64_t>(slowest, options.hardware.cycles_per_flit(topology.channel(hop.channel)));
    // A head takes its virtual channel when the tail before it has left the router.
    unsigned head_cycles = options.hardware.pipeline_of(topology).head_cycles();
    for (const auto& hop : route)
        head_cycles = std::max(
            head_cycles,
            options.hardware.pipeline_of(topology, topology.channel(hop.channel).target).head_cycles());
    const std::uint64_t turnaround = head_cycles + 1;
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

/// What a transfer does.
struct ChunkOrder {
    Route route;
    std::span<const std::uint32_t> from; ///< words in the source's memory
    std::span<std::uint32_t> to;         ///< and in the destination's
};

/// The DMA engines of all processors and their memories, in front of a network of any level. An engine sends
/// a chunk when it is told to, and writes or adds what has come when all of it is there, in no time: so that
/// of two additions one is over before the other begins.
class ChunkMachine final : public MessageClient {
public:
    ChunkMachine(const Schedule& schedule, const Topology& topology, const LinkNetwork& links,
                 const ChunkReplayOptions& options)
        : schedule_(schedule), transfers_(schedule), options_(options),
          maps_(chunk_memories(schedule, options)), under_way_(transfers_.size()),
          network_(
              make_network(options.model, topology, options.hardware, options.ports, {"schedule", {}, {}})),
          sequencer_(schedule, links, *network_, holds(topology, links), options.hardware.start_up_cycles(),
                     {[this](std::uint32_t id) { issue(id); }, [this](std::uint32_t id) { carry_out(id); }})
    {
        for (const ChunkMemoryMap& map : maps_)
            memories_.emplace_back(map.bytes() / word_bytes);
        const std::vector<std::uint32_t> weights = transfer_weights(schedule);
        for (std::size_t id = 0; id < transfers_.size(); ++id) {
            const Transfer& transfer = transfers_[id];
            const std::uint64_t bytes = weights[id] * options.bytes_per_weight;
            orders_.push_back({route_of(transfer, links), place(transfer.source, transfer.message, bytes),
                               place(transfer.destination, transfer.to, bytes)});
        }
        load_contributions();
        network_->attach(*this);
        sequencer_.begin();
    }

    MessageNetwork& network() { return *network_; }
    const ChunkSequencer& sequencer() const { return sequencer_; }

    bool is_right(const Demand& demand)
    {
        const std::vector<std::uint32_t> owed =
            reference_sum(schedule_.collective, demand, form_of(schedule_, demand.chunk, options_));
        return std::ranges::equal(owed, place(demand.receiver,
                                              output_place(schedule_, demand.receiver, demand.chunk),
                                              owed.size() * word_bytes));
    }

    void timer(std::uint32_t code) override { sequencer_.timer(code); }
    void message_arrived(const NetworkMessage& message, ProcessorId) override
    {
        const std::uint32_t id = message.tag; // the message does not outlive what is sent now
        write(id, std::exchange(under_way_[id], {}));
        sequencer_.arrived(id);
    }

private:
    static constexpr std::uint64_t word_bytes = sizeof(std::uint32_t);

    std::span<std::uint32_t> place(std::uint32_t processor, PlaceId id, std::uint64_t bytes)
    {
        return std::span(memories_[processor])
            .subspan(maps_[processor].address_of(id) / word_bytes, bytes / word_bytes);
    }

    void issue(std::uint32_t id)
    {
        const auto& [route, from, to] = orders_[id];
        under_way_[id].assign(from.begin(), from.end());
        const auto flits = static_cast<std::uint32_t>(options_.hardware.flits(from.size_bytes()));
        network_->send({transfers_[id].source, transfers_[id].destination, flits, id}, route);
    }

    /// Within a processor.
    void carry_out(std::uint32_t id) { write(id, {orders_[id].from.begin(), orders_[id].from.end()}); }

    void write(std::uint32_t id, const std::vector<std::uint32_t>& came)
    {
        const std::span<std::uint32_t> there = orders_[id].to;
        if (transfers_[id].operation == Operation::add)
            add_words(options_.element, there, came);
        else
            std::ranges::copy(came, there.begin());
    }

    std::vector<std::uint64_t> holds(const Topology& topology, const LinkNetwork& links) const
    {
        const std::vector<std::uint32_t> weights = transfer_weights(schedule_);
        std::vector<std::uint64_t> cycles;
        for (std::size_t id = 0; id < weights.size(); ++id)
            cycles.push_back(hardware_time(transfers_[id], weights[id], topology, links, options_).hold);
        return cycles;
    }

    /// A place without a contribution holds the complement of what it will be: never right by chance.
    void load_contributions()
    {
        const auto load = [&](std::uint32_t processor, PlaceId id, const std::vector<std::uint32_t>& words) {
            std::ranges::copy(words, place(processor, id, words.size() * word_bytes).begin());
        };
        for (const Demand& demand : schedule_.collective.demands) {
            std::vector<std::uint32_t> wrong =
                reference_sum(schedule_.collective, demand, form_of(schedule_, demand.chunk, options_));
            for (std::uint32_t& word : wrong)
                word = ~word;
            load(demand.receiver, output_place(schedule_, demand.receiver, demand.chunk), wrong);
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
    std::vector<std::vector<std::uint32_t>> memories_;  ///< by processor
    std::vector<ChunkOrder> orders_;                    ///< by transfer
    std::vector<std::vector<std::uint32_t>> under_way_; ///< by transfer: what it has read
    const std::unique_ptr<MessageNetwork> network_;
    ChunkSequencer sequencer_;
};

} // namespace

namespace {

TransferEnds expected_ends(const Schedule& schedule, const Topology& topology, const LinkNetwork& network,
                           const ChunkReplayOptions& options)
{
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    const TransferList transfers(schedule);
    const auto time_of_transfer = [&](std::uint32_t id) {
        const HardwareTime time = hardware_time(transfers[id], weights[id], topology, network, options);
        return TransferTime{static_cast<double>(time.duration), static_cast<double>(time.hold)};
    };
    return transfer_ends(schedule, network, time_of_transfer);
}

} // namespace

std::vector<double> expected_end_cycles(const Schedule& schedule, const Topology& topology,
                                        const LinkNetwork& network, const ChunkReplayOptions& options)
{
    return expected_ends(schedule, topology, network, options).ends;
}

unsigned flit_bytes_wanted(const LinkNetwork& network, unsigned least)
{
    constexpr std::uint64_t most_bytes = 4096, most_times = 16; // what hardware takes; rounded messages
    std::set<std::uint64_t> widths;
    for (const NetworkLink& link : network.links())
        widths.insert(link.bytes_per_cycle);
    const std::uint64_t first = std::max<std::uint64_t>(least, widths.empty() ? 0 : *widths.rbegin());
    std::uint64_t best = first;
    double least_loss = HUGE_VAL;
    for (std::uint64_t bytes = first; bytes <= std::max(first, std::min(most_times * first, most_bytes));
         ++bytes) {
        double loss = 1;
        for (const std::uint64_t width : widths) {
            const std::uint64_t cycles = (bytes + width - 1) / width;
            loss = std::max(loss, static_cast<double>(cycles * width) / static_cast<double>(bytes));
        }
        if (loss < least_loss) {
            least_loss = loss;
            best = bytes;
        }
    }
    return static_cast<unsigned>(best);
}

WantedHardware hardware_wanted(const Schedule& schedule, const Topology& topology, const LinkNetwork& network,
                               const ChunkReplayOptions& options)
{
    const std::vector<std::uint32_t> at_once =
        expected_ends(schedule, topology, network, options).most_at_once;
    const std::uint32_t most = at_once.empty() ? 0 : *std::ranges::max_element(at_once);
    WantedHardware wanted{std::min(std::max(most, 1U) + 1, most_vcs), all_port};
    unsigned most_links = 1, most_sent = 1; // of a processor
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const unsigned links = send_ports(topology, id, all_port);
        std::uint32_t sent = 0;
        for (const LinkId link : network.links_from(id))
            sent += at_once[link];
        most_links = std::max(most_links, links);
        most_sent = std::max(most_sent, sent);
        if (sent > links)
            wanted.ports.ports = 1;
    }
    if (!wanted.ports.is_all_port())
        wanted.ports.ports = std::min(std::max(most_links, most_sent), most_ports);
    return wanted;
}

ChunkReplayResult replay_chunks_in_this_process(const Schedule& schedule, const Topology& topology,
                                                const LinkNetwork& network, const ChunkReplayOptions& options)
{
    check_replay(schedule, network, options);
    const StagedSchedule staged = stage_steps(schedule);
    ChunkMachine machine(staged.schedule, topology, network, options);
    machine.network().drain();

    const double cycle_ns = options.hardware.cycle_ns;
    ChunkReplayResult result;
    result.staging_bytes = staging_bytes(schedule, staged.schedule, options);
    for (const std::uint32_t position : staged.position)
        result.end_ns.push_back(static_cast<double>(machine.sequencer().end_cycles()[position]) * cycle_ns);
    const auto last = [](const std::vector<double>& ends) {
        return ends.empty() ? 0 : *std::max_element(ends.begin(), ends.end());
    };
    result.time_ns = last(result.end_ns);
    result.expected_ns = last(expected_end_cycles(schedule, topology, network, options)) * cycle_ns;
    result.blocked_cycles = machine.network().blocked_cycles();
    result.flit_hops = machine.network().flit_hops();
    if (!machine.sequencer().is_over())
        result.stall =
            stall_of(machine.network())
                .value_or(Stall{
                    machine.network().now_ns(), "the network is empty, but transfers have not begun", {}});
    for (const Demand& demand : schedule.collective.demands) {
        ++result.results_owed;
        result.results_right += machine.is_right(demand) ? 1 : 0;
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
