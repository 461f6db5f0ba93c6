#include "schedules/scatter/subgroups.hpp"

#include "models/routing/random.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace nocturne {

namespace {

/// A group of all symmetries up to this order is listed, of a larger one random elements are looked at.
constexpr std::size_t most_listed = 1024;
constexpr std::size_t samples = 512;
/// Elements that are made semiregular, and products that this may take.
constexpr std::size_t semiregular_samples = 32;
constexpr unsigned most_products = 300;
/// Elements that groups grow from.
constexpr std::size_t most_atoms = 192;
/// How often one grows, and the atoms that do not fit before it ends.
constexpr unsigned subgroup_growths = 24;
constexpr unsigned subgroup_refusals = 24;
/// Groups that are returned with the same order.
constexpr std::size_t subgroups_alike = 3;
/// Numbers in the elements of one group.
constexpr std::size_t most_words = 8'000'000;

/// Random elements of a group: product replacement (Celler, Leedham-Green, Murray, Niemeyer and O'Brien,
/// Generating random elements of a finite group, Communications in Algebra 23, 1995), accumulated.
class RandomElements {
public:
    RandomElements(std::vector<Symmetry> generators, std::uint64_t seed)
        : slots_(std::move(generators)), random_(seed), product_(slots_.front())
    {
        const std::size_t given = slots_.size();
        while (slots_.size() < fewest_slots)
            slots_.push_back(slots_[slots_.size() % given]);
        for (std::size_t i = 0; i < rounds_before_use * slots_.size(); ++i)
            next();
    }

    const Symmetry& next()
    {
        const auto count = static_cast<std::uint32_t>(slots_.size());
        const std::uint32_t to = random_.below(count);
        const std::uint32_t from = (to + 1 + random_.below(count - 1)) % count;
        slots_[to] = compose(slots_[to], random_.below(2) == 0 ? slots_[from] : inverse(slots_[from]));
        product_ = compose(product_, slots_[to]);
        return product_;
    }

private:
    static constexpr std::size_t fewest_slots = 10;
    static constexpr std::size_t rounds_before_use = 10;

    std::vector<Symmetry> slots_;
    SplitMix64 random_;
    Symmetry product_;
};

/// The powers of prime order of an element; none if its own order is beyond all use.
std::vector<Symmetry> powers_of_prime_order(const Symmetry& element)
{
    constexpr std::size_t longest = 1024;
    std::vector<Symmetry> powers{element}; // powers[i] = element^(i + 1)
    while (!is_identity(powers.back())) {
        if (powers.size() == longest)
            return {};
        powers.push_back(compose(powers.back(), element));
    }
    std::vector<Symmetry> result;
    std::size_t rest = powers.size();
    for (std::size_t prime = 2; prime <= rest; ++prime) {
        if (rest % prime == 0)
            result.push_back(powers[powers.size() / prime - 1]);
        while (rest % prime == 0)
            rest /= prime;
    }
    return result;
}

/// Channels and processors that some power of the element keeps which does not keep all: none if it is
/// semiregular, all if it is the identity.
std::size_t count_irregular(const Symmetry& element)
{
    std::map<std::size_t, std::size_t> points; // by length of their cycle
    for (const std::vector<std::uint32_t>* images : {&element.channels, &element.processors}) {
        std::vector<bool> seen(images->size(), false);
        for (std::uint32_t first = 0; first < images->size(); ++first) {
            std::size_t length = 0;
            for (std::uint32_t at = first; !seen[at]; at = (*images)[at]) {
                seen[at] = true;
                ++length;
            }
            points[length] += length;
        }
    }
    const std::size_t all = element.channels.size() + element.processors.size();
    const std::size_t longest = points.rbegin()->first;
    return longest == 1 ? all : all - points.rbegin()->second;
}

class Finder {
public:
    Finder(const Problem& problem, const SearchControl& control, Reversal reversal)
        : problem_(problem), control_(control),
          all_(find_symmetries(problem.topology, problem.collective, reversal)), random_(control.seed),
          most_elements_(
              std::min(8 * problem.topology.processor_count(),
                       most_words / (problem.topology.processor_count() + problem.topology.channel_count())))
    {
    }

    std::vector<Subgroup> find();

private:
    void find_atoms();
    std::optional<Symmetry> make_semiregular(Symmetry element);
    void add_normal_closure(const Symmetry& atom);
    void grow(std::vector<Symmetry> generators);
    std::optional<Subgroup> closure(std::span<const Symmetry> generators) const;
    void add(Subgroup group);

    const Problem& problem_;
    const SearchControl& control_;
    SymmetryGroup all_;
    SplitMix64 random_;
    std::size_t most_elements_;
    std::vector<Symmetry> atoms_;
    std::vector<Subgroup> groups_; ///< largest first; a few of each order
};

std::vector<Subgroup> Finder::find()
{
    if (all_.generators.empty())
        return {};
    find_atoms();
    for (const Symmetry& atom : atoms_) {
        if (!control_.end.has_come())
            add_normal_closure(atom);
    }
    for (const Symmetry& atom : atoms_) {
        if (std::optional<Subgroup> cyclic = closure({&atom, 1}))
            add(std::move(*cyclic));
    }
    const std::vector<Subgroup> seeds = groups_;
    for (unsigned i = 0; i < subgroup_growths && !seeds.empty() && !control_.end.has_come(); ++i)
        grow(seeds[i % seeds.size()].generators);
    return std::move(groups_);
}

/// Nothing if the generators make a group that keeps a message, or too large a one.
std::optional<Subgroup> Finder::closure(std::span<const Symmetry> generators) const
{
    auto found = elements(problem_.topology, generators, most_elements_, [&](const Symmetry& symmetry) {
        return !kept_message(problem_.collective, symmetry);
    });
    if (!found)
        return std::nullopt;
    std::sort(found->begin() + 1, found->end());
    return Subgroup{{generators.begin(), generators.end()}, std::move(*found)};
}

void Finder::find_atoms()
{
    std::set<Symmetry> known;
    const auto add_atom = [&](const Symmetry& symmetry) {
        if (!is_identity(symmetry) && !kept_message(problem_.collective, symmetry) &&
            known.insert(symmetry).second)
            atoms_.push_back(symmetry);
    };
    if (all_.order <= static_cast<double>(most_listed)) {
        const auto all = elements(problem_.topology, all_.generators, most_listed);
        std::for_each(all->begin(), all->end(), add_atom);
        for (std::size_t left = atoms_.size(); left > 1; --left)
            std::swap(atoms_[left - 1], atoms_[random_.below(static_cast<std::uint32_t>(left))]);
    } else {
        RandomElements random(all_.generators, random_());
        for (std::size_t i = 0; i < semiregular_samples; ++i) {
            if (const std::optional<Symmetry> element = make_semiregular(random.next()))
                add_atom(*element);
        }
        for (std::size_t i = 0; i < samples && atoms_.size() < most_atoms; ++i) {
            const Symmetry& element = random.next();
            add_atom(element);
            for (const Symmetry& power : powers_of_prime_order(element))
                add_atom(power);
        }
    }
    atoms_.resize(std::min(atoms_.size(), most_atoms));
}

/// In large groups (of trees, say) few elements move all channels and processors in cycles of one length.
/// Products with generators come nearer to that one by one.
std::optional<Symmetry> Finder::make_semiregular(Symmetry element)
{
    std::size_t irregular = count_irregular(element);
    for (unsigned step = 0; step < most_products && irregular > 0; ++step) {
        const auto generator = random_.below(static_cast<std::uint32_t>(all_.generators.size()));
        Symmetry product = compose(element, all_.generators[generator]);
        const std::size_t count = count_irregular(product);
        if (count > irregular)
            continue;
        irregular = count;
        element = std::move(product);
    }
    return irregular == 0 ? std::optional(std::move(element)) : std::nullopt;
}

/// The smallest normal subgroup with the atom.
void Finder::add_normal_closure(const Symmetry& atom)
{
    std::vector<Symmetry> generators{atom};
    std::optional<Subgroup> group = closure(generators);
    for (std::size_t next = 0; group && next < generators.size(); ++next) {
        for (const Symmetry& by : all_.generators) {
            const Symmetry conjugate = compose(compose(inverse(by), generators[next]), by);
            if (std::binary_search(group->elements.begin() + 1, group->elements.end(), conjugate))
                continue;
            generators.push_back(conjugate);
            group = closure(generators);
            if (!group)
                return;
        }
    }
    if (group)
        add(std::move(*group));
}

/// Takes in one atom after the other as long as the group keeps no message.
void Finder::grow(std::vector<Symmetry> generators)
{
    std::size_t order = closure(generators)->order();
    for (unsigned refusals = 0; refusals < subgroup_refusals;) {
        generators.push_back(atoms_[random_.below(static_cast<std::uint32_t>(atoms_.size()))]);
        std::optional<Subgroup> larger = closure(generators);
        if (!larger || larger->order() == order) {
            generators.pop_back();
            ++refusals;
            continue;
        }
        order = larger->order();
        add(std::move(*larger));
    }
}

std::size_t count_keeping_channels(const Subgroup& group)
{
    return static_cast<std::size_t>(
        std::count_if(group.elements.begin(), group.elements.end(), keeps_a_channel));
}

/// Of groups of one order those are remembered in which fewest elements keep a channel, the first ones of
/// equal ones.
void Finder::add(Subgroup group)
{
    const auto larger = [](const Subgroup& a, const Subgroup& b) { return a.order() > b.order(); };
    const auto [first, last] = std::equal_range(groups_.begin(), groups_.end(), group, larger);
    const auto same = [&](const Subgroup& other) { return other.elements == group.elements; };
    if (std::any_of(first, last, same))
        return;
    const auto behind = std::find_if(first, last, [&](const Subgroup& other) {
        return count_keeping_channels(group) < count_keeping_channels(other);
    });
    const auto alike = static_cast<std::size_t>(last - first);
    if (alike < subgroups_alike || behind != last) {
        const auto at = groups_.insert(behind, std::move(group));
        if (alike == subgroups_alike)
            groups_.erase(at + (last - behind));
    }
}

} // namespace

bool keeps_a_channel(const Symmetry& symmetry)
{
    for (ChannelId id = 0; id < symmetry.channels.size(); ++id) {
        if (symmetry.channels[id] == id)
            return true;
    }
    return false;
}

std::vector<Subgroup> find_free_subgroups(const Problem& problem, const SearchControl& control,
                                          Reversal reversal)
{
    return Finder(problem, control, reversal).find();
}

} // namespace nocturne
