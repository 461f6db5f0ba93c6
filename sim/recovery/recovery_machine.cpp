#include "sim/recovery/recovery_machine.hpp"

#include <utility>

namespace nocturne {

RecoveryMachine::RecoveryMachine(const Topology& topology, const Collective& collective,
                                 const Workload& workload, const SimulationOptions& options,
                                 const Faults& faults, DownTime down)
    : collective_(collective), options_(options), form_{.payload = PayloadForm::digest, .seed = options.seed},
      contents_(collective, {options.message_bytes}, form_),
      network_(make_network(options.model, topology, options.hardware, options.ports, routing_of(workload))),
      memories_(contents_.memories_with(places_of(workload, collective, {options.message_bytes}))),
      engines_(*network_, options.hardware, memories_)
{
    contents_.load(memories_);
    network_->plan_faults(faults, down);
}

void RecoveryMachine::program(const Workload& workload, std::uint64_t message_bytes, std::uint32_t time_out)
{
    for (const PlaceUse& use : places_of(workload, collective_, {message_bytes}))
        memories_.add(use);
    programs_.push_back(
        std::make_unique<const Program>(program_of(workload, collective_, {message_bytes}, memories_)));
    routing_ = routing_of(workload);
    time_out_ = time_out;
}

void RecoveryMachine::start()
{
    engines_.begin(*programs_.back(), routing_, time_out_);
}

bool RecoveryMachine::holds(const Demand& demand) const
{
    return contents_.holds(memories_, demand,
                           owed_content(collective_, demand, options_.message_bytes, form_));
}

} // namespace nocturne
