// A schedule: what is copied or added where, over which path, in which step or after what.
#pragma once

#include "models/routing/switching.hpp"
#include "models/topology/path.hpp"
#include "models/topology/port_model.hpp"
#include "schedules/collective/alpha_beta.hpp"
#include "schedules/collective/collective.hpp"
#include "schedules/schedule/member_grid.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {

/// Where in a processor's memory, or a copying switch's. Place c below the number of chunks is that of chunk
/// c; higher places are scratch that a schedule uses as it likes.
using PlaceId = std::uint32_t;

/// Places that a transfer writes are below it.
inline constexpr PlaceId place_limit = PlaceId{1} << 31U;

/// A place of a node as one number.
constexpr std::uint64_t place_key(std::uint32_t node, PlaceId place)
{
    return std::uint64_t{node} << 32 | place;
}

/// What a transfer reads at its source, and what it writes at its destination.
struct ReadAndWrite {
    PlaceId read;
    PlaceId write;
};

/// What is at one place of one node goes to a place of another node over one path: a message, from where the
/// source has it to where the destination has it. Within a node (source and destination are the same) it goes
/// from one place to another. Nodes are processors, and where memories send to each other the copying
/// switches of the LinkNetwork too. Without a path the schedule is *incomplete*: complete_paths() finds
/// them.
struct Transfer {
    MessageId message = 0; ///< the place that is read: of a message, its own
    ProcessorId source = 0;
    ProcessorId destination = 0;
    PlaceId to : 31 = 0;                       ///< the place that is written: of a message, its own
    Operation operation : 1 = Operation::copy; ///< what the destination does with it
    /// Of messages the channels of the topology, each from where the last one ended; the ports stand for the
    /// way into the network and out of it. From memory to memory the links of the LinkNetwork (the channels
    /// come first), those of processors that are no routers of their own included: links_of() adds them.
    std::optional<Path> path;

    Transfer() = default;
    Transfer(MessageId m, ProcessorId from, ProcessorId to_processor, std::optional<Path> over = std::nullopt,
             Operation then = Operation::copy)
        : Transfer(ReadAndWrite{m, m}, from, to_processor, std::move(over), then)
    {
    }
    Transfer(ReadAndWrite places, ProcessorId from, ProcessorId to_processor,
             std::optional<Path> over = std::nullopt, Operation then = Operation::copy)
        : message(places.read), source(from), destination(to_processor), to(places.write % place_limit),
          operation(then), path(std::move(over))
    {
    }

    /// Reads and writes the message's own place.
    void set_message(MessageId m)
    {
        message = m;
        to = m % place_limit;
    }
    /// Has the place that is written the number of the one that is read?
    bool keeps_place() const { return to == message % place_limit; }
    bool is_local() const { return source == destination; }
    /// The path; none has no links.
    std::span<const ChannelId> links() const
    {
        return path ? std::span<const ChannelId>(*path) : std::span<const ChannelId>();
    }

    friend bool operator==(const Transfer&, const Transfer&) = default;
};

/// Stands in a transfer that somebody wrote down for a message that the collective does not have.
inline constexpr MessageId no_message = ~0u;

using Step = std::vector<Transfer>;

enum class ScheduleSynchronization {
    steps,        ///< a barrier after each step; what links carry was there when it began
    dependencies, ///< none: a transfer starts when those it waits for are done and the links are free
};

/// For each transfer, by its number over all steps, those that end before it begins.
class Dependencies {
public:
    Dependencies() = default;
    explicit Dependencies(const std::vector<std::vector<std::uint32_t>>& lists);

    /// Of the next transfer.
    void push_back(std::span<const std::uint32_t> before);
    bool empty() const { return ids_.empty(); }
    /// None of a transfer that has not been named.
    std::span<const std::uint32_t> of(std::size_t transfer) const
    {
        if (transfer >= ends_.size())
            return {};
        const std::size_t begin = transfer == 0 ? 0 : ends_[transfer - 1];
        return {ids_.data() + begin, ends_[transfer] - begin};
    }

    friend bool operator==(const Dependencies& a, const Dependencies& b);

private:
    std::vector<std::uint32_t> ends_; ///< in ids_, by transfer
    std::vector<std::uint32_t> ids_;
};

/// Which contribution or result a processor has in a place that is not the chunk's own: files of other tools
/// have input and output buffers.
struct ChunkPlacement {
    ProcessorId processor;
    ChunkId chunk;
    PlaceId place;

    friend bool operator==(const ChunkPlacement&, const ChunkPlacement&) = default;
};

/// Carries out a collective on a topology, and what it promises of itself: ports, switching, slack. Whether
/// it keeps that is for the validator.
///
/// Under steps what a transfer reads was there when its step began, and what it writes is written when the
/// step ends. Then the step's local transfers take place, in the order in which they are listed: they take no
/// time. Where memories send to each other, a step of r rounds lets a link of b units (LinkNetwork::units)
/// carry chunks of a total weight of b r.
///
/// Under dependencies a transfer reads and writes at any time between its start and its end, and only
/// dependencies, through any number of transfers, order what is read and written. The order of the transfers
/// is none but on links: on a link they start in this order, one after the other or beside each other as its
/// bandwidth allows (LinkShares), and a transfer over several links has its place in the order of each.
/// That says when transfers start, not which of two has ended. So lists of the same transfers are the same
/// schedule if no link carries them in another order.
struct Schedule {
    std::string name;     ///< free text
    std::string source;   ///< where it comes from: a paper's table, an engine; free text, may be empty
    std::string topology; ///< specification (`omega:8`), or the name of the topology it was made for
    Collective collective;
    PortModel ports; ///< not from memory to memory
    Switching switching = Switching::wormhole;
    std::vector<Step> steps; ///< under dependencies one, of all transfers
    /// Most hops of a path beyond a minimal one that the schedule keeps to, as Problem::slack; nothing = any
    /// path.
    std::optional<unsigned> slack = std::nullopt;
    ScheduleSynchronization synchronization = ScheduleSynchronization::steps;
    std::vector<std::uint32_t> rounds = {}; ///< of each step, 1 or more; empty: 1 each, or no steps
    Dependencies after = {};
    std::vector<ChunkPlacement> inputs = {};  ///< contributions that are not in the chunk's own place
    std::vector<ChunkPlacement> outputs = {}; ///< results that are not
    MadeFor made_for = {};                    ///< from memory to memory
    /// Each transfer of the first member's chunks is followed by its images (translations.hpp): for what
    /// writes millions of them, and no promise.
    std::optional<ProcessorGrid> translations = std::nullopt;

    friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// Are its transfers from memory to memory, as those of chunks? Then links, not ports, bound what it sends.
inline bool is_between_memories(const Schedule& schedule)
{
    return schedule.switching == Switching::memory_to_memory;
}

/// Throws std::invalid_argument, one line, if they are: where messages in steps are wanted.
void require_messages(const Schedule& schedule);

/// Has it barriers?
inline bool is_in_steps(const Schedule& schedule)
{
    return schedule.synchronization == ScheduleSynchronization::steps;
}

struct Problem;

/// The schedule of `problem` without any step yet. `engine`, who fills it, goes into its `source`.
Schedule empty_schedule(const Problem& problem, std::string_view engine);

/// A schedule of transfers from memory to memory, without any yet.
Schedule empty_schedule(std::string name, std::string topology, Collective collective,
                        ScheduleSynchronization synchronization);

/// To the end of a schedule under dependencies; returns the transfer's number.
std::uint32_t append_transfer(Schedule& schedule, Transfer transfer,
                              const std::vector<std::uint32_t>& after = {});

/// To the end of a step, from 0, which is there from then on.
void put_in_step(std::vector<Step>& steps, std::size_t step, Transfer transfer);

/// The transfers of all steps in a row, by the numbers that dependencies name. Of a schedule that lives as
/// long and does not change.
class TransferList {
public:
    explicit TransferList(const Schedule& schedule);

    std::size_t size() const { return all_.size(); }
    const Transfer& operator[](std::size_t id) const { return *all_[id]; }
    /// The first of a step; size() for the number of steps.
    std::uint32_t first_of(std::size_t step) const { return first_[step]; }
    std::uint32_t step_of(std::size_t id) const;
    /// Its inverse; under dependencies there is no step.
    std::uint32_t number_of(std::optional<std::size_t> step, std::size_t index) const
    {
        return static_cast<std::uint32_t>(first_[step.value_or(0)] + index);
    }

private:
    std::vector<const Transfer*> all_;
    std::vector<std::uint32_t> first_;
};

/// A transfer as those list it who make a schedule.
struct ListedTransfer {
    Transfer transfer;
    std::uint32_t step = 0;                ///< where steps synchronize, from 0
    std::vector<std::uint32_t> after = {}; ///< where dependencies do
};

/// The schedule's transfers become these: those of a step in the order of the list. Steps up to the last one
/// that is named exist, and as many as there are rounds.
void set_transfers(Schedule& schedule, std::vector<ListedTransfer> listed);
/// Its inverse.
std::vector<ListedTransfer> list_transfers(const Schedule& schedule);

/// S and R of a schedule: none under dependencies.
std::uint32_t count_steps(const Schedule& schedule);
std::uint64_t count_rounds(const Schedule& schedule);

std::size_t count_transfers(const Schedule& schedule);
/// Those that leave no processor: copies and additions between places of its memory.
std::size_t count_local(const Schedule& schedule);
/// From one processor to another.
inline std::size_t count_sent(const Schedule& schedule)
{
    return count_transfers(schedule) - count_local(schedule);
}

/// Does some transfer add?
bool adds(const Schedule& schedule);

/// Has every transfer a path?
bool is_complete(const Schedule& schedule);

/// "step 2, transfer 5 (0>4)": how messages name a transfer. The arguments are indices from 0, the text
/// counts from 1.
std::string describe_transfer(const Schedule& schedule, const Topology& topology, std::size_t step,
                              std::size_t transfer);

} // namespace nocturne
