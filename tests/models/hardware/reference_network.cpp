#include "tests/models/hardware/reference_network.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <stdexcept>

namespace nocturne::test {

namespace {

constexpr std::uint32_t nobody = ~0u;

struct RefFlit {
    std::uint32_t message;
    bool is_tail;
};

/// Something on its way over a link, and when it is there.
template <typename T>
struct Under {
    Cycle at;
    unsigned vc;
    T what;
};

struct RefLink {
    LinkConfig config;
    NetworkPlan::End from;
    NetworkPlan::End to;
    std::deque<Under<RefFlit>> flits;
    std::deque<Under<char>> credits;
};

struct RefInputVc {
    std::deque<RefFlit> buffer;
    bool has_packet = false; ///< that has an output
    std::uint32_t output_vc = nobody;
    Cycle eligible = 0;
    std::optional<Cycle> requests_at; ///< of the head that is first
};

struct RefRouter {
    RouterConfig config;
    std::vector<RefInputVc> inputs; ///< by port and virtual channel
    std::vector<std::uint32_t> owner;
    std::vector<unsigned> credits;
    std::vector<Cycle> free_at; ///< by output
    std::vector<unsigned> last_input_of_output;
    std::vector<unsigned> last_vc_of_input;
    std::vector<std::uint32_t> last_request; ///< by group
    std::vector<std::uint32_t> last_won;
};

struct RefInjection {
    std::vector<unsigned> credits;
    std::optional<std::uint32_t> message;
    std::uint32_t sent = 0;
    unsigned vc = 0;
};

struct RefInterface {
    std::deque<std::uint32_t> queue;
    std::vector<RefInjection> ports;
};

class ReferenceNetwork {
public:
    ReferenceNetwork(const Topology& topology, const HardwareConfig& config, PortModel ports,
                     const Routing& routing, const std::vector<SentMessage>& messages)
        : plan_(plan_network(topology, config, ports, routing)), config_(config), messages_(messages),
          hops_done_(messages.size()), arrivals_(messages.size())
    {
        const unsigned classes = routing.vc_classes;
        for (const NetworkPlan::PlannedLink& link : plan_.links)
            links_.push_back({link.config, link.from, link.to, {}, {}});
        for (const RouterConfig& router : plan_.routers) {
            RefRouter made{router, {}, {}, {}, {}, {}, {}, {}, {}};
            made.inputs.resize(router.buffer_flits.size() * router.vcs);
            made.owner.assign(router.outputs.size() * router.vcs, nobody);
            for (const RouterConfig::Output& output : router.outputs)
                made.credits.insert(made.credits.end(), router.vcs, output.credits);
            made.free_at.resize(router.outputs.size());
            made.last_input_of_output.resize(router.outputs.size());
            made.last_vc_of_input.resize(router.buffer_flits.size());
            for (const OutputGroup& group : router.groups) {
                made.last_request.push_back(static_cast<std::uint32_t>(made.inputs.size() - 1));
                made.last_won.push_back(group.first + group.count - 1);
            }
            routers_.push_back(made);
        }
        for (const NetworkInterfaceConfig& interface : plan_.interfaces) {
            RefInjection port;
            port.credits.assign(interface.vcs, interface.buffer_flits);
            port.vc = interface.vcs - 1;
            interfaces_.push_back({{}, std::vector<RefInjection>(interface.inject_ports, port)});
        }
        for (const SentMessage& message : messages) {
            std::vector<std::uint32_t> groups;
            for (const Hop& hop : message.route)
                groups.push_back(plan_.links[hop.channel].from.port * classes + hop.vc_class);
            groups.push_back(plan_.ejection_group[message.message.destination]);
            groups_.push_back(groups);
        }
    }

    std::vector<Cycle> run()
    {
        for (now_ = 0; arrived_ < messages_.size(); ++now_) {
            if (now_ > 10'000'000)
                throw std::runtime_error("the reference network does not come to an end");
            for (std::uint32_t id = 0; id < messages_.size(); ++id)
                if (messages_[id].message.at + config_.interface_cycles == now_)
                    interfaces_[messages_[id].message.source].queue.push_back(id);
            for (std::uint32_t id = 0; id < links_.size(); ++id)
                deliver(id);
            for (RouterId id = 0; id < routers_.size(); ++id)
                step(id);
            for (ProcessorId id = 0; id < interfaces_.size(); ++id)
                inject(id);
        }
        return arrivals_;
    }

private:
    void deliver(std::uint32_t id)
    {
        RefLink& link = links_[id];
        for (; !link.credits.empty() && link.credits.front().at == now_; link.credits.pop_front()) {
            const unsigned vc = link.credits.front().vc;
            if (plan_.is_injection(id))
                ++interfaces_[link.from.owner].ports[link.from.port].credits[vc];
            else
                ++routers_[link.from.owner].credits[link.from.port * config_.vcs + vc];
        }
        for (; !link.flits.empty() && link.flits.front().at == now_; link.flits.pop_front()) {
            const auto [at, vc, flit] = link.flits.front();
            if (plan_.is_ejection(id)) {
                return_credit(link, vc);
                if (flit.is_tail) {
                    arrivals_[flit.message] = now_;
                    ++arrived_;
                }
                continue;
            }
            RefRouter& router = routers_[link.to.owner];
            RefInputVc& input = router.inputs[link.to.port * config_.vcs + vc];
            input.buffer.push_back(flit);
            if (input.buffer.size() == 1)
                look_at_first(router, input, now_);
        }
    }

    /// The first flit of a virtual channel is new, from `start` on.
    void look_at_first(RefRouter& router, RefInputVc& input, Cycle start)
    {
        if (input.has_packet)
            input.eligible = std::max(start, router.free_at[input.output_vc / config_.vcs]);
        else
            input.requests_at =
                start + router.config.pipeline.route_computation + router.config.pipeline.vc_allocation - 1;
    }

    void return_credit(RefLink& link, unsigned vc)
    {
        link.credits.push_back({now_ + 1 + link.config.latency_cycles + link.config.credit_cycles, vc, 0});
    }

    void send(RefLink& link, RefFlit flit, unsigned vc)
    {
        link.flits.push_back({now_ + link.config.departure_cycles + link.config.latency_cycles +
                                  link.config.cycles_per_flit - 1,
                              vc, flit});
    }

    std::uint32_t group_of(const RefInputVc& input) const
    {
        const std::uint32_t message = input.buffer.front().message;
        return groups_[message][hops_done_[message]];
    }

    void step(RouterId id)
    {
        RefRouter& router = routers_[id];
        for (std::uint32_t group = 0; group < router.config.groups.size(); ++group)
            allocate_vcs(router, group);
        allocate_switch(id, router);
    }

    void allocate_vcs(RefRouter& router, std::uint32_t group)
    {
        const auto inputs = static_cast<std::uint32_t>(router.inputs.size());
        for (;;) {
            std::uint32_t first = nobody;
            for (std::uint32_t i = 1; i <= inputs && first == nobody; ++i) {
                const std::uint32_t input = (router.last_request[group] + i) % inputs;
                const RefInputVc& candidate = router.inputs[input];
                if (candidate.requests_at && *candidate.requests_at <= now_ && group_of(candidate) == group)
                    first = input;
            }
            const std::uint32_t output_vc = free_vc(router, group);
            if (first == nobody || output_vc == nobody)
                return;
            router.last_request[group] = first;
            router.last_won[group] = output_vc;
            router.owner[output_vc] = first;
            RefInputVc& winner = router.inputs[first];
            winner.requests_at.reset();
            winner.has_packet = true;
            winner.output_vc = output_vc;
            winner.eligible = now_ + router.config.pipeline.switch_allocation;
            ++hops_done_[winner.buffer.front().message];
        }
    }

    /// Those of one link in turn; of several links the next in turn of those with the most that are free.
    std::uint32_t free_vc(const RefRouter& router, std::uint32_t group) const
    {
        const OutputGroup& range = router.config.groups[group];
        const unsigned vcs = config_.vcs;
        const std::uint32_t last = router.last_won[group] - range.first;
        if (range.count <= vcs) {
            for (std::uint32_t i = 1; i <= range.count; ++i)
                if (router.owner[range.first + (last + i) % range.count] == nobody)
                    return range.first + (last + i) % range.count;
            return nobody;
        }
        std::uint32_t best = nobody;
        std::ptrdiff_t most = 0;
        for (std::uint32_t i = 1; i <= range.count / vcs; ++i) {
            const auto begin =
                router.owner.begin() + range.first + (last / vcs + i) % (range.count / vcs) * vcs;
            const auto free = std::count(begin, begin + vcs, nobody);
            if (free > most) {
                most = free;
                best =
                    static_cast<std::uint32_t>(std::find(begin, begin + vcs, nobody) - router.owner.begin());
            }
        }
        return best;
    }

    bool is_ready(const RefRouter& router, const RefInputVc& input) const
    {
        return input.has_packet && !input.buffer.empty() && input.eligible <= now_ &&
               router.credits[input.output_vc] > 0;
    }

    void allocate_switch(RouterId id, RefRouter& router)
    {
        const auto ports = static_cast<unsigned>(router.config.buffer_flits.size());
        const unsigned vcs = config_.vcs;
        std::vector<std::vector<unsigned>> contenders(router.free_at.size()); // inputs, in ascending order
        std::vector<unsigned> chosen(ports);
        for (unsigned port = 0; port < ports; ++port)
            for (unsigned i = 1; i <= vcs; ++i) {
                const unsigned vc = (router.last_vc_of_input[port] + i) % vcs;
                const RefInputVc& input = router.inputs[port * vcs + vc];
                if (!is_ready(router, input))
                    continue;
                chosen[port] = vc;
                if (router.free_at[input.output_vc / vcs] > now_)
                    router.last_vc_of_input[port] = vc;
                else
                    contenders[input.output_vc / vcs].push_back(port);
                break;
            }
        for (std::size_t output = 0; output < contenders.size(); ++output) {
            if (contenders[output].empty())
                continue;
            const auto& inputs = contenders[output];
            const auto after =
                std::upper_bound(inputs.begin(), inputs.end(), router.last_input_of_output[output]);
            const unsigned port = after == inputs.end() ? inputs.front() : *after;
            router.last_input_of_output[output] = port;
            router.last_vc_of_input[port] = chosen[port];
            traverse(id, router, port, chosen[port]);
        }
    }

    void traverse(RouterId id, RefRouter& router, unsigned port, unsigned vc)
    {
        RefInputVc& input = router.inputs[port * config_.vcs + vc];
        const RefFlit flit = input.buffer.front();
        input.buffer.pop_front();
        const unsigned output = input.output_vc / config_.vcs;
        RefLink& link = links_[plan_.out_of[id][output]];
        --router.credits[input.output_vc];
        router.free_at[output] = now_ + link.config.cycles_per_flit;
        send(link, flit, input.output_vc % config_.vcs);
        return_credit(links_[plan_.into[id][port]], vc);
        if (flit.is_tail) {
            router.owner[input.output_vc] = nobody;
            input.has_packet = false;
        }
        if (!input.buffer.empty())
            look_at_first(router, input, now_ + 1);
    }

    void inject(ProcessorId id)
    {
        RefInterface& interface = interfaces_[id];
        for (unsigned number = 0; number < interface.ports.size(); ++number) {
            RefInjection& port = interface.ports[number];
            if (!port.message && !interface.queue.empty()) {
                port.message = interface.queue.front();
                port.sent = 0;
                interface.queue.pop_front();
            }
            if (!port.message)
                continue;
            for (unsigned i = 1; port.sent == 0 && i <= config_.vcs; ++i)
                if (port.credits[(port.vc + i) % config_.vcs] > 0) {
                    port.vc = (port.vc + i) % config_.vcs;
                    break;
                }
            if (port.credits[port.vc] == 0)
                continue;
            --port.credits[port.vc];
            const std::uint32_t flits = messages_[*port.message].message.flits;
            const RefFlit flit{*port.message, port.sent + 1 == flits};
            ++port.sent;
            send(links_[plan_.injection_links[id] + number], flit, port.vc);
            if (flit.is_tail)
                port.message.reset();
        }
    }

    const NetworkPlan plan_;
    const HardwareConfig config_;
    const std::vector<SentMessage>& messages_;
    std::vector<std::vector<std::uint32_t>> groups_; ///< by message and router: output group
    std::vector<std::uint32_t> hops_done_;           ///< by message
    std::vector<Cycle> arrivals_;
    std::size_t arrived_ = 0;
    std::vector<RefLink> links_;
    std::vector<RefRouter> routers_;
    std::vector<RefInterface> interfaces_;
    Cycle now_ = 0;
};

} // namespace

std::vector<Cycle> reference_arrivals(const Topology& topology, const HardwareConfig& config, PortModel ports,
                                      const Routing& routing, const std::vector<SentMessage>& messages)
{
    return ReferenceNetwork(topology, config, ports, routing, messages).run();
}

} // namespace nocturne::test
