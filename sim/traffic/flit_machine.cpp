#include "models/hardware/kernel.hpp"
#include "sim/simulation/network_run.hpp"
#include "sim/traffic/traffic_machine.hpp"
#include "sim/traffic/traffic_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace nocturne {

namespace {

class FlitMachine final : public TrafficMachine {
public:
    FlitMachine(const TrafficSetup& setup, const Window& window, std::uint64_t end)
        : network_("network", setup.topology, setup.network.hardware, setup.network.ports, setup.routing),
          record_(network_.domain(), window, setup.topology.processor_count(),
                  keeps_order(setup.routing, setup.network))
    {
        require_time_for(network_, end);
        for (ProcessorId id = 0; id < setup.topology.processor_count(); ++id)
            sources_.push_back(std::make_unique<TrafficSource>(fmt::format("source_{}", id).c_str(), network_,
                                                               setup.routing, id, setup.traffic, record_));
    }

    void run_to(std::uint64_t end) override { run_.run_to(end); }
    bool is_deadlocked() const override { return run_.deadlock().has_value(); }
    void stop_sources() override
    {
        for (const auto& source : sources_)
            source->stop();
    }
    void drain() override { run_.drain(); }

    bool has_overflow() const override
    {
        return std::any_of(sources_.begin(), sources_.end(),
                           [](const auto& source) { return source->rejections() > 0; });
    }
    const PacketCounts& counts() const override { return record_.counts(); }
    std::uint64_t packets() const override { return record_.check().created(); }
    std::optional<Stall> checked_stall() const override { return run_.checked_stall(record_.check()); }

    std::uint64_t flit_hops() const override { return network_.flit_hops(); }
    std::uint64_t blocked_cycles() const override { return network_.blocked_cycles(); }
    std::uint64_t credit_wait_cycles() const override { return network_.credit_wait_cycles(); }
    std::uint32_t links() const override { return static_cast<std::uint32_t>(network_.links().size()); }
    std::string link_name(std::uint32_t link) const override { return network_.link_name(link); }
    std::uint64_t busy_cycles(std::uint32_t link) const override
    {
        const Link& wire = *network_.links()[link];
        return wire.flits() * wire.config().cycles_per_flit;
    }
    std::uint64_t flits(std::uint32_t link) const override { return network_.links()[link]->flits(); }
    std::uint64_t packets(std::uint32_t link) const override { return network_.links()[link]->packets(); }

private:
    Network network_;
    NetworkRun run_{network_};
    TrafficRecord record_;
    std::vector<std::unique_ptr<TrafficSource>> sources_;
};

} // namespace

std::unique_ptr<TrafficMachine> make_flit_machine(const TrafficSetup& setup, const Window& window,
                                                  std::uint64_t end)
{
    prepare_kernel();
    return std::make_unique<FlitMachine>(setup, window, end);
}

} // namespace nocturne
