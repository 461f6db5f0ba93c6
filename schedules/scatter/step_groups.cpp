#include "schedules/scatter/step_groups.hpp"

#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"
#include "schedules/scatter/subgroups.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

namespace nocturne {

namespace {

/// How often a quotient grows in a group, and the elements that do not fit before it ends.
constexpr unsigned growths = 6;
constexpr unsigned most_refusals = 24;
/// Messages, and paths of each, of which one must fold well into a quotient.
constexpr std::size_t messages_to_fold = 256;
constexpr std::size_t paths_to_fold = 16;
/// Candidates that are returned, and those of them with the same orders.
constexpr std::size_t most_candidates = 24;
constexpr std::size_t most_alike = 2;

/// Which elements a quotient takes first: those whose powers move processors far (images are seldom in each
/// other's way), or any.
enum class ElementOrder { far, any };

class Chooser {
public:
    Chooser(const Problem& problem, unsigned steps, const SearchControl& control)
        : problem_(problem), steps_(steps), control_(control), random_(control.seed)
    {
        measure();
    }

    std::vector<StepGroup> choose();

private:
    void measure();
    std::vector<TransferChoice> sample_transfers(const Subgroup& group);
    std::uint32_t displacement(const Symmetry& symmetry) const;
    void grow_quotients(const Subgroup& group, ElementOrder order, std::span<const TransferChoice> choices);
    void add_candidate(const Subgroup& group, const std::vector<Symmetry>& quotient);

    const Problem& problem_;
    unsigned steps_;
    const SearchControl& control_;
    SplitMix64 random_;
    std::uint64_t least_steps_ = 1;                     ///< that channels and ports need
    std::vector<std::vector<std::uint32_t>> distances_; ///< between processors
    std::vector<StepGroup> candidates_;
};

std::vector<StepGroup> Chooser::choose()
{
    for (const Subgroup& group : find_free_subgroups(problem_, control_)) {
        if (candidates_.size() >= most_candidates || control_.end.has_come())
            break;
        const std::vector<TransferChoice> choices = sample_transfers(group);
        add_candidate(group, {group.elements.front()});
        for (unsigned i = 0; i < growths; ++i)
            grow_quotients(group, i % 2 == 0 ? ElementOrder::far : ElementOrder::any, choices);
    }
    // Fewest items first, then most steps in use, then fewest options.
    const auto rank = [this](const StepGroup& group) {
        return std::tuple(-std::ssize(group.quotient) * std::ssize(group.shifts),
                          steps_ % group.shifts.size(), group.shifts.size());
    };
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [&](const StepGroup& a, const StepGroup& b) { return rank(a) < rank(b); });
    return std::move(candidates_);
}

/// Distances, and the steps that the channels and the ports need for all messages together.
void Chooser::measure()
{
    const Topology& topology = problem_.topology;
    for (const Processor& processor : topology.processors()) {
        const std::vector<std::uint32_t> from = distances_from(topology, processor.injection);
        std::vector<std::uint32_t>& row = distances_.emplace_back();
        for (const Processor& other : topology.processors())
            row.push_back(from[other.ejection]);
    }
    std::uint64_t hops = 0;
    std::vector<std::uint64_t> sends(topology.processor_count(), 0);
    std::vector<std::uint64_t> receipts(topology.processor_count(), 0);
    for (const Message& message : problem_.collective.messages()) {
        hops += distances_[message.origin][message.receivers.front()];
        ++sends[message.origin];
        ++receipts[message.receivers.front()];
    }
    const auto need = [&](std::uint64_t uses, std::uint64_t capacity) {
        least_steps_ = std::max(least_steps_, (uses + capacity - 1) / std::max<std::uint64_t>(capacity, 1));
    };
    need(hops, topology.channel_count());
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        need(sends[id], send_ports(topology, id, problem_.ports));
        need(receipts[id], receive_ports(topology, id, problem_.ports));
    }
}

/// A few paths for some messages of different orbits.
std::vector<TransferChoice> Chooser::sample_transfers(const Subgroup& group)
{
    std::vector<MessageId> messages = representatives(problem_.collective, group.elements);
    for (std::size_t left = messages.size(); left > 1; --left)
        std::swap(messages[left - 1], messages[random_.below(static_cast<std::uint32_t>(left))]);
    messages.resize(std::min(messages.size(), messages_to_fold));
    return choose_transfers(problem_, messages, {.slack = 0, .most_paths = paths_to_fold, .seed = random_()});
}

/// Hops to the nearest image of a processor under a power that is not the identity.
std::uint32_t Chooser::displacement(const Symmetry& symmetry) const
{
    std::uint32_t least = unreachable;
    for (Symmetry power = symmetry; !is_identity(power); power = compose(power, symmetry)) {
        for (ProcessorId id = 0; id < distances_.size(); ++id)
            least = std::min(least, distances_[id][power.processors[id]]);
        if (least == 0)
            break;
    }
    return least;
}

/// Quotients of ever more elements, each a candidate.
void Chooser::grow_quotients(const Subgroup& group, ElementOrder order,
                             std::span<const TransferChoice> choices)
{
    std::vector<std::tuple<std::uint32_t, std::uint64_t, const Symmetry*>> ranking;
    for (const Symmetry& element : group.elements) {
        if (!is_identity(element) && !keeps_a_channel(element))
            ranking.emplace_back(order == ElementOrder::far ? displacement(element) : 0, random_(), &element);
    }
    std::sort(ranking.rbegin(), ranking.rend());
    const Symmetry& none = group.elements.front();
    StepGroup folded{.quotient = {none}, .shifts = {none}};
    std::vector<Symmetry> generators;
    unsigned refusals = 0;
    for (const auto& [rank, ticket, element] : ranking) {
        if (refusals == most_refusals || control_.end.has_come())
            break;
        if (std::find(folded.quotient.begin(), folded.quotient.end(), *element) != folded.quotient.end())
            continue;
        generators.push_back(*element);
        auto larger = elements(problem_.topology, generators, group.order(),
                               [](const Symmetry& symmetry) { return !keeps_a_channel(symmetry); });
        std::vector<Symmetry> smaller = folded.quotient;
        if (larger)
            folded.quotient = std::move(*larger);
        if (larger && is_possible(make_orbit_packing(problem_, folded, choices))) {
            add_candidate(group, folded.quotient);
            continue;
        }
        folded.quotient = std::move(smaller);
        generators.pop_back();
        ++refusals;
    }
}

void Chooser::add_candidate(const Subgroup& group, const std::vector<Symmetry>& quotient)
{
    const std::size_t shifts = group.order() / quotient.size();
    if (shifts > steps_ || steps_ / shifts * shifts < least_steps_)
        return;
    std::size_t alike = 0;
    for (const StepGroup& other : candidates_)
        alike += other.order() == group.order() && other.shifts.size() == shifts;
    if (alike >= most_alike)
        return;
    StepGroup candidate{.quotient = quotient, .shifts = {}};
    std::set<Symmetry> reached;
    for (const Symmetry& element : group.elements) {
        if (reached.contains(element))
            continue;
        candidate.shifts.push_back(element);
        for (const Symmetry& kept : quotient)
            reached.insert(compose(kept, element));
    }
    candidates_.push_back(std::move(candidate));
}

} // namespace

std::vector<StepGroup> choose_step_groups(const Problem& problem, unsigned steps,
                                          const SearchControl& control)
{
    return Chooser(problem, steps, control).choose();
}

} // namespace nocturne
