// The collective communications and what each owes whom.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// Index of a message in Collective::messages.
using MessageId = std::uint32_t;

/// What one processor has at the start and some others must have at the end. Messages are neither combined
/// nor split.
struct Message {
    std::uint32_t origin;                 ///< processor
    std::vector<std::uint32_t> receivers; ///< processors, ascending, without the origin

    friend bool operator==(const Message&, const Message&) = default;
};

enum class CollectiveKind { oab, aab, oas, aas, aog, aor, multicast, permutation, mnb, mns };

/// A collective on a number of processors, spelled out as its messages. A broadcast has one message per
/// sender with many receivers, a scatter, gather or permutation one message per pair of sender and receiver.
struct Collective {
    CollectiveKind kind;
    std::uint32_t processors;
    std::vector<std::uint32_t> senders; ///< ascending; the root for the one-to-all forms
    std::vector<std::uint32_t>
        receivers; ///< ascending; the root for AOG and AOR; for a permutation: image of sender i
    std::vector<Message> messages; ///< in order of (origin, receiver)

    friend bool operator==(const Collective&, const Collective&) = default;
};

/// The most deliveries (pairs of a message and one of its receivers) that a collective may owe: AAS on 4096
/// processors.
inline constexpr std::uint64_t max_deliveries = std::uint64_t{1} << 24;

// Each throws std::invalid_argument for a processor that does not exist, fewer than two processors, a set
// that names one twice, a set that leaves nothing to send, or more than max_deliveries.

Collective one_to_all_broadcast(std::uint32_t processors, std::uint32_t source);
Collective all_to_all_broadcast(std::uint32_t processors);
Collective one_to_all_scatter(std::uint32_t processors, std::uint32_t source);
Collective all_to_all_scatter(std::uint32_t processors);
/// Gather: everybody's own message to the root. Reduce owes the same, because messages are not combined on
/// their way.
Collective all_to_one_gather(std::uint32_t processors, std::uint32_t root);
Collective all_to_one_reduce(std::uint32_t processors, std::uint32_t root);
Collective multicast(std::uint32_t processors, std::uint32_t source, std::vector<std::uint32_t> receivers);
/// Processor i sends to image[i]; fixed points send nothing. Throws unless `image` is a permutation.
Collective permutation(std::vector<std::uint32_t> image);
/// Each sender's one message to every receiver but itself; the sets may overlap.
Collective many_to_many_broadcast(std::uint32_t processors, std::vector<std::uint32_t> senders,
                                  std::vector<std::uint32_t> receivers);
/// A message of its own from each sender to every receiver but itself.
Collective many_to_many_scatter(std::uint32_t processors, std::vector<std::uint32_t> senders,
                                std::vector<std::uint32_t> receivers);

/// Who takes part, as far as the kind does not say it itself.
struct Participants {
    std::optional<std::uint32_t> source = std::nullopt; ///< OAB, OAS, multicast; the root of AOG and AOR
    std::vector<std::uint32_t> senders = {};            ///< MNB, MNS
    std::vector<std::uint32_t> receivers = {};          ///< multicast, MNB, MNS
    std::vector<std::uint32_t> image = {};              ///< permutation: one per processor
};

/// Throws as make_collective() would for more than max_deliveries, for a kind of which the number of
/// processors says how many it owes: AAB and AAS.
void check_deliveries(CollectiveKind kind, std::uint64_t processors);

/// The collective of that kind: what a file or a command line names. Throws std::invalid_argument as the
/// functions above, and if `participants` lacks what the kind needs or has what it does not take.
Collective make_collective(CollectiveKind kind, std::uint32_t processors, const Participants& participants);
/// Its inverse: what make_collective() needs to make `collective` again.
Participants participants_of(const Collective& collective);

/// Index of the message of `origin` that is for `receiver`; of a broadcast, its one message, whichever the
/// receiver is. Nothing if there is none.
std::optional<MessageId> find_message(const Collective& collective, std::uint32_t origin,
                                      std::uint32_t receiver);

/// Has each message one receiver, as in scatters, gathers and permutations (personalized communication)?
bool is_personalized(const Collective& collective);

/// Deliveries that it owes: pairs of a message and one of its receivers.
std::uint64_t count_deliveries(const Collective& collective);

/// Does one processor play a part of its own: a source or a root, Participants::source?
bool has_root(CollectiveKind kind);

/// Do all send to one root, which Participants::source is?
bool is_gather(CollectiveKind kind);

/// Is a message of this kind one that several receivers are owed?
bool is_broadcast(CollectiveKind kind);

/// `OAB`, `AAS`, `multicast`, … as the papers write them. Parsing takes the other names too (kind_names.hpp),
/// ignores case, hyphens, underscores and spaces, and throws std::invalid_argument with the kind that was
/// probably meant, or all of them.
CollectiveKind parse_collective_kind(std::string_view text);
std::string to_string(CollectiveKind kind);

} // namespace nocturne
