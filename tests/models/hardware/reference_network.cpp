#include "tests/models/hardware/reference_network.hpp"

#include "tests/models/hardware/reference_parts.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace nocturne::test {

namespace {

class ReferenceNetwork {
public:
    ReferenceNetwork(const Topology& topology, const HardwareConfig& config, PortModel ports,
                     const Routing& routing, const std::vector<SentMessage>& messages)
        : plan_(plan_network(topology, config, ports, routing)), config_(config), vcs_(plan_.numbers.vcs()),
          messages_(messages), pieces_(reference_pieces(plan_, messages, routing.vc_classes)),
          arrivals_(messages.size()), buffers_(std::size_t{plan_.numbers.links()} * vcs_)
    {
        for (RouterId id = 0; id < topology.router_count(); ++id)
            units_ = std::lcm(units_, topology.part(id).clock.ticks);
        for (RouterId id = 0; id < topology.router_count(); ++id)
            periods_.push_back(units_ / topology.part(id).clock.ticks * topology.part(id).clock.base);
        for (std::uint32_t id = 0; id < plan_.links.size(); ++id) {
            const auto& [link, from, to] = plan_.links[id];
            links_.push_back({.config = link, .from = from, .to = to});
            links_.back().sender_period = plan_.numbers.is_injection(id) ? units_ : periods_[from.owner];
            links_.back().receiver_period = plan_.numbers.is_ejection(id) ? units_ : periods_[to.owner];
        }
        for (const RouterConfig& router : plan_.routers)
            routers_.push_back(reference_router(router));
        for (const NetworkInterfaceConfig& interface : plan_.interfaces)
            interfaces_.push_back(reference_interface(interface));
        for (std::uint32_t id = 0; id < messages.size(); id += messages[id].together) {
            std::vector<std::uint32_t> leaves(messages[id].together);
            std::iota(leaves.begin(), leaves.end(), id);
            sent_.push_back(piece_of(pieces_, leaves, 0));
        }
    }

    ReferenceRun run()
    {
        for (Cycle time = 0; arrived_ < messages_.size(); ++time) {
            if (time > 10'000'000)
                throw std::runtime_error("the reference network does not come to an end");
            if (begins(time, units_))
                for (const std::uint32_t id : sent_)
                    if (message_of(id).at + config_.interface_cycles == now_)
                        interfaces_[message_of(id).source].queue.push_back(id);
            for (std::uint32_t id = 0; id < links_.size(); ++id) {
                if (begins(time, links_[id].sender_period))
                    deliver_credits(id);
                if (begins(time, links_[id].receiver_period))
                    deliver(id);
            }
            for (RouterId id = 0; id < routers_.size(); ++id) {
                hand_in(routers_[id]);
                look_at_buffers(id);
                if (begins(time, periods_[id]))
                    step(id);
            }
            for (ProcessorId id = 0; id < interfaces_.size(); ++id)
                if (begins(time, units_))
                    inject(id);
        }
        return {arrivals_, buffers_};
    }

private:
    const Message& message_of(std::uint32_t piece) const { return messages_[pieces_[piece].message].message; }

    void look_at_buffers(RouterId id)
    {
        for (std::uint32_t input = 0; input < routers_[id].inputs.size(); ++input) {
            const std::uint64_t flits = routers_[id].inputs[input].buffer.size();
            ReferenceBuffer& buffer = buffers_[plan_.into[id][input / vcs_] * vcs_ + input % vcs_];
            buffer.sum += flits;
            buffer.most = std::max(buffer.most, flits);
        }
    }

    /// Does a cycle of that length begin now? From then on that is the present one.
    bool begins(Cycle time, Cycle period)
    {
        now_ = time / period;
        return time % period == 0;
    }

    void deliver_credits(std::uint32_t id)
    {
        RefLink& link = links_[id];
        for (; !link.credits.empty() && link.credits.front().at == now_; link.credits.pop_front()) {
            const unsigned vc = link.credits.front().vc;
            if (plan_.numbers.is_injection(id))
                ++interfaces_[link.from.owner].ports[link.from.port].credits[vc];
            else
                ++routers_[link.from.owner].credits[link.from.port * vcs_ + vc];
        }
    }

    void deliver(std::uint32_t id)
    {
        RefLink& link = links_[id];
        for (; !link.flits.empty() && link.flits.front().at == now_; link.flits.pop_front()) {
            const auto [at, vc, flit] = link.flits.front();
            if (plan_.numbers.is_ejection(id)) {
                return_credit(link, vc);
                if (flit.is_tail) {
                    arrivals_[pieces_[flit.piece].message] = now_;
                    ++arrived_;
                }
                continue;
            }
            RefRouter& router = routers_[link.to.owner];
            if (router.config.copies > 1)
                router.forks[link.to.port * vcs_ + vc].held.push_back(flit);
            else
                take(router, router.inputs[link.to.port * vcs_ + vc], flit);
        }
    }

    void take(RefRouter& router, RefInputVc& input, RefFlit flit)
    {
        input.buffer.push_back(flit);
        if (input.buffer.size() == 1)
            look_at_first(router, input, now_);
    }

    /// What waits at the ends of links comes to the inputs, a packet that parts to several; but a packet that
    /// parts, or is behind such a one, when nothing is before it.
    void hand_in(RefRouter& router)
    {
        const std::size_t ends = router.config.links_in() * vcs_;
        for (std::size_t at = 0; at < router.forks.size(); ++at) {
            RefFork& fork = router.forks[at];
            for (; !fork.held.empty(); fork.held.pop_front()) {
                const RefFlit flit = fork.held.front();
                const RefPiece& piece = pieces_[flit.piece];
                if (flit.is_head) {
                    const bool parts = !piece.branches.empty() && piece.done == piece.groups.size();
                    if ((parts || fork.branches.size() > 1) && fork.present() > 0)
                        break;
                    if (fork.present() == 0)
                        fork.handed = 0, fork.left.assign(router.config.copies, 0);
                    fork.branches = parts ? piece.branches : std::vector{flit.piece};
                }
                ++fork.handed;
                for (std::size_t copy = 0; copy < fork.branches.size(); ++copy)
                    take(router, router.inputs[copy * ends + at],
                         {fork.branches[copy], flit.is_head, flit.is_tail});
            }
        }
    }

    /// The first flit of a virtual channel is new, from `start` on.
    void look_at_first(RefRouter& router, RefInputVc& input, Cycle start)
    {
        if (input.has_packet)
            input.waits_since = input.eligible = std::max(start, router.free_at[input.output_vc / vcs_]);
        else
            input.requests_at =
                start + router.config.pipeline.route_computation + router.config.pipeline.vc_allocation - 1;
    }

    void return_credit(RefLink& link, unsigned vc)
    {
        link.credits.push_back({seen_at(now_ + 1 + link.config.latency_cycles, link.receiver_period,
                                        link.sender_period, config_.synchronizer_cycles) +
                                    link.config.credit_cycles,
                                vc, 0});
    }

    void send(RefLink& link, RefFlit flit, unsigned vc)
    {
        const Cycle there = now_ + link.config.departure_cycles + link.config.latency_cycles +
                            link.config.cycles_per_flit - 1;
        Cycle seen = seen_at(there, link.sender_period, link.receiver_period, config_.synchronizer_cycles);
        if (link.sender_period != link.receiver_period) {
            seen = std::max(seen, link.free_at); // one in a cycle
            link.free_at = seen + 1;
        }
        link.flits.push_back({seen, vc, flit});
    }

    std::uint32_t group_of(const RefInputVc& input) const
    {
        const RefPiece& piece = pieces_[input.buffer.front().piece];
        return piece.groups[piece.done];
    }

    void step(RouterId id)
    {
        RefRouter& router = routers_[id];
        const std::vector<RefRequest> bids = speculative_bids(router);
        for (std::uint32_t group = 0; group < router.config.groups.size(); ++group) {
            const bool has_several_links = router.config.groups[group].count > vcs_;
            if (has_several_links || router.config.allocation.vc_allocator == AllocatorKind::rotating)
                serve_in_turn(router, group);
            else
                allocate_vcs(router, group);
        }
        const std::vector<RefRequest> granted = router.crossbar.allocate(switch_requests(router));
        for (const RefRequest& each : granted)
            traverse(id, router, each.input / router.config.allocation.input_speedup, each.member);
        for (const RefRequest& each : router.speculative.allocate(bids, granted)) {
            const unsigned port = each.input / router.config.allocation.input_speedup;
            const RefInputVc& input = router.inputs[port * vcs_ + each.member];
            if (input.has_packet && input.output_vc / vcs_ == each.output &&
                has_credit(router, input.output_vc))
                traverse(id, router, port, each.member);
        }
    }

    bool requests(const RefInputVc& input, std::uint32_t group) const
    {
        return input.requests_at && *input.requests_at <= now_ && group_of(input) == group;
    }

    std::uint64_t rank_of(const RefRouter& router, const RefInputVc& input) const
    {
        const Message& message = message_of(input.buffer.front().piece);
        switch (router.config.allocation.arbiter) {
        case ArbiterKind::age:
            return message.at;
        case ArbiterKind::priority:
            return 1000u - message.priority;
        default:
            return 0;
        }
    }

    RefRequest switch_request(const RefRouter& router, std::uint32_t input, std::uint32_t output) const
    {
        const unsigned speedup = router.config.allocation.input_speedup;
        const unsigned vc = input % vcs_;
        return {input / vcs_ * speedup + vc % speedup, output, vc, rank_of(router, router.inputs[input])};
    }

    /// Before virtual channels are allocated: of heads that request one that is free and has a credit.
    std::vector<RefRequest> speculative_bids(const RefRouter& router) const
    {
        std::vector<RefRequest> bids;
        if (router.config.pipeline.speculation == Speculation::none)
            return bids;
        for (std::uint32_t group = 0; group < router.config.groups.size(); ++group) {
            const std::uint32_t expected = free_vc(router, group);
            if (expected == nobody || router.free_at[expected / vcs_] > now_)
                continue;
            const OutputGroup& range = router.config.groups[group];
            bool can_send = false;
            for (std::uint32_t vc = range.first; vc < range.first + range.count; ++vc)
                can_send = can_send || (vc / vcs_ == expected / vcs_ && router.owner[vc] == nobody &&
                                        has_credit(router, vc));
            for (std::uint32_t input = 0; can_send && input < router.inputs.size(); ++input)
                if (requests(router.inputs[input], group))
                    bids.push_back(switch_request(router, input, expected / vcs_));
        }
        return bids;
    }

    void allocate_vcs(RefRouter& router, std::uint32_t group)
    {
        const OutputGroup& range = router.config.groups[group];
        std::vector<RefRequest> wanted;
        for (std::uint32_t input = 0; input < router.inputs.size(); ++input)
            for (std::uint32_t vc = range.first; vc < range.first + range.count; ++vc)
                if (requests(router.inputs[input], group) && router.owner[vc] == nobody)
                    wanted.push_back({input, vc, vc, rank_of(router, router.inputs[input])});
        for (const RefRequest& granted : router.vcs.allocate(wanted))
            win_vc(router, granted.input, granted.output);
    }

    void win_vc(RefRouter& router, std::uint32_t input, std::uint32_t output_vc)
    {
        router.owner[output_vc] = input;
        RefInputVc& winner = router.inputs[input];
        winner.requests_at.reset();
        winner.has_packet = true;
        winner.output_vc = output_vc;
        winner.waits_since = now_ + router.config.pipeline.switch_allocation;
        winner.eligible =
            winner.waits_since + (router.config.pipeline.speculation == Speculation::none ? 0 : 1);
        ++pieces_[winner.buffer.front().piece].done;
    }

    void serve_in_turn(RefRouter& router, std::uint32_t group)
    {
        const auto inputs = static_cast<std::uint32_t>(router.inputs.size());
        for (;;) {
            std::uint32_t first = nobody;
            for (std::uint32_t i = 1; i <= inputs && first == nobody; ++i) {
                const std::uint32_t input = (router.last_request[group] + i) % inputs;
                if (requests(router.inputs[input], group))
                    first = input;
            }
            const std::uint32_t output_vc = free_vc(router, group);
            if (first == nobody || output_vc == nobody)
                return;
            router.last_request[group] = first;
            router.last_won[group] = output_vc;
            win_vc(router, first, output_vc);
        }
    }

    /// Those of one link in turn; of several links the next in turn of those with the most that are free.
    std::vector<RefRequest> switch_requests(const RefRouter& router) const
    {
        std::vector<RefRequest> wanted;
        for (std::uint32_t input = 0; input < router.inputs.size(); ++input) {
            const std::uint32_t output = router.inputs[input].output_vc / vcs_;
            if (is_ready(router, input, now_) && router.free_at[output] <= now_ &&
                !waits_behind_another(router, input, now_))
                wanted.push_back(switch_request(router, input, output));
        }
        return wanted;
    }

    void traverse(RouterId id, RefRouter& router, unsigned port, unsigned vc)
    {
        RefInputVc& input = router.inputs[port * vcs_ + vc];
        const RefFlit flit = input.buffer.front();
        input.buffer.pop_front();
        const unsigned output = input.output_vc / vcs_;
        RefLink& link = links_[plan_.out_of[id][output]];
        --router.credits[input.output_vc];
        router.free_at[output] = router.config.outputs[output].rate == FlitRate{}
                                     ? now_ + link.config.cycles_per_flit
                                     : router.paces[output].next(now_);
        send(link, flit, input.output_vc % vcs_);
        const std::size_t ends = router.config.links_in();
        if (router.config.copies == 1 || router.forks[port % ends * vcs_ + vc].sends(port / ends))
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
            if (!port.message || port.free_at > now_)
                continue;
            for (unsigned i = 1; port.sent == 0 && i <= interface.vcs; ++i)
                if (port.credits[(port.vc + i) % interface.vcs] > 0) {
                    port.vc = (port.vc + i) % interface.vcs;
                    break;
                }
            if (port.credits[port.vc] == 0)
                continue;
            port.free_at = port.pace.next(now_);
            --port.credits[port.vc];
            const RefFlit flit{*port.message, port.sent == 0,
                               port.sent + 1 == message_of(*port.message).flits};
            ++port.sent;
            send(links_[plan_.numbers.first_injection_link(id) + number], flit, port.vc);
            if (flit.is_tail)
                port.message.reset();
        }
    }

    const NetworkPlan plan_;
    const HardwareConfig config_;
    const unsigned vcs_; ///< the most that a link has
    const std::vector<SentMessage>& messages_;
    std::vector<RefPiece> pieces_;    ///< the first ones are the messages
    std::vector<std::uint32_t> sent_; ///< pieces that sources send
    std::vector<Cycle> arrivals_;
    std::vector<ReferenceBuffer> buffers_; ///< by link and virtual channel
    std::size_t arrived_ = 0;
    std::vector<RefLink> links_;
    std::vector<RefRouter> routers_;
    std::vector<RefInterface> interfaces_;
    unsigned units_ = 1;         ///< of time, in a cycle of the network's clock
    std::vector<Cycle> periods_; ///< units in a cycle of each router's clock
    Cycle now_ = 0;              ///< of the clock of what is looked at
};

} // namespace

ReferenceRun reference_run(const Topology& topology, const HardwareConfig& config, PortModel ports,
                           const Routing& routing, const std::vector<SentMessage>& messages)
{
    return ReferenceNetwork(topology, config, ports, routing, messages).run();
}

} // namespace nocturne::test
