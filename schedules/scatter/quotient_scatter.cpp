#include "schedules/scatter/even_packing.hpp"
#include "schedules/scatter/even_paths.hpp"
#include "schedules/scatter/orbit_packing.hpp"
#include "schedules/scatter/path_resources.hpp"
#include "schedules/scatter/scatter_engines.hpp"
#include "schedules/scatter/subgroups.hpp"
#include "schedules/schedule/schedule.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

constexpr std::string_view quotient_engine = "quotient";
/// Placements for each message of the quotient.
constexpr std::uint64_t most_placements = 20'000;
/// Groups that are of use, of which the best is taken.
constexpr std::size_t most_groups = 6;
/// Rounds of evening that tell which group is best.
constexpr unsigned rounds_to_choose = 32;
/// Paths of each message, where memory allows as many hops in all.
constexpr std::size_t most_paths = 24, fewest_paths = 4;
constexpr std::size_t most_paths_in_all = 6'000'000;

/// What a schedule must be whose steps the symmetries leave as they are: a transfer and all its images are
/// in one step, so that one message of each orbit stands for all of them, and one channel or port for its
/// orbit.
struct Quotient {
    std::vector<Symmetry> elements;     ///< of the group, the identity first
    Problem problem;                    ///< with the first message of each orbit only
    std::vector<std::uint32_t> classes; ///< by channel: see EvenPathsOptions
    PathResources resources;            ///< of the problem's messages; one for each orbit of resources
    std::vector<MessageId> message_of;  ///< by message of the problem: the same in the whole one
};

/// By resource, the first one of its orbit; nothing if an orbit of scarce ones is smaller than the group.
std::optional<std::vector<ResourceId>> orbits_of(const Resources& resources,
                                                 std::span<const Symmetry> elements)
{
    std::vector<ResourceId> first(resources.count(), no_resource);
    for (ResourceId id = 0; id < first.size(); ++id) {
        if (first[id] != no_resource)
            continue;
        std::size_t returns = 0;
        for (const Symmetry& element : elements) {
            const ResourceId other = image(element, resources, id);
            first[other] = id;
            returns += other == id ? 1 : 0;
        }
        if (returns > 1 && (resources.is_channel(id) || resources.is_scarce(id)))
            return std::nullopt;
    }
    return first;
}

/// Nothing if the quotient is of no use: an element beside the identity keeps a message, or a channel or port
/// that may be scarce (no path could lead over it), or a message and its image meet at a port.
std::optional<Quotient> make_quotient(const Problem& problem, std::span<const Symmetry> elements)
{
    for (const Symmetry& element : elements)
        if (!is_identity(element) && kept_message(problem.collective, element))
            return std::nullopt;
    const auto first = orbits_of(Resources(problem), elements);
    if (!first)
        return std::nullopt;
    Quotient quotient{{elements.begin(), elements.end()}, problem, {}, {}, {}};
    quotient.message_of = representatives(problem.collective, elements);
    Collective& kept = quotient.problem.collective;
    kept.chunks.clear();
    kept.demands = {};
    for (const MessageId id : quotient.message_of) {
        const Chunk& chunk = problem.collective.chunks[id];
        for (const ProcessorId receiver : problem.collective.messages()[id].receivers)
            kept.demands.push_back({static_cast<ChunkId>(kept.chunks.size()), receiver, chunk.contributors});
        kept.chunks.push_back(chunk);
    }
    quotient.resources = path_resources(quotient.problem);
    PathResources& resources = quotient.resources;
    for (ResourceId& channel : resources.of_channel)
        channel = (*first)[channel];
    quotient.classes.assign(resources.of_channel.begin(), resources.of_channel.end());
    for (auto& [send, receive] : resources.ports) {
        send = (*first)[send];
        receive = (*first)[receive];
        if (send == receive && resources.capacity[send] > 0)
            return std::nullopt;
    }
    return quotient;
}

struct EvenQuotient {
    Quotient quotient;
    PathTable paths;
    std::uint32_t steps; ///< that the busiest channel or port takes
};

/// Nothing if some message has no path.
std::optional<EvenQuotient> even_out(Quotient quotient, unsigned rounds, const SearchControl& control)
{
    const std::size_t messages = quotient.message_of.size();
    EvenPathsOptions options{.rounds = rounds, .seed = control.seed, .classes = quotient.classes};
    options.is_over = [&] { return control.end.has_come(); };
    options.most_paths = std::clamp(most_paths_in_all / messages, fewest_paths, most_paths);
    PathTable paths = even_paths(quotient.problem, options);
    for (MessageId id = 0; id < messages; ++id)
        if (paths.first_path(id) == paths.first_path(id + 1))
            return std::nullopt;
    const std::uint32_t steps =
        fewest_steps(quotient.resources, load_of_first_paths(quotient.resources, paths));
    return EvenQuotient{std::move(quotient), std::move(paths), steps};
}

std::optional<EvenQuotient> best_quotient(const Problem& problem, const SearchControl& control)
{
    std::optional<EvenQuotient> best;
    std::size_t groups = 0;
    for (const Subgroup& group : find_free_subgroups(problem, control)) {
        if (groups == most_groups || control.end.has_come())
            break;
        auto quotient = make_quotient(problem, group.elements);
        if (!quotient)
            continue;
        auto even = even_out(std::move(*quotient), rounds_to_choose, control);
        if (!even)
            continue;
        ++groups;
        if (!best || even->steps < best->steps) // the largest groups come first
            best = std::move(even);
    }
    if (!best)
        return std::nullopt;
    const unsigned rounds = evening_rounds(best->quotient.message_of.size());
    if (rounds <= rounds_to_choose || control.end.has_come())
        return best;
    auto longer = even_out(best->quotient, rounds, control);
    return longer && longer->steps <= best->steps ? std::move(longer) : std::move(best);
}

/// The placements with all their images.
Schedule unfold(const Problem& problem, const EvenQuotient& found,
                const std::vector<PathPlacement>& placements)
{
    Schedule schedule = empty_schedule(problem, quotient_engine);
    for (MessageId id = 0; id < placements.size(); ++id) {
        const auto [step, index] = placements[id];
        const auto hops = found.paths.path(index);
        const Path path(hops.begin(), hops.end());
        const Message& message = found.quotient.problem.collective.messages()[id];
        for (const Symmetry& element : found.quotient.elements) {
            const auto [source, destination] =
                image(element, SourceAndDestination{message.origin, message.receivers.front()});
            put_in_step(schedule.steps, step,
                        {*find_message(problem.collective, source, destination), source, destination,
                         image(element, path)});
        }
    }
    return schedule;
}

} // namespace

SearchResult search_quotient_scatter(const Problem& problem, unsigned steps, const SearchControl& control)
{
    SearchResult result{.unscheduled = problem.collective.messages().size()};
    if (has_equal_messages(problem.collective)) // a symmetry says which message becomes which by its ends
        return result;
    const auto found = best_quotient(problem, control);
    if (!found || found->steps > steps)
        return result;
    SearchControl limits = control;
    if (limits.effort == 0)
        limits.effort = most_placements * found->quotient.message_of.size();
    const PathPackingResult packed = pack_even_paths(found->quotient.resources, found->paths, limits);
    result.tried = packed.tried;
    result.unscheduled = packed.unplaced * found->quotient.elements.size();
    if (packed.unplaced == 0 && packed.steps <= steps) {
        result.outcome = Outcome::found;
        result.schedule = unfold(problem, *found, packed.placements);
    }
    return result;
}

} // namespace nocturne
