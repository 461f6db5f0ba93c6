// The collective communications: who contributes what, and who must have which contributions at the end.
#pragma once

#include "schedules/collective/demands.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace nocturne {

/// What becomes of data that come where data are.
enum class Operation : std::uint8_t {
    copy, ///< the place holds what came
    add,  ///< the place holds the sum of what was there and what came
};

/// Each with the name that libraries use; those of the papers stand in kind_names.hpp.
enum class CollectiveKind {
    broadcast,
    allgather,
    scatter,
    alltoall,
    gather,
    reduce,
    reduce_scatter,
    allreduce,
    scan, ///< each member has the sum of the contributions of the group up to itself (MPI_Scan)
    multicast,
    permutation,
    many_to_many_broadcast,
    many_to_many_scatter,
    custom, ///< several at once, or what a file lists
};

/// The part of a vector that travels as one. A chunk that is not reduced has one contributor, its origin; one
/// that is reduced has several, whose contributions are added on the way.
struct Chunk {
    std::uint32_t weight = 1;   ///< its size in units of the collective's smallest part, 1 or more
    ProcessorList contributors; ///< ascending, at least one
    /// Before this time nobody has its contribution: no transfer reads it. In cycles from 0.
    std::uint64_t release_cycles = 0;

    friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// A chunk that is not reduced: what one processor has at the start and others must have at the end. Of a
/// collective that lives as long.
struct Message {
    std::uint32_t origin;                     ///< processor
    std::span<const std::uint32_t> receivers; ///< processors, ascending, without the origin
};

/// Index of a message: that of its chunk.
using MessageId = ChunkId;

struct Collective;

/// A collective's chunks as messages, if nothing is added: by index, and in order. Of a collective that lives
/// as long.
class Messages {
public:
    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Message;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = Message;

        Iterator() = default;
        Iterator(const Collective& collective, MessageId id) : collective_(&collective), id_(id) {}
        Message operator*() const;
        Iterator& operator++()
        {
            ++id_;
            return *this;
        }
        Iterator operator++(int) { return {*collective_, id_++}; }
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        const Collective* collective_ = nullptr;
        MessageId id_ = 0;
    };

    explicit Messages(const Collective& collective) : collective_(&collective) {}

    std::size_t size() const;
    bool empty() const { return size() == 0; }
    Message operator[](std::size_t id) const;
    Message front() const { return (*this)[0]; }
    Iterator begin() const { return {*collective_, 0}; }
    Iterator end() const { return {*collective_, static_cast<MessageId>(size())}; }

private:
    const Collective* collective_;
};

/// What is owed. Contributor p of a chunk holds its contribution in the chunk's own place when all begins.
/// The first of a scan is owed what it contributes itself, and its demand is listed as others are. The origin
/// of a message is not listed: keeps_own() says whether it has the message at the end, too.
struct Collective {
    CollectiveKind kind = CollectiveKind::custom;
    std::uint32_t processors = 0;
    std::uint32_t parts = 1; ///< C: equal parts that each block of the collective is cut into
    std::vector<Chunk> chunks = {};
    Demands demands = {};

    /// Precondition of its use: nothing is added.
    Messages messages() const { return Messages(*this); }

    friend bool operator==(const Collective&, const Collective&) = default;
};

inline std::size_t Messages::size() const
{
    return collective_->chunks.size();
}

inline Message Messages::operator[](std::size_t id) const
{
    return {collective_->chunks[id].contributors.front(),
            collective_->demands.receivers_of(static_cast<ChunkId>(id))};
}

inline Message Messages::Iterator::operator*() const
{
    return Messages(*collective_)[id_];
}

/// Where a collective takes place, and in how many parts.
struct CollectiveShape {
    std::uint32_t processors; ///< of the network
    std::uint32_t parts = 1;  ///< C, 1 or more
    /// In the order of their ranks: the weights of vector forms, the numbers of chunks and a scan follow it.
    /// Of a broadcast, a reduction and an all-reduce it is a set. Empty = all processors, ascending.
    std::vector<std::uint32_t> group = {};
};

// Each throws std::invalid_argument for a processor that does not exist, fewer than two processors, a set
// that names one twice, a root outside the group, sizes of the wrong number, no parts, a collective that
// leaves nothing to send, or more than max_demands.
// Chunk ids: block by block in the order of the group, of origins first and then of receivers, the parts of a
// block in a row. Senders, receivers and images have no order: theirs is the ascending one. Weights of 0 in
// vector forms give a pair no chunk.

/// One block of C chunks, from the root to all (from all to the root, added up).
Collective broadcast(const CollectiveShape& shape, std::uint32_t root);
Collective reduce(const CollectiveShape& shape, std::uint32_t root);
/// A block for (from) each other member: n-1 blocks.
Collective scatter(const CollectiveShape& shape, std::uint32_t root);
Collective gather(const CollectiveShape& shape, std::uint32_t root);
/// A block of each member to all; `weights`, one a member in the order of the group, makes it allgatherv.
Collective allgather(const CollectiveShape& shape, std::span<const std::uint32_t> weights = {});
/// n blocks that all contribute to; member i has the sum of block i at the end.
Collective reduce_scatter(const CollectiveShape& shape, std::span<const std::uint32_t> weights = {});
/// C chunks that all contribute to and all have the sum of: the whole vector is one block.
Collective allreduce(const CollectiveShape& shape);
/// A block from each member to each other; `weights`, row by row, one a pair with the diagonal ignored, makes
/// it alltoallv.
Collective alltoall(const CollectiveShape& shape, std::span<const std::uint32_t> weights = {});
/// C chunks; each member has the sum of the contributions of the group up to itself (MPI_Scan): the first its
/// own.
Collective scan(const CollectiveShape& shape);
/// The shape has no group in what follows: the sets say who takes part.
Collective multicast(const CollectiveShape& shape, std::uint32_t source,
                     std::vector<std::uint32_t> receivers);
/// Each sender's one block to every receiver but itself; the sets may overlap.
Collective many_to_many_broadcast(const CollectiveShape& shape, std::vector<std::uint32_t> senders,
                                  std::vector<std::uint32_t> receivers);
/// A block of its own from each sender to every receiver but itself.
Collective many_to_many_scatter(const CollectiveShape& shape, std::vector<std::uint32_t> senders,
                                std::vector<std::uint32_t> receivers);
/// Processor i sends to image[i]; fixed points send nothing. Throws unless `image` is a permutation.
Collective permutation(std::vector<std::uint32_t> image, std::uint32_t parts = 1);

/// How many results a collective of that kind is owed, of so many members, in so many parts: as many demands
/// as it has. None for kinds whose sets say it, and for CollectiveKind::custom.
std::uint64_t results_of(CollectiveKind kind, std::uint64_t members, std::uint64_t parts);

/// Who takes part, as far as the kind does not say it itself, and what is sent.
struct Participants {
    std::optional<std::uint32_t> source = std::nullopt; ///< the root, or the source of a multicast
    std::vector<std::uint32_t> senders = {};            ///< of many-to-many forms
    std::vector<std::uint32_t> receivers = {};          ///< of multicast and many-to-many forms
    std::vector<std::uint32_t> image = {};              ///< permutation: one per processor
    std::vector<std::uint32_t> group = {};              ///< of all others: CollectiveShape::group
    std::vector<std::uint32_t> weights = {};            ///< of allgather, reduce-scatter and alltoall
    std::uint32_t parts = 1;

    friend bool operator==(const Participants&, const Participants&) = default;
};

/// The same of what make_collective() would make, without making it.
std::uint64_t results_of(CollectiveKind kind, std::uint32_t processors, const Participants& participants);

/// Throws as make_collective() would for more than max_demands, for a kind of which the number of
/// processors says how many results it owes.
void check_results(CollectiveKind kind, std::uint64_t processors);

/// The collective of that kind: what a file or a command line names. Throws std::invalid_argument as the
/// functions above, if `participants` lacks what the kind needs or has what it does not take, and for
/// CollectiveKind::custom.
Collective make_collective(CollectiveKind kind, std::uint32_t processors, const Participants& participants);
/// The same of what a root, if it has one, a group and a number of parts say.
Collective make_collective(CollectiveKind kind, const CollectiveShape& shape,
                           std::optional<std::uint32_t> root = std::nullopt);
/// Its inverse: what make_collective() needs to make `collective` again. Nothing if its kind does not say
/// what it is.
std::optional<Participants> participants_of(const Collective& collective);

/// Index of the message of `origin` that is for `receiver`; of a broadcast, its one message, whichever the
/// receiver is. Nothing if there is none. Precondition: nothing is added, blocks are not cut.
std::optional<MessageId> find_message(const Collective& collective, std::uint32_t origin,
                                      std::uint32_t receiver);

/// Is some chunk contributed to by several processors: is anything added?
bool reduces(const Collective& collective);

/// Is the demand for what its receiver contributes itself, and nothing else?
inline bool is_own(const Demand& demand)
{
    return demand.contributors.size() == 1 && demand.contributors.front() == demand.receiver;
}

/// Has the origin of each message the message at the end, though no demand says so: a root that broadcasts,
/// and the members of an allgather, whose result is all blocks?
bool keeps_own(CollectiveKind kind);

/// Has each message one receiver, as in scatters, gathers and permutations (personalized communication)?
bool is_personalized(const Collective& collective);

/// Are its messages of a kind that several receivers are owed; of CollectiveKind::custom, is one of them?
bool is_broadcast(const Collective& collective);

/// Have two of its messages the same origin and receivers, as the parts of a block have? Precondition:
/// nothing is added.
bool has_equal_messages(const Collective& collective);

/// Is it the collective of that kind among all processors, in one part, whatever it is called?
bool is_among_all(const Collective& collective, CollectiveKind kind);

/// Does one processor play a part of its own: a source or a root, Participants::source?
bool has_root(CollectiveKind kind);

/// Does all come to one root, which Participants::source is?
bool is_to_one(CollectiveKind kind);

/// Several collectives on the same network at once: chunks of the second follow those of the first. Throws
/// std::invalid_argument if they are for different numbers of processors, or cut into different parts.
Collective at_once(const Collective& first, const Collective& second);

/// Each chunk cut into so many equal ones, which stand in a row: what the functions above make of `parts`
/// times as many parts. Throws std::invalid_argument for no parts or more than max_demands.
Collective in_parts(const Collective& collective, std::uint32_t parts);

/// What it owes of the chunks that are released at that time or later (Chunk::release_cycles), as if it began
/// then: their releases are counted from it, and nothing is owed of the others.
Collective released_from(const Collective& collective, std::uint64_t cycles);

/// Each demand turned round: who received contributes, who contributed receives the sum. Allgather becomes
/// reduce-scatter, broadcast reduce, scatter gather, alltoall alltoall. A schedule turned round with it
/// (reversed()) stays valid. A chunk that is owed to none keeps one contributor, so that what adds becomes
/// what copies. No chunk has a release. Throws std::invalid_argument unless every chunk has one contributor
/// and is owed whole, or every demand is for all contributions and no chunk has two receivers.
Collective reversed(const Collective& collective);

/// `allgather`, `reduce-scatter`, `many-to-many-broadcast`: the name that libraries of today use.
std::string_view to_string(CollectiveKind kind);
/// `AAB`, `MNB`: as the papers write it; to_string(kind) where they have no name for it.
std::string_view paper_name(CollectiveKind kind);
/// Takes any of the names, in_words() too (kind_names.hpp), ignores case, hyphens, underscores and spaces,
/// and throws std::invalid_argument with the kind that was probably meant, or all of them.
CollectiveKind parse_collective_kind(std::string_view text);

} // namespace nocturne
