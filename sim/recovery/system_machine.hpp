// The machine of a recovery at the flit level: the System, with room in its memories for what a host brings.
#pragma once

#include "models/topology/faults.hpp"
#include "sim/simulation/driven_machine.hpp"
#include "sim/simulation/simulate.hpp"
#include "sim/simulation/system.hpp"

#include <map>
#include <vector>

namespace nocturne {

class SystemMachine final : public DrivenMachine {
public:
    /// Builds the hardware for a workload that runs first, with a fault planned. Only one fits a process, see
    /// simulate(). All that it is given must outlive it. Throws as System does, and std::invalid_argument if
    /// the memories would be too large.
    SystemMachine(const Topology& topology, const Collective& collective, const Workload& workload,
                  const SimulationOptions& options, const Faults& faults, DownTime down);

    std::uint64_t now() const override;
    /// Throws std::runtime_error if there is no room.
    void program(const Workload& workload, std::uint64_t message_bytes, std::uint32_t time_out) override;
    void start() override;
    void halt() override;
    bool run_to_interrupt() override;
    void run_for(std::uint64_t cycles) override;
    EngineStatus status(ProcessorId id) override;
    EngineLog log(ProcessorId id) override;
    bool holds(const Demand& demand) override;
    std::uint64_t flits_lost() override { return system_.network().flits_lost(); }
    MessageNetwork& message_network() override { return system_.network(); }

private:
    /// Where messages lie. Numbers behind the collective's are probes.
    using Places = std::map<MessageId, std::uint32_t>;

    void make_places(const Workload& workload, std::uint64_t message_bytes);

    const SimulationOptions& options_;
    const Collective& collective_;
    const std::vector<CompiledEngine> compiled_;
    System system_;
    Host& host_;
    const sc_core::sc_time cycle_;
    const std::size_t processors_;
    const Workload* workload_ = nullptr;    ///< that has been programmed
    std::vector<Places> places_;            ///< by processor
    std::vector<std::uint32_t> records_;    ///< by processor: address of the arrival records
    std::vector<std::uint32_t> free_;       ///< the part in between is free: programs below,
    std::vector<std::uint32_t> ceiling_;    ///< messages above
    std::vector<std::size_t> most_records_; ///< by processor: there is room for so many
};

} // namespace nocturne
