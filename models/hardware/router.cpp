#include "models/hardware/router.hpp"

#include <algorithm>
#include <bit>

namespace nocturne {

namespace {

// RouterEvent codes: what falls due, and the virtual channel that it is for.
enum RouterEvent : std::uint32_t {
    flit_arrives = 0,
    credit_arrives = 1,
    requests_vc = 2,
    competes_for_switch = 3
};
constexpr unsigned router_event_shift = 30;
constexpr std::uint32_t router_code(RouterEvent event, std::uint32_t vc)
{
    return event << router_event_shift | vc;
}

/// The first set bit after `last` in circular order; `mask` is not 0.
std::uint32_t round_robin(std::uint32_t mask, std::uint32_t last)
{
    const std::uint32_t after = last >= 31 ? 0 : mask & (~0u << (last + 1));
    return static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : mask));
}

} // namespace

Router::Router(const sc_core::sc_module_name& name, ClockDomain& domain, PacketPool& packets,
               const RouterConfig& config)
    : sc_module(name), in("in", config.buffer_flits.size()), out("out", config.outputs.size()),
      domain_(domain), packets_(packets), pipeline_(config.pipeline), vcs_(config.vcs),
      handle_(domain.add(*this)), adaptive_(config.adaptive), inputs_(in.size() * vcs_),
      outputs_(out.size() * vcs_), input_ports_(in.size()), output_ports_(out.size()), free_(outputs_.size()),
      requests_(config.groups.size(), inputs_.size()), groups_to_serve_(config.groups.size()),
      ready_inputs_(in.size()), contenders_(out.size(), in.size()), contended_(out.size())
{
    for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
        InputVc& vc = inputs_[i];
        vc.port = i / vcs_;
        vc.vc = static_cast<std::uint8_t>(i % vcs_);
        const auto places = static_cast<std::uint32_t>(std::bit_ceil(config.buffer_flits[vc.port]));
        vc.buffer = static_cast<std::uint32_t>(buffers_.size());
        vc.mask = places - 1;
        buffers_.resize(buffers_.size() + places);
    }
    for (std::uint32_t i = 0; i < outputs_.size(); ++i) {
        outputs_[i].credits = config.outputs[i / vcs_].credits;
        free_.insert(i);
    }
    for (std::size_t port = 0; port < output_ports_.size(); ++port) {
        output_ports_[port].cycles_per_flit = config.outputs[port].cycles_per_flit;
        has_narrow_links_ = has_narrow_links_ || config.outputs[port].cycles_per_flit > 1;
    }
    for (const OutputGroup& range : config.groups)
        groups_.push_back(
            {range, static_cast<std::uint32_t>(inputs_.size() - 1), range.first + range.count - 1});
}

void Router::start_of_simulation()
{
    for (std::uint32_t port = 0; port < in.size(); ++port) {
        input_ports_[port].link = in[port].operator->();
        input_ports_[port].link->connect_receiver(*this, router_code(flit_arrives, port * vcs_));
    }
    for (std::uint32_t port = 0; port < out.size(); ++port) {
        output_ports_[port].link = out[port].operator->();
        if (adaptive_ && port < adaptive_->depth.size())
            output_ports_[port].link->connect_sender(credit_sink_, port * vcs_);
        else
            output_ports_[port].link->connect_sender(*this, router_code(credit_arrives, port * vcs_));
    }
}

void Router::on_event(std::uint32_t code, std::uint64_t data)
{
    const std::uint32_t vc = code & ((1u << router_event_shift) - 1);
    switch (code >> router_event_shift) {
    case flit_arrives:
        receive(vc, Flit(data));
        break;
    case credit_arrives:
        take_credit(vc);
        break;
    case requests_vc:
        if (inputs_[vc].phase != Phase::idle) // or else the router has failed in the meantime
            request_vc(vc);
        break;
    default:
        if (inputs_[vc].phase == Phase::idle)
            break;
        inputs_[vc].phase = Phase::active;
        make_ready(vc);
    }
}

bool Router::tick()
{
    groups_to_serve_.for_each([this](std::uint32_t group) { allocate_vcs(group); });
    groups_to_serve_.clear();
    allocate_switch();
    return !ready_inputs_.empty() || !groups_to_serve_.empty();
}

// Buffers and credits.

void Router::receive(std::uint32_t input_vc, Flit flit)
{
    InputVc& vc = inputs_[input_vc];
    const bool was_empty = vc.empty();
    buffers_[vc.buffer + (vc.tail++ & vc.mask)] = flit;
    if (!was_empty)
        return;
    if (vc.phase == Phase::idle) {
        route(input_vc, domain_.now());
        return;
    }
    vc.eligible = std::max(domain_.now(), output_ports_[vc.output].free_at);
    if (vc.eligible == domain_.now())
        make_ready(input_vc);
    else
        domain_.schedule(vc.eligible, *this, router_code(competes_for_switch, input_vc));
}

void Router::take_credit(std::uint32_t output_vc)
{
    OutputVc& output = outputs_[output_vc];
    if (output.credits++ != 0 || output.owner == BitSet::none)
        return;
    end_credit_wait(output.owner);
}

void Router::end_credit_wait(std::uint32_t input_vc)
{
    const InputVc& vc = inputs_[input_vc];
    const Cycle now = domain_.now();
    if (vc.phase != Phase::active || vc.empty() || vc.eligible > now)
        return;
    credit_wait_cycles_ += now - vc.eligible; // only this virtual channel's flits use credits up
    make_ready(input_vc);
}

// Route computation and virtual-channel allocation.

void Router::route(std::uint32_t input_vc, Cycle start)
{
    InputVc& vc = inputs_[input_vc];
    Packet& packet = packets_[front(vc).packet()];
    vc.group =
        packet.route_mode == RouteMode::source ? packet.outputs[packet.next_output++] : group_for(packet);
    vc.phase = Phase::waits_for_vc;
    vc.eligible = start + pipeline_.route_computation + pipeline_.vc_allocation - 1;
    if (vc.eligible == domain_.now())
        request_vc(input_vc);
    else
        domain_.schedule(vc.eligible, *this, router_code(requests_vc, input_vc));
}

void Router::request_vc(std::uint32_t input_vc)
{
    if (inputs_[input_vc].group == any_group) {
        request_any(input_vc);
    } else {
        requests_.insert(inputs_[input_vc].group, input_vc);
        groups_to_serve_.insert(inputs_[input_vc].group);
    }
    domain_.activate(handle_);
}

void Router::allocate_vcs(std::uint32_t index)
{
    if (adaptive_) {
        allocate_adaptively(index);
        return;
    }
    Group& group = groups_[index];
    for (;;) {
        const std::uint32_t input_vc = requests_.round_robin(index, group.last_request);
        if (input_vc == BitSet::none)
            return;
        const std::uint32_t output_vc = free_vc(group);
        if (output_vc == BitSet::none)
            return; // they sleep until a tail releases a virtual channel of the group
        requests_.erase(index, input_vc);
        group.last_request = input_vc;
        group.last_won = output_vc;
        win_vc(input_vc, output_vc);
    }
}

std::uint32_t Router::free_vc(const Group& group) const
{
    if (group.range.count > vcs_)
        return free_vc_of_emptiest_link(group);
    const std::uint32_t end = group.range.first + group.range.count;
    std::uint32_t found = free_.next(group.last_won + 1);
    if (found >= end)
        found = free_.next(group.range.first);
    return found < end ? found : BitSet::none;
}

/// Of several ejection links the next one in turn of those that the fewest packets use: virtual channels of
/// one link share its bandwidth, two links do not.
std::uint32_t Router::free_vc_of_emptiest_link(const Group& group) const
{
    const std::uint32_t links = group.range.count / vcs_;
    const std::uint32_t last = (group.last_won - group.range.first) / vcs_;
    std::uint32_t best = BitSet::none;
    unsigned most_free = 0;
    for (std::uint32_t i = 1; i <= links; ++i) {
        const std::uint32_t first = group.range.first + (last + i) % links * vcs_;
        unsigned free = 0;
        for (std::uint32_t vc = first; vc < first + vcs_; ++vc)
            free += free_.contains(vc) ? 1 : 0;
        if (free > most_free) {
            most_free = free;
            best = free_.next(first);
        }
    }
    return best;
}

void Router::win_vc(std::uint32_t input_vc, std::uint32_t output_vc)
{
    InputVc& vc = inputs_[input_vc];
    free_.erase(output_vc);
    outputs_[output_vc].owner = input_vc;
    blocked_cycles_ += domain_.now() - vc.eligible;
    vc.output_vc = output_vc;
    vc.output = output_vc / vcs_;
    vc.on_link = static_cast<std::uint8_t>(output_vc % vcs_);
    vc.eligible = domain_.now() + pipeline_.switch_allocation;
    if (pipeline_.switch_allocation == 0) {
        vc.phase = Phase::active;
        make_ready(input_vc);
    } else {
        vc.phase = Phase::won_vc;
        domain_.schedule(vc.eligible, *this, router_code(competes_for_switch, input_vc));
    }
}

// Switch allocation and traversal.

void Router::make_ready(std::uint32_t input_vc)
{
    const InputVc& vc = inputs_[input_vc];
    if (outputs_[vc.output_vc].credits == 0)
        return; // take_credit() comes back to it
    input_ports_[vc.port].ready |= 1u << vc.vc;
    ready_inputs_.insert(vc.port);
    domain_.activate(handle_);
}

void Router::allocate_switch()
{
    const std::uint32_t first = ready_inputs_.next(0);
    if (first == BitSet::none)
        return;
    if (ready_inputs_.next(first + 1) == BitSet::none) { // the usual case: nothing to arbitrate
        if (choose_vc(first) != BitSet::none)
            grant(first);
        return;
    }
    ready_inputs_.for_each([this](std::uint32_t port) {
        const std::uint32_t output = choose_vc(port);
        if (output != BitSet::none) {
            contenders_.insert(output, port);
            contended_.insert(output);
        }
    });
    contended_.for_each([this](std::uint32_t output) {
        const std::uint32_t port = contenders_.round_robin(output, output_ports_[output].last);
        contenders_.clear(output);
        grant(port);
    });
    contended_.clear();
}

/// The input's arbiter: returns the output that the chosen virtual channel competes for, or none if that is
/// busy.
std::uint32_t Router::choose_vc(std::uint32_t port)
{
    InputPort& input = input_ports_[port];
    input.chosen = vcs_ == 1 ? 0 : round_robin(input.ready, input.last);
    const std::uint32_t output = inputs_[port * vcs_ + input.chosen].output;
    if (has_narrow_links_ && output_ports_[output].free_at > domain_.now()) {
        input.last = input.chosen; // another virtual channel of this input may have an output that is free
        return BitSet::none;
    }
    return output;
}

void Router::grant(std::uint32_t port)
{
    InputPort& input = input_ports_[port];
    input.last = input.chosen;
    const std::uint32_t input_vc = port * vcs_ + input.chosen;
    output_ports_[inputs_[input_vc].output].last = port;
    traverse(input_vc);
}

void Router::traverse(std::uint32_t input_vc)
{
    InputVc& vc = inputs_[input_vc];
    InputPort& input = input_ports_[vc.port];
    OutputPort& output = output_ports_[vc.output];
    OutputVc& output_vc = outputs_[vc.output_vc];
    const Cycle now = domain_.now();

    const Flit flit = front(vc);
    ++vc.head;
    ++flits_;
    blocked_cycles_ += now - vc.eligible;
    --output_vc.credits;
    output.free_at = now + output.cycles_per_flit;
    output.link->send(flit, vc.on_link);
    input.link->return_credit(vc.vc);

    vc.eligible = output.free_at;
    if (!flit.is_tail() && !vc.empty() && output_vc.credits > 0 && output.cycles_per_flit == 1)
        return; // the next flit is ready as this one was
    input.ready &= ~(1u << vc.vc);
    if (input.ready == 0)
        ready_inputs_.erase(vc.port);
    if (flit.is_tail()) {
        output_vc.owner = BitSet::none;
        free_.insert(vc.output_vc);
        if (!requests_.empty(vc.group))
            groups_to_serve_.insert(vc.group);
        vc.phase = Phase::idle;
        if (!vc.empty())
            route(input_vc, now + 1);
    } else if (!vc.empty() && output.cycles_per_flit > 1) {
        domain_.schedule(vc.eligible, *this, router_code(competes_for_switch, input_vc));
    }
}

std::vector<Router::Wait> Router::waits() const
{
    std::vector<Wait> result;
    for (const InputVc& vc : inputs_) {
        if (vc.empty())
            continue;
        const auto waits_for = [&](const OutputGroup& wanted) {
            const Flit flit = front(vc);
            result.push_back({vc.port, vc.vc, flit.packet(), flit.sequence(),
                              packets_[flit.packet()].injected, wanted, vc.phase == Phase::active});
        };
        if (vc.phase == Phase::waits_for_vc)
            for_each_wanted(vc, [&](std::uint32_t group) { waits_for(groups_[group].range); });
        else if (vc.phase == Phase::active && outputs_[vc.output_vc].credits == 0)
            waits_for({vc.output_vc, 1});
    }
    return result;
}

std::optional<Router::InputChannel> Router::owner(std::uint32_t output_vc) const
{
    const std::uint32_t input_vc = outputs_[output_vc].owner;
    return input_vc == BitSet::none ? std::nullopt
                                    : std::optional(InputChannel{input_vc / vcs_, input_vc % vcs_});
}

} // namespace nocturne
