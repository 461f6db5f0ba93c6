// How a router decides where a packet goes. Apart from the rest of Router, which follows routes.
#include "models/hardware/router_wanted.hpp"

#include <algorithm>

namespace nocturne {

/// Of the two routes of a packet that enters the network: the longer one if its queues are less, see ugal().
void Router::choose_route(Packet& packet) const
{
    // Flits that have no credits back, in all virtual channels; of other routers as the cycle began.
    const auto queue_at = [](const Router& at, std::uint32_t port) {
        const bool has_ticked = at.shows_credits_ && at.selection_.shown_at == at.domain_.cycle();
        std::uint64_t flits = 0;
        for (std::uint32_t vc = port * at.vcs_; vc < (port + 1) * at.vcs_; ++vc)
            flits +=
                at.chooser_.depth[port] - (has_ticked ? at.selection_.shown[vc] : at.outputs_[vc].credits);
        return flits;
    };
    const auto cost = [&](const std::vector<std::uint32_t>& outputs) {
        const Router* at = this;
        const std::size_t hops = outputs.size() - 1; // the last one is for ejection
        std::uint64_t queue = 0;
        for (std::size_t hop = 0; hop < (chooser_.knows_all_queues ? hops : 1); ++hop) {
            const std::uint32_t port = at->groups_[outputs[hop]].range.first / vcs_;
            queue += queue_at(*at, port);
            if (chooser_.knows_all_queues)
                at = at->selection_.next[port].router;
        }
        return chooser_.knows_all_queues ? queue : queue * hops;
    };
    if (cost(packet.detour) + chooser_.threshold < cost(packet.outputs))
        packet.outputs.swap(packet.detour);
    packet.route_mode = RouteMode::source;
}

/// For a packet whose way is not set.
std::uint32_t Router::group_for(const Packet& packet) const
{
    if (packet.row == adaptive_->row)
        return packet.outputs.front();
    return packet.route_mode == RouteMode::escape ? adaptive_->escape[packet.row] : any_group;
}

void Router::request_any(std::uint32_t input_vc)
{
    for_each_wanted(inputs_[input_vc], [&](std::uint32_t group) {
        requests_.insert(group, input_vc);
        groups_to_serve_.insert(group);
    });
}

/// Serves those who want the group, among others perhaps, one after the other. Each takes what is best for
/// it; who finds nothing sleeps until a virtual channel of a group that it wants is released, or gets room.
void Router::allocate_adaptively(std::uint32_t index)
{
    requests_.for_each_after(index, groups_[index].last_request, [&](std::uint32_t input_vc) {
        InputVc& vc = inputs_[input_vc];
        const Candidate candidate = choose(vc);
        if (candidate.output_vc == BitSet::none)
            return;
        for_each_wanted(vc, [&](std::uint32_t group) { requests_.erase(group, input_vc); });
        groups_[index].last_request = input_vc;
        groups_[candidate.group].last_won = candidate.output_vc;
        if (vc.group == any_group) {
            Packet& packet = packets_[front(vc).packet()];
            if (!adaptive_->escape.empty() && candidate.group == adaptive_->escape[packet.row])
                packet.route_mode = RouteMode::escape;
            else
                selection_.last_chosen = candidate.output_vc / vcs_;
        }
        vc.group = candidate.group;
        win_vc(input_vc, candidate.output_vc);
    });
}

Router::Candidate Router::choose(const InputVc& vc)
{
    if (vc.group != any_group)
        return {vc.group, free_vc(groups_[vc.group])};
    const Candidate best = best_allowed(vc);
    if (best.output_vc != BitSet::none || adaptive_->escape.empty())
        return best;
    const std::uint32_t escape = adaptive_->escape[packets_[front(vc).packet()].row];
    return {escape, free_vc(groups_[escape])};
}

/// Of outputs of equal merit the next one in turn after the last that was chosen.
Router::Candidate Router::best_allowed(const InputVc& vc)
{
    const Packet& packet = packets_[front(vc).packet()];
    const std::uint32_t row = adaptive_->row_of(packet.row, vc.port);
    const bool is_fixed = adaptive_->selection == Selection::dyad && !is_congested();
    Candidate best;
    std::uint64_t most = 0;
    std::uint32_t candidates = 0;
    adaptive_->allowed.for_each_after(row, selection_.last_chosen, [&](std::uint32_t output) {
        if (is_fixed && output != adaptive_->first[row])
            return;
        const std::uint32_t group = output * adaptive_->classes;
        const OutputGroup& range = groups_[group].range;
        const std::uint32_t found = vc_with_room(range, packet.flits);
        if (found == BitSet::none)
            return;
        ++candidates;
        if (adaptive_->selection == Selection::random) {
            if (selection_.random.below(candidates) == 0) // so each has the same chance in the end
                best = {group, found};
            return;
        }
        const std::uint64_t merit = merit_of(packet, output, range);
        if (best.output_vc == BitSet::none || merit > most) {
            best = {group, found};
            most = merit;
        }
    });
    return best;
}

std::uint64_t Router::merit_of(const Packet& packet, std::uint32_t output, const OutputGroup& range) const
{
    if (adaptive_->selection == Selection::in_turn)
        return 0;
    const std::uint64_t credits = credits_of(range);
    if (adaptive_->selection != Selection::neighbours)
        return credits;
    const SelectionState::NextRouter& next = selection_.next[output];
    return std::uint64_t{next.router->credits_onwards(packet, next.input)} << 32 | credits;
}

/// Of all virtual channels that this router could give to the packet if it came by that input, as they stood
/// at the beginning of the cycle, whether this router has ticked or not; none at its destination.
std::uint32_t Router::credits_onwards(const Packet& packet, std::uint32_t input) const
{
    if (packet.row == adaptive_->row)
        return 0;
    const bool has_ticked = selection_.shown_at == domain_.cycle();
    std::uint32_t sum = 0;
    adaptive_->allowed.for_each(adaptive_->row_of(packet.row, input), [&](std::uint32_t output) {
        const OutputGroup& range = groups_[output * adaptive_->classes].range;
        for (std::uint32_t vc = range.first; vc < range.first + range.count; ++vc)
            sum += has_ticked ? selection_.shown[vc] : free_.contains(vc) ? outputs_[vc].credits : 0;
    });
    return sum;
}

/// If the port leads to a router, and routers look at the credits of others.
void Router::show_credits_to(std::uint32_t port, const Receiver& receiver)
{
    const bool is_selection = adaptive_ && adaptive_->selection == Selection::neighbours;
    const std::size_t ports = is_selection                ? adaptive_->depth.size()
                              : chooser_.knows_all_queues ? chooser_.depth.size()
                                                          : 0;
    if (port >= ports)
        return;
    shows_credits_ = true;
    selection_.next.resize(ports);
    selection_.shown.resize(ports * vcs_);
    selection_.next[port] = {dynamic_cast<const Router*>(receiver.component), receiver.first_code / vcs_};
}

/// For routers that tick later in this cycle.
void Router::keep_credits()
{
    for (std::uint32_t vc = 0; vc < selection_.shown.size(); ++vc)
        selection_.shown[vc] = chooser_.knows_all_queues || free_.contains(vc) ? outputs_[vc].credits : 0;
    selection_.shown_at = domain_.cycle();
}

bool Router::is_congested() const
{
    for (std::size_t vc = 0; vc < adaptive_->depth.size() * vcs_; ++vc) {
        const unsigned depth = adaptive_->depth[vc / vcs_];
        if (depth - outputs_[vc].credits > dyad_threshold * depth)
            return true;
    }
    return false;
}

/// A free virtual channel that may be given to a packet, of several the one with the most credits.
std::uint32_t Router::vc_with_room(const OutputGroup& group, std::uint32_t flits) const
{
    const std::uint32_t enough =
        adaptive_->escape.empty() ? 0 : std::min(flits, adaptive_->depth[group.first / vcs_]);
    std::uint32_t best = BitSet::none;
    for (std::uint32_t vc = group.first; vc < group.first + group.count; ++vc)
        if (free_.contains(vc) && outputs_[vc].credits >= enough &&
            (best == BitSet::none || outputs_[vc].credits > outputs_[best].credits))
            best = vc;
    return best;
}

std::uint32_t Router::credits_of(const OutputGroup& group) const
{
    std::uint32_t sum = 0;
    for (std::uint32_t vc = group.first; vc < group.first + group.count; ++vc)
        sum += outputs_[vc].credits;
    return sum;
}

/// A virtual channel of the adaptive class that no packet holds may now have room for a head that wants it.
void Router::take_adaptive_credit(std::uint32_t output_vc)
{
    take_credit(output_vc);
    const std::uint32_t group = output_vc / vcs_ * adaptive_->classes;
    if (outputs_[output_vc].owner != BitSet::none || requests_.empty(group))
        return;
    groups_to_serve_.insert(group);
    domain_.activate(handle_);
}

} // namespace nocturne
