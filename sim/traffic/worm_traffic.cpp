#include "models/routing/random.hpp"
#include "models/worm/worm_network.hpp"
#include "sim/simulation/simulate_worm.hpp"
#include "sim/traffic/traffic_machine.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace nocturne {

namespace {

/// The sources draw what those of the flit level draw (TrafficSource): the same packets at the same times.
class WormTraffic final : public TrafficMachine, private WormClient {
public:
    WormTraffic(const TrafficSetup& setup, const Window& window)
        : setup_(setup), network_(setup.topology, setup.network.hardware, setup.network.ports,
                                  setup.routing.vc_classes, *this),
          counts_(window, setup.topology.processor_count())
    {
        const Traffic& traffic = setup.traffic;
        for (ProcessorId id = 0; id < setup.topology.processor_count(); ++id) {
            SplitMix64 random(SplitMix64(traffic.seed ^ (std::uint64_t{id} << 32))());
            const std::uint64_t seed_of_arrivals = random();
            sources_.push_back({random, Arrivals(traffic.arrivals, traffic.load * traffic.pattern.share(id),
                                                 traffic.sizes.mean_flits(), seed_of_arrivals)});
            set_timer(id);
        }
    }

    void run_to(std::uint64_t end) override { network_.run_to(end); }
    bool is_deadlocked() const override { return false; } // the others go on; it is seen at the end
    void stop_sources() override { is_stopped_ = true; }
    void drain() override { network_.run_to_the_end(); }

    bool has_overflow() const override { return rejections_ > 0; }
    const PacketCounts& counts() const override { return counts_; }
    std::uint64_t packets() const override { return created_; }
    std::optional<Stall> checked_stall() const override
    {
        if (network_.in_flight() > 0)
            return explain_worm_stall(setup_.topology, network_, setup_.network.hardware.cycle_ns);
        if (created_ != arrived_ || created_sum_ != arrived_sum_)
            throw std::logic_error(
                fmt::format("delivery: {} packets were created, {} arrived", created_, arrived_));
        return std::nullopt;
    }

    std::uint64_t flit_hops() const override { return network_.flit_hops(); }
    std::uint64_t blocked_cycles() const override { return network_.blocked_cycles(); }
    std::uint64_t credit_wait_cycles() const override { return 0; } // there are none
    std::uint32_t links() const override { return network_.channels().links(); }
    std::string link_name(std::uint32_t link) const override
    {
        return WormChannels::link_name(setup_.topology, network_.channels(), link);
    }
    std::uint64_t busy_cycles(std::uint32_t link) const override
    {
        return network_.flits(link) * network_.channels().timing(link).cycles_per_flit;
    }
    std::uint64_t flits(std::uint32_t link) const override { return network_.flits(link); }
    std::uint64_t packets(std::uint32_t link) const override { return network_.messages(link); }

private:
    struct Source {
        SplitMix64 random; ///< destinations and sizes
        Arrivals arrivals;
    };

    /// The first cycle that a source can act in is 1.
    void set_timer(ProcessorId id)
    {
        Arrivals& arrivals = sources_[id].arrivals;
        if (arrivals.is_silent())
            return;
        if (const std::uint64_t next = arrivals.next(); next < Arrivals::never - 1)
            network_.set_timer(next + 1, id);
    }

    void timer(std::uint32_t id) override
    {
        if (is_stopped_)
            return;
        if (network_.queued(id) < setup_.traffic.queue_packets)
            send(id);
        else
            ++rejections_;
        set_timer(id);
    }

    void send(ProcessorId id)
    {
        Source& source = sources_[id];
        const ProcessorId destination = setup_.traffic.pattern.destination(id, source.random);
        const std::uint32_t flits = setup_.traffic.sizes.draw(source.random);
        const Route route = setup_.routing.route(id, destination);
        const auto tag = static_cast<std::uint32_t>(created_++);
        created_sum_ += digest(id, destination, tag);
        counts_.created(id, network_.now(), flits);
        network_.send({id, destination, flits, tag}, {route.data(), route.size()});
    }

    void message_sent(const WormMessage&) override {}
    void message_arrived(const WormMessage& message) override
    {
        ++arrived_;
        arrived_sum_ += digest(message.source, message.destination, message.tag);
        counts_.arrived({message.source, message.created, message.injected, network_.now(), message.flits});
    }

    /// A loss or a double delivery that leaves the counts right is seen by the sum of these.
    static std::uint64_t digest(ProcessorId source, ProcessorId destination, std::uint32_t tag)
    {
        return SplitMix64((std::uint64_t{source} << 32 | destination) * 0x9e3779b97f4a7c15 + tag)();
    }

    const TrafficSetup setup_;
    WormNetwork network_;
    PacketCounts counts_;
    std::vector<Source> sources_;
    std::uint64_t created_ = 0;
    std::uint64_t arrived_ = 0;
    std::uint64_t created_sum_ = 0;
    std::uint64_t arrived_sum_ = 0;
    std::uint64_t rejections_ = 0;
    bool is_stopped_ = false;
};

} // namespace

std::unique_ptr<TrafficMachine> make_worm_machine(const TrafficSetup& setup, const Window& window)
{
    if (setup.routing.adaptive())
        throw std::invalid_argument(
            fmt::format("model worm: routing {} is adaptive; that takes the model flit", setup.routing.name));
    return std::make_unique<WormTraffic>(setup, window);
}

} // namespace nocturne
