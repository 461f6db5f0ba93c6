#include "schedules/chunk_search/line_trees.hpp"
#include "schedules/chunk_search/processor_grid.hpp"
#include "schedules/chunk_search/timed_schedules.hpp"
#include "schedules/collective/bandwidth.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nocturne {
namespace {

constexpr double most_transfers = 1 << 16;
/// Of few chunks, as small messages have: each of a thousand processors sends to all of its rail at once.
constexpr double most_transfers_of_few = 1 << 18;
constexpr std::size_t few_chunks = 16;

/// Which dimensions a schedule takes, and how.
struct Plan {
    ProcessorGrid grid;
    std::size_t split;      ///< of the first dimensions so many
    bool is_turned = false; ///< does chunk c begin with dimension c?
};

class StagedAllReduce {
public:
    StagedAllReduce(const TimedProblem& problem, const Collective& collective, const Plan& plan)
        : problem_(problem), grid_(plan.grid), plan_(plan),
          members_(static_cast<std::uint32_t>(grid_.members.size())),
          chunks_(static_cast<ChunkId>(collective.chunks.size())),
          longest_(*std::ranges::max_element(grid_.sizes)), load_(problem.network.link_count(), 0),
          last_(members_ * chunks_), schedule_(empty_schedule("by time", problem.network.name(), collective,
                                                              ScheduleSynchronization::dependencies))
    {
        for (std::size_t dimension = 0; dimension < grid_.sizes.size(); ++dimension) {
            trees_.push_back(quickest_trees(grid_, dimension, problem));
            deepest_ = std::max(deepest_, deepest(trees_.back()));
        }
    }

    Schedule build()
    {
        // One share of each member after the other: a share goes on while the next one is added up.
        const std::uint32_t shares = grid_.stride(plan_.split);
        for (first_ = 0; first_ < chunks_; first_ = end_) {
            end_ = std::min(first_ + shares, chunks_);
            for (std::size_t dimension = 0; dimension < plan_.split; ++dimension)
                scatter_sums(dimension);
            for (std::size_t stage = plan_.split; stage < grid_.sizes.size(); ++stage)
                exchange(stage);
            for (std::size_t dimension = plan_.split; dimension-- > 0;)
                gather(dimension);
        }
        return std::move(schedule_);
    }

private:
    /// Whose share in the split dimension the chunk is in.
    std::uint32_t share_of(ChunkId chunk, std::size_t dimension) const
    {
        return chunk / grid_.stride(dimension) % grid_.sizes[dimension];
    }

    /// Is the chunk in the member's shares in all of the first dimensions?
    bool holds(std::uint32_t member, ChunkId chunk, std::size_t dimensions) const
    {
        for (std::size_t dimension = 0; dimension < dimensions; ++dimension)
            if (grid_.coordinate(member, dimension) != share_of(chunk, dimension))
                return false;
        return true;
    }

    /// The last transfers that the member's sum of the chunk waits for.
    std::vector<std::uint32_t>& last(std::uint32_t member, ChunkId chunk)
    {
        return last_[member * chunks_ + chunk];
    }

    std::uint32_t send(ReadAndWrite places, std::uint32_t from, std::uint32_t to, Operation operation,
                       const std::vector<std::uint32_t>& after, ChunkId chunk)
    {
        const NodeId source = grid_.members[from], destination = grid_.members[to];
        // Of parallel hops the one whose fullest link is least full.
        const auto hops = hops_between(problem_, source, destination);
        const auto fullest = [&](std::uint32_t hop) {
            double most = 0;
            for (const LinkId link : problem_.hops[hop].path)
                most = std::max(most, load_[link]);
            return most;
        };
        const Path& path = problem_.hops[*std::ranges::min_element(hops, {}, fullest)].path;
        for (const LinkId link : path)
            load_[link] += static_cast<double>(schedule_.collective.chunks[chunk].weight) /
                           static_cast<double>(problem_.network.link(link).bytes_per_cycle);
        return append_transfer(schedule_, {places, source, destination, path, operation}, after);
    }

    /// Each share is added up on its way along the line, from the farthest on.
    void scatter_sums(std::size_t dimension)
    {
        const std::uint32_t size = grid_.sizes[dimension];
        for (std::uint32_t depth = deepest(trees_[dimension]); depth > 0; --depth)
            for (std::uint32_t distance = 1; distance < size; ++distance)
                for (ChunkId c = first_; c < end_; ++c)
                    for (std::uint32_t member = 0; member < members_; ++member) {
                        const std::uint32_t share = share_of(c, dimension);
                        const std::uint32_t own = grid_.coordinate(member, dimension);
                        const LineTree& tree = trees_[dimension][share];
                        if (tree.depth[own] != depth || (own + distance) % size != share ||
                            !holds(member, c, dimension))
                            continue;
                        const std::uint32_t next = grid_.moved(member, dimension, tree.before[own]);
                        last(next, c).push_back(
                            send({c, c}, member, next, Operation::add, last(member, c), c));
                    }
    }

    void gather(std::size_t dimension)
    {
        const std::uint32_t size = grid_.sizes[dimension];
        for (std::uint32_t depth = 1; depth <= deepest(trees_[dimension]); ++depth)
            for (std::uint32_t distance = 1; distance < size; ++distance)
                for (ChunkId c = first_; c < end_; ++c)
                    for (std::uint32_t owner = 0; owner < members_; ++owner) {
                        const std::uint32_t own = grid_.coordinate(owner, dimension);
                        const std::uint32_t there = (own + distance) % size;
                        const LineTree& tree = trees_[dimension][own];
                        if (tree.depth[there] != depth || !holds(owner, c, dimension + 1))
                            continue;
                        const std::uint32_t from = grid_.moved(owner, dimension, tree.before[there]),
                                            to = grid_.moved(owner, dimension, there);
                        last(to, c) = {send({c, c}, from, to, Operation::copy, last(from, c), c)};
                    }
    }

    std::size_t dimension_of(std::size_t stage, ChunkId chunk) const
    {
        return plan_.is_turned ? (stage + chunk) % grid_.sizes.size() : stage;
    }

    /// Where a member keeps what comes in a stage from the one of its line with that coordinate.
    PlaceId scratch(std::size_t stage, ChunkId chunk, std::uint32_t coordinate) const
    {
        return static_cast<PlaceId>(chunks_ * (1 + stage * longest_ + coordinate) + chunk);
    }

    std::size_t index_of(std::uint32_t member, ChunkId chunk) const
    {
        return member * (end_ - first_) + chunk - first_;
    }

    /// The transfer that has brought a member what the one of its line with that coordinate had.
    std::uint32_t& came(std::uint32_t member, ChunkId chunk, std::uint32_t coordinate)
    {
        return came_[index_of(member, chunk) * longest_ + coordinate];
    }

    /// Each sends what it has to all of its line.
    void exchange(std::size_t stage)
    {
        sent_.assign(members_ * (end_ - first_), {});
        came_.assign(members_ * (end_ - first_) * longest_, 0);
        for (std::uint32_t depth = 1; depth <= deepest_; ++depth)
            for (std::uint32_t distance = 1; distance < longest_; ++distance)
                for (ChunkId c = first_; c < end_; ++c)
                    for (std::uint32_t member = 0; member < members_; ++member)
                        if (holds(member, c, plan_.split))
                            send_on(stage, c, member, distance, depth);
        for (ChunkId c = first_; c < end_; ++c)
            for (std::uint32_t member = 0; member < members_; ++member)
                if (holds(member, c, plan_.split))
                    add_up(stage, c, member);
    }

    /// What the member has goes to the one so far behind it on its line, from the one before that on the way,
    /// if it is so many hops away.
    void send_on(std::size_t stage, ChunkId chunk, std::uint32_t member, std::uint32_t distance,
                 std::uint32_t depth)
    {
        const std::size_t dimension = dimension_of(stage, chunk);
        const std::uint32_t size = grid_.sizes[dimension], own = grid_.coordinate(member, dimension),
                            there = (own + distance) % size;
        const LineTree& tree = trees_[dimension][own];
        if (distance >= size || tree.depth[there] != depth)
            return;
        const std::uint32_t to = grid_.moved(member, dimension, there),
                            from = grid_.moved(member, dimension, tree.before[there]);
        const PlaceId place = scratch(stage, chunk, own);
        if (from != member) {
            came(to, chunk, own) =
                send({place, place}, from, to, Operation::copy, {came(from, chunk, own)}, chunk);
            return;
        }
        came(to, chunk, own) = send({chunk, place}, from, to, Operation::copy, last(member, chunk), chunk);
        sent_[index_of(member, chunk)].push_back(came(to, chunk, own));
    }

    /// All that came, once nobody reads any more what the member had: one after the other as they come, since
    /// that takes no time, and what follows waits for the last alone.
    void add_up(std::size_t stage, ChunkId chunk, std::uint32_t member)
    {
        const std::size_t dimension = dimension_of(stage, chunk);
        const NodeId node = grid_.members[member];
        const std::uint32_t size = grid_.sizes[dimension], own = grid_.coordinate(member, dimension);
        std::vector<std::uint32_t> after = std::move(sent_[index_of(member, chunk)]);
        for (std::uint32_t distance = 1; distance < size; ++distance) {
            const std::uint32_t coordinate = (own + size - distance) % size;
            after.push_back(came(member, chunk, coordinate));
            const ReadAndWrite places{scratch(stage, chunk, coordinate), chunk};
            after = {append_transfer(schedule_, {places, node, node, Path{}, Operation::add}, after)};
        }
        last(member, chunk) = std::move(after);
    }

    const TimedProblem& problem_;
    const ProcessorGrid& grid_;
    const Plan& plan_;
    std::uint32_t members_;
    ChunkId chunks_;
    ChunkId first_ = 0; ///< of those that are listed now
    ChunkId end_ = 0;
    std::uint32_t longest_;                    ///< line
    std::vector<std::vector<LineTree>> trees_; ///< by dimension and coordinate
    std::uint32_t deepest_ = 0;
    std::vector<double> load_; ///< of each link, in cycles for a byte of each unit of weight
    std::vector<std::vector<std::uint32_t>> last_;
    // Of the stage that is listed now, by member and chunk.
    std::vector<std::vector<std::uint32_t>> sent_;
    std::vector<std::uint32_t> came_; ///< and by coordinate
    Schedule schedule_;
};

/// All that take part contribute to each chunk and receive it.
bool is_among_all(const Collective& collective, const std::vector<NodeId>& members)
{
    for (const Chunk& chunk : collective.chunks)
        if (!std::ranges::equal(chunk.contributors, members))
            return false;
    return collective.demands.size() == collective.chunks.size() * members.size() &&
           std::ranges::all_of(collective.demands, [&](const Demand& demand) {
               return std::ranges::equal(demand.contributors, members);
           });
}

std::vector<std::uint32_t> prime_factors(std::uint32_t number)
{
    std::vector<std::uint32_t> factors;
    for (std::uint32_t factor = 2; number > 1; ++factor)
        for (; number % factor == 0; number /= factor)
            factors.push_back(factor);
    return factors;
}

/// The largest divisor that is not above the root, and the other one; the number if it is prime.
std::vector<std::uint32_t> two_factors(std::uint32_t number)
{
    auto factor = static_cast<std::uint32_t>(std::sqrt(number));
    while (number % factor != 0)
        --factor;
    return factor == 1 ? std::vector{number} : std::vector{factor, number / factor};
}

/// Lines of which each is one hop from each are grids of their own.
ProcessorGrid with_factors(const ProcessorGrid& grid, const TimedProblem& problem, const auto& factors_of)
{
    ProcessorGrid result{{}, grid.members};
    for (std::size_t dimension = 0; dimension < grid.sizes.size(); ++dimension) {
        const std::uint32_t size = grid.sizes[dimension];
        const auto sizes = is_joined(grid, dimension, problem) ? factors_of(size) : std::vector{size};
        result.sizes.insert(result.sizes.end(), sizes.begin(), sizes.end());
    }
    return result;
}

std::vector<ProcessorGrid> grids_of(const TimedProblem& problem)
{
    std::vector<ProcessorGrid> grids;
    const auto add = [&](const ProcessorGrid& base) {
        const auto whole = [](std::uint32_t number) { return std::vector{number}; };
        for (ProcessorGrid grid :
             {with_factors(base, problem, whole), with_factors(base, problem, two_factors),
              with_factors(base, problem, prime_factors)})
            if (std::ranges::find(grids, grid) == grids.end())
                grids.push_back(std::move(grid));
    };
    const ProcessorGrid line = single_line(problem);
    const bool is_switch = is_joined(line, 0, problem);
    if (is_switch)
        add(line);
    const std::vector<NodeId> members = members_in(problem.collective);
    for (const Boxes& boxes : boxes_of(problem.network))
        if (const auto grid = grid_of_columns(boxes, members, problem);
            grid && has_equal_boxes(*grid, problem))
            add(*grid);
    if (const auto grid = factored_grid(problem))
        add(*grid);
    if (!is_switch && is_connected(line, line.sizes.front(), problem))
        add(line);
    return grids;
}

/// Those of a plan, without local ones.
double count_transfers(const Plan& plan, std::size_t chunks)
{
    const auto members = static_cast<double>(plan.grid.members.size());
    double count = 0, holders = members;
    for (std::size_t dimension = 0; dimension < plan.grid.sizes.size(); ++dimension) {
        const double size = plan.grid.sizes[dimension];
        count += holders * (dimension < plan.split ? 2 * (size - 1) / size : size - 1);
        holders /= dimension < plan.split ? size : 1;
    }
    return count * static_cast<double>(chunks);
}

} // namespace

std::vector<Schedule> staged_all_reduces(const TimedProblem& problem, const Collective& collective)
{
    if (!is_among_all(collective, members_in(problem.collective)))
        return {};
    std::vector<Schedule> found;
    const auto add = [&](const Plan& plan) {
        const std::size_t chunks = collective.chunks.size();
        if (count_transfers(plan, chunks) <= (chunks <= few_chunks ? most_transfers_of_few : most_transfers))
            found.push_back(StagedAllReduce(problem, collective, plan).build());
    };
    for (const ProcessorGrid& grid : grids_of(problem)) {
        for (std::size_t split = 0; split <= grid.sizes.size(); ++split)
            if (grid.stride(split) <= collective.chunks.size()) // a share for each
                add({grid, split});
        if (grid.sizes.size() > 1 && std::ranges::count(grid.sizes, grid.sizes.front()) ==
                                         static_cast<std::ptrdiff_t>(grid.sizes.size()))
            add({grid, 0, true});
    }
    return found;
}

} // namespace nocturne
