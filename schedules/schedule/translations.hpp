// Machines and collectives that look the same from every member: what is known for the chunks of one is known
// for all.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/schedule/member_grid.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace nocturne {

/// Translations of a grid of processors, modulo its sizes, that links at processors follow. Each is named by
/// the seat (place in the grid's members) to which it takes the first member. A link at a member is taken to
/// as many others as there are members; the first member's stands for all of them.
class Translations {
public:
    /// Nothing unless each translation of the grid takes the links at members, those to common switches
    /// included, to links that are as wide and take as long.
    static std::optional<Translations> find(const LinkNetwork& network, ProcessorGrid grid);

    const ProcessorGrid& grid() const { return grid_; }
    std::uint32_t count() const { return static_cast<std::uint32_t>(grid_.members.size()); }
    bool is_member(NodeId node) const { return node < seats_.size() && seats_[node] != no_seat; }
    std::uint32_t seat_of(NodeId member) const { return seats_[member]; }
    /// Where translation `by` takes what sits at the seat.
    std::uint32_t moved(std::uint32_t seat, std::uint32_t by) const;
    /// The translation that takes the seat to the first one.
    std::uint32_t inverse(std::uint32_t seat) const;

    /// The links that stand for those of a path; nothing if one is not at a member.
    std::optional<Path> representatives(const Path& path) const;
    /// The path from one member to another of which these are the representatives.
    Path path_between(NodeId source, NodeId destination, const Path& representatives) const;

private:
    static constexpr std::uint32_t no_seat = std::numeric_limits<std::uint32_t>::max();

    explicit Translations(ProcessorGrid grid) : grid_(std::move(grid)) {}
    bool find_links(const LinkNetwork& network);

    /// Links that are taken to each other, by the seat of the member that they are at: their source if that
    /// is a member, else their target.
    struct Orbit {
        bool is_at_source;
        std::vector<LinkId> links;
    };

    ProcessorGrid grid_;
    std::vector<std::uint32_t> seats_;    ///< by processor
    std::vector<std::uint32_t> orbit_of_; ///< by link
    std::vector<Orbit> orbits_;
};

/// Chunks of a collective, as the translations take those of the first member to the others.
struct TranslatedChunks {
    std::vector<ChunkId> first;               ///< the chunks of the first member
    std::vector<std::vector<ChunkId>> images; ///< of each, by translation
};

/// A chunk of what only copies is its owner's, one that is added up its receiver's; of an all-reduce in as
/// many chunks as there are members, or a multiple, each member has as many in turn. Nothing unless each
/// translation takes chunks to chunks as large with the images of their receivers, or of their contributors.
std::optional<TranslatedChunks> translated_chunks(const Collective& collective,
                                                  const Translations& translations);

/// The transfers of the first member's chunks, and what translations make of them.
class TransferImages {
public:
    TransferImages(const LinkNetwork& network, const Collective& collective, Translations translations,
                   TranslatedChunks chunks);
    /// Nothing if the network, or the collective, does not look the same from every member.
    static std::optional<TransferImages> find(const LinkNetwork& network, const Collective& collective,
                                              const ProcessorGrid& grid);

    std::uint32_t count() const { return translations_.count(); }
    /// May it have images: between members, over links at them, from and to places of the first member's
    /// chunks, or as many scratch places behind those of all chunks as there are chunks?
    bool has(const Transfer& transfer) const;
    /// Of one that may. Translation 0 leaves all where it is, and puts links for their representatives.
    Transfer of(const Transfer& transfer, std::uint32_t by) const;

private:
    std::optional<std::uint32_t> own_of(PlaceId place) const;
    PlaceId image_of(PlaceId place, std::uint32_t by) const;

    Translations translations_;
    TranslatedChunks chunks_;
    std::vector<std::uint32_t> own_; ///< by chunk: which of the first member's
    std::size_t links_;
};

/// `first` has the transfers of the first member's chunks, under dependencies: each is followed by its
/// images. It takes as long. Throws std::invalid_argument, one line, for a transfer without images, and for
/// more than 2^26 transfers.
Schedule translated(const Schedule& first, const TransferImages& images);

/// Its inverse, by Schedule::translations; nothing if there are none, or others than these transfers.
std::optional<Schedule> first_of_translated(const Schedule& schedule, const LinkNetwork& network);

} // namespace nocturne
