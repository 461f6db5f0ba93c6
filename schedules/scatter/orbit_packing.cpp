#include "schedules/scatter/orbit_packing.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

namespace {

SourceAndDestination ends_of(const Message& message)
{
    return {message.origin, message.receivers.front()};
}

/// Resources by their orbits under the quotient: what the packing has.
struct ResourceOrbits {
    std::vector<packing::Resource> of;   ///< by resource
    std::vector<std::uint32_t> size;     ///< by orbit
    std::vector<std::uint32_t> capacity; ///< by orbit: of each resource in it
};

ResourceOrbits orbits_under(std::span<const Symmetry> quotient, const Resources& resources)
{
    constexpr packing::Resource none = ~0u;
    const std::vector<std::uint32_t>& capacity = resources.capacities();
    ResourceOrbits orbits{
        .of = std::vector<packing::Resource>(resources.count(), none), .size = {}, .capacity = {}};
    for (ResourceId id = 0; id < resources.count(); ++id) {
        if (orbits.of[id] != none)
            continue;
        const auto orbit = static_cast<packing::Resource>(orbits.size.size());
        orbits.size.push_back(0);
        orbits.capacity.push_back(capacity[id]);
        for (const Symmetry& symmetry : quotient) {
            const ResourceId to = image(symmetry, resources, id);
            orbits.size[orbit] += orbits.of[to] == none;
            orbits.of[to] = orbit;
        }
    }
    return orbits;
}

/// An element of the group that keeps some message.
struct Fixer {
    Symmetry symmetry;
    bool keeps_steps; ///< is it in the quotient?
};

class Builder {
public:
    Builder(const Problem& problem, const StepGroup& group);
    OrbitPacking build(std::span<const TransferChoice> choices);

private:
    bool add_option(const Transfer& transfer, std::uint32_t shift);
    std::size_t stabiliser_size(const Transfer& transfer, std::uint32_t shift) const;

    const StepGroup& group_;
    Resources resources_;
    ResourceOrbits orbits_;
    std::vector<Symmetry> inverse_shifts_;
    std::vector<Fixer> fixers_;
    OrbitPacking result_;
    std::vector<std::uint32_t> units_; ///< scratch of add_option(), by resource: all 0 between calls
};

Builder::Builder(const Problem& problem, const StepGroup& group)
    : group_(group), resources_(problem), orbits_(orbits_under(group.quotient, resources_)),
      result_{.packing = packing::Packing(orbits_.capacity), .options = {}},
      units_(orbits_.capacity.size(), 0)
{
    for (const Symmetry& shift : group.shifts) {
        inverse_shifts_.push_back(inverse(shift));
        for (const Symmetry& element : group.quotient) {
            Symmetry symmetry = compose(element, shift);
            if (!is_identity(symmetry) && kept_message(problem.collective, symmetry))
                fixers_.push_back({std::move(symmetry), &shift == &group.shifts.front()});
        }
    }
}

OrbitPacking Builder::build(std::span<const TransferChoice> choices)
{
    for (const TransferChoice& choice : choices) {
        result_.packing.add_item();
        bool possible = false;
        for (const Transfer& transfer : choice) {
            for (std::uint32_t shift = 0; shift < group_.shifts.size(); ++shift)
                possible = add_option(transfer, shift) || possible;
        }
        if (!possible)
            break;
    }
    return std::move(result_);
}

/// How many elements of the quotient keep the transfer as the base step holds it; 0 if some element of the
/// group keeps its message but not its step or its path.
std::size_t Builder::stabiliser_size(const Transfer& transfer, std::uint32_t shift) const
{
    std::size_t size = 1;
    if (fixers_.empty())
        return size;
    const SourceAndDestination ends =
        image(inverse_shifts_[shift], SourceAndDestination{transfer.source, transfer.destination});
    const Path path = image(inverse_shifts_[shift], *transfer.path);
    for (const Fixer& fixer : fixers_) {
        if (image(fixer.symmetry, ends) != ends)
            continue;
        if (!fixer.keeps_steps || image(fixer.symmetry, path) != path)
            return 0;
        ++size;
    }
    return size;
}

bool Builder::add_option(const Transfer& transfer, std::uint32_t shift)
{
    const std::size_t stabiliser = stabiliser_size(transfer, shift);
    if (stabiliser == 0)
        return false;
    const std::size_t images = group_.quotient.size() / stabiliser;
    std::vector<packing::Resource> resources;
    for (const ResourceId id : resources_.held_by(*transfer.path, transfer.source, transfer.destination)) {
        const packing::Resource resource = orbits_.of[image(inverse_shifts_[shift], resources_, id)];
        resources.push_back(resource);
        ++units_[resource];
    }
    // The images use every resource of an orbit equally often.
    std::sort(resources.begin(), resources.end());
    resources.erase(std::unique(resources.begin(), resources.end()), resources.end());
    bool fits = true;
    std::vector<packing::Resource> used;
    for (const packing::Resource resource : resources) {
        const std::size_t times = std::exchange(units_[resource], 0) * images / orbits_.size[resource];
        fits = fits && times <= orbits_.capacity[resource];
        if (fits)
            used.insert(used.end(), times, resource);
    }
    if (!fits)
        return false;
    result_.packing.add_option(used);
    result_.options.push_back({&transfer, shift});
    return true;
}

} // namespace

ResourceId image(const Symmetry& symmetry, const Resources& resources, ResourceId id)
{
    if (resources.is_channel(id))
        return symmetry.channels[id];
    const ProcessorId first = resources.send_port(0);
    const bool receives = id >= resources.receive_port(0);
    const ProcessorId to =
        symmetry.processors[(id - first) % static_cast<ProcessorId>(resources.processor_count())];
    return receives != symmetry.reverses ? resources.receive_port(to) : resources.send_port(to);
}

std::vector<MessageId> representatives(const Collective& collective, std::span<const Symmetry> elements)
{
    std::vector<MessageId> result;
    std::vector<bool> known(collective.messages().size(), false);
    for (MessageId id = 0; id < known.size(); ++id) {
        if (known[id])
            continue;
        result.push_back(id);
        for (const Symmetry& element : elements) {
            const auto [source, destination] = image(element, ends_of(collective.messages()[id]));
            known[*find_message(collective, source, destination)] = true;
        }
    }
    return result;
}

std::vector<TransferChoice> choose_transfers(const Problem& problem, std::span<const MessageId> messages,
                                             const PathChoice& paths)
{
    std::vector<TransferChoice> result;
    PathChoice choice = paths;
    for (const MessageId id : messages) {
        const auto [source, destination] = ends_of(problem.collective.messages()[id]);
        ++choice.seed;
        TransferChoice& transfers = result.emplace_back();
        for (Path& path : choose_paths(problem.topology, source, destination, choice))
            transfers.push_back({id, source, destination, std::move(path)});
    }
    return result;
}

OrbitPacking make_orbit_packing(const Problem& problem, const StepGroup& group,
                                std::span<const TransferChoice> choices)
{
    return Builder(problem, group).build(choices);
}

bool is_possible(const OrbitPacking& orbits)
{
    const packing::Packing& packing = orbits.packing;
    const auto last = static_cast<packing::Item>(packing.item_count() - 1);
    return packing.first_option(last) != packing.first_option(last + 1);
}

std::vector<Step> unfold(const Problem& problem, const StepGroup& group, const OrbitPacking& orbits,
                         std::span<const packing::Placement> placements, std::uint32_t base_steps)
{
    std::vector<Step> steps(base_steps * group.shifts.size());
    std::vector<bool> sent(problem.collective.messages().size(), false);
    for (const packing::Placement& placement : placements) {
        const OrbitPacking::Base& base = orbits.options[placement.option];
        const Symmetry to_base = inverse(group.shifts[base.shift]);
        const Transfer& transfer = *base.transfer;
        const SourceAndDestination ends =
            image(to_base, SourceAndDestination{transfer.source, transfer.destination});
        const Path path = image(to_base, *transfer.path);
        for (const Symmetry& element : group.quotient) {
            const SourceAndDestination within = image(element, ends);
            const Path path_within = image(element, path);
            for (std::size_t shift = 0; shift < group.shifts.size(); ++shift) {
                const auto [source, destination] = image(group.shifts[shift], within);
                const MessageId message = *find_message(problem.collective, source, destination);
                if (!sent[message])
                    steps[placement.step * group.shifts.size() + shift].push_back(
                        {message, source, destination, image(group.shifts[shift], path_within)});
                sent[message] = true;
            }
        }
    }
    return steps;
}

} // namespace nocturne
