#include "sim/recovery/recovery_host.hpp"

#include "models/network/zero_load.hpp"
#include "sim/execution/compile_dma_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint32_t margin_cycles = 16;
// Words of the host's accesses.
constexpr std::uint64_t registers_of_a_program = 4; ///< status, program, arrivals, time_out
constexpr std::uint64_t registers_of_a_log = 3;     ///< status, received, sent
constexpr std::uint64_t words_of_a_record = 4;      ///< see ArrivalRecord

} // namespace

Timeouts timeouts_for(const Workload& workload, const Topology& topology, const HardwareConfig& hardware,
                      std::uint64_t message_bytes)
{
    const std::uint64_t flits = hardware.flits(message_bytes);
    std::uint64_t longest = 0;
    std::size_t steps = 0;
    std::vector<std::uint64_t> by_channel(topology.channel_count());
    std::vector<std::uint64_t> by_processor(topology.processor_count());
    for (ProcessorId id = 0; id < workload.engines.size(); ++id) {
        steps = std::max(steps, workload.engines[id].size());
        for (const EngineStep& step : workload.engines[id])
            for (const Sending& send : step.sends) {
                longest = std::max(longest, zero_load_cycles(topology, hardware, send.route, flits));
                by_processor[id] += flits;
                by_processor[send.destination] += flits;
                for (const Hop& hop : send.route)
                    by_channel[hop.channel] +=
                        flits * hardware.cycles_per_flit(topology.channel(hop.channel));
            }
    }
    const std::uint64_t start_up = hardware.start_up_cycles();
    if (workload.synchronization == Synchronization::barrier)
        return {start_up + 2 * longest + margin_cycles, longest + margin_cycles};
    const auto busiest = [](const std::vector<std::uint64_t>& flits_of) {
        return flits_of.empty() ? 0 : *std::max_element(flits_of.begin(), flits_of.end());
    };
    const std::uint64_t carried = 4 * (longest + busiest(by_channel) + busiest(by_processor)) + margin_cycles;
    return {steps * start_up + carried, carried};
}

RecoveryHost::RecoveryHost(const Topology& topology, const Collective& collective, const Workload& workload,
                           const SimulationOptions& simulation, const RecoveryOptions& options)
    : collective_(collective), simulation_(simulation),
      form_{.payload = PayloadForm::digest, .seed = simulation.seed},
      contents_(collective, {simulation.message_bytes}, form_),
      network_(make_network(simulation.model, topology, simulation.hardware, simulation.ports,
                            routing_of(workload))),
      memories_(contents_.memories_with(places_of(workload, collective, {simulation.message_bytes}))),
      engines_(*network_, simulation.hardware, memories_), processors_(topology.processor_count()),
      word_ns_(options.host_word_ns)
{
    contents_.load(memories_);
    const auto cycle = [&](double ns) { return whole_cycles(ns, simulation.hardware.cycle_ns); };
    network_->plan_faults(
        parse_faults(topology, options.faults),
        {cycle(options.fault_ns), options.until_ns > 0 ? cycle(options.until_ns) : DownTime::for_good});
}

void RecoveryHost::program(const Workload& workload, std::uint64_t message_bytes, const Timeouts& timeouts)
{
    if (timeouts.time_out > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument(
            fmt::format("recovery: a time-out of {} cycles, more than the {} that its register holds",
                        timeouts.time_out, std::numeric_limits<std::uint32_t>::max()));
    for (const PlaceUse& use : places_of(workload, collective_, {message_bytes}))
        memories_.add(use);
    programs_.push_back(
        std::make_unique<const Program>(program_of(workload, collective_, {message_bytes}, memories_)));
    routing_ = routing_of(workload);
    for (ProcessorId id = 0; id < workload.engines.size(); ++id)
        words_ += program_words(workload, id) + registers_of_a_program;
}

bool RecoveryHost::holds(const Demand& demand) const
{
    return contents_.holds(memories_, demand,
                           owed_content(collective_, demand, simulation_.message_bytes, form_));
}

RunReport RecoveryHost::run(const Timeouts& timeouts)
{
    if (now() > 0)
        pay();
    else
        words_ = 0; // what is there when time begins costs none
    engines_.begin(*programs_.back(), routing_, static_cast<std::uint32_t>(timeouts.time_out));
    words_ += processors_;
    RunReport report;
    report.started = now();
    while (!all_are_done() && !one_has_failed())
        if (!engines_.run_to_interrupt())
            throw std::runtime_error("recovery: no progress, and no time-out either");
    report.reported = now();
    report.is_done = all_are_done();
    if (!report.is_done)
        halt_all(timeouts.drain);
    for (ProcessorId id = 0; id < processors_; ++id) {
        EngineLog log = engines_.log(id);
        words_ += registers_of_a_log + words_of_a_record * log.arrivals.size();
        report.arrivals.push_back(std::move(log.arrivals));
        report.sent.push_back(log.sent);
    }
    pay();
    return report;
}

void RecoveryHost::halt_all(std::uint64_t drain_cycles)
{
    engines_.run_for(1); // others report in the same cycle
    engines_.halt();
    words_ += processors_;
    do
        engines_.run_for(drain_cycles);
    while (one_is_busy());
}

void RecoveryHost::wait_ns(double ns)
{
    engines_.run_for(whole_cycles(ns, simulation_.hardware.cycle_ns));
}

/// Reads status registers up to the first that gives the answer.
template <typename Asks>
bool RecoveryHost::asks_until(const Asks& is_found)
{
    for (ProcessorId id = 0; id < processors_; ++id) {
        ++words_;
        if (is_found(engines_.status(id)))
            return true;
    }
    return false;
}

bool RecoveryHost::all_are_done()
{
    return !asks_until([](const EngineStatus& status) { return !status.is_done; });
}

bool RecoveryHost::one_has_failed()
{
    return asks_until([](const EngineStatus& status) { return status.has_failed; });
}

bool RecoveryHost::one_is_busy()
{
    return asks_until([](const EngineStatus& status) { return status.is_busy; });
}

/// The words that have moved since the last time take their time now.
void RecoveryHost::pay()
{
    wait_ns(word_ns_ * static_cast<double>(words_));
    words_ = 0;
}

} // namespace nocturne
