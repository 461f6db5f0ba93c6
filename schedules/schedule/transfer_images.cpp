#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/translations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

constexpr std::uint32_t not_own = std::numeric_limits<std::uint32_t>::max();

/// The chunks of each member by seat, those whose receivers are nearest behind it first, so that the i-th of
/// each are taken to each other if they can be.
std::vector<std::vector<ChunkId>> chunks_by_owner(const Collective& collective,
                                                  const Translations& translations)
{
    std::vector<std::vector<std::pair<std::uint32_t, ChunkId>>> sorted(translations.count());
    for (ChunkId c = 0; c < collective.chunks.size(); ++c) {
        const std::uint32_t owner = translations.seat_of(collective.chunks[c].contributors.front());
        const std::uint32_t back = translations.inverse(owner);
        std::uint32_t nearest = translations.count();
        for (const NodeId receiver : collective.demands.receivers_of(c))
            nearest = std::min(nearest, translations.moved(translations.seat_of(receiver), back));
        sorted[owner].emplace_back(nearest, c);
    }
    std::vector<std::vector<ChunkId>> chunks(translations.count());
    for (std::uint32_t seat = 0; seat < translations.count(); ++seat) {
        std::ranges::sort(sorted[seat]);
        for (const auto& [nearest, chunk] : sorted[seat])
            chunks[seat].push_back(chunk);
    }
    return chunks;
}

bool all_at_members(const Collective& collective, const Translations& translations)
{
    const auto is_member = [&](NodeId node) { return translations.is_member(node); };
    return std::ranges::all_of(collective.chunks,
                               [&](const Chunk& chunk) {
                                   return chunk.contributors.size() == 1 &&
                                          is_member(chunk.contributors.front());
                               }) &&
           std::ranges::all_of(collective.demands,
                               [&](const Demand& demand) { return is_member(demand.receiver); });
}

/// Of one that only copies.
std::optional<TranslatedChunks> chunks_of_owners(const Collective& collective,
                                                 const Translations& translations)
{
    if (!all_at_members(collective, translations))
        return std::nullopt;
    const std::vector<std::vector<ChunkId>> chunks = chunks_by_owner(collective, translations);
    TranslatedChunks result{chunks.front(), {}};
    if (result.first.empty())
        return std::nullopt;
    std::vector<std::uint32_t> wanted(translations.count(), 0); // by seat: for which image
    std::uint32_t image = 0;
    for (std::size_t i = 0; i < result.first.size(); ++i) {
        const ChunkId first = result.first[i];
        const auto receivers = collective.demands.receivers_of(first);
        std::vector<ChunkId> images;
        for (std::uint32_t by = 0; by < translations.count(); ++by) {
            if (chunks[by].size() != result.first.size())
                return std::nullopt;
            const ChunkId other = chunks[by][i];
            const auto there = collective.demands.receivers_of(other);
            if (there.size() != receivers.size() ||
                collective.chunks[other].weight != collective.chunks[first].weight ||
                collective.chunks[other].release_cycles != collective.chunks[first].release_cycles)
                return std::nullopt;
            ++image;
            for (const NodeId receiver : receivers)
                wanted[translations.moved(translations.seat_of(receiver), by)] = image;
            if (!std::ranges::all_of(
                    there, [&](NodeId receiver) { return wanted[translations.seat_of(receiver)] == image; }))
                return std::nullopt;
            images.push_back(other);
        }
        result.images.push_back(std::move(images));
    }
    return result;
}

/// Of an all-reduce: each member is the root of as many chunks as the others. Nothing if they cannot be.
std::optional<TranslatedChunks> chunks_of_roots(const Collective& collective,
                                                const Translations& translations)
{
    const Chunk& first = collective.chunks.front();
    const std::size_t members = translations.count(), each = collective.chunks.size() / members;
    if (collective.chunks.size() % members != 0 || first.contributors.size() != members ||
        !std::ranges::all_of(collective.chunks, [&](const Chunk& chunk) { return chunk == first; }))
        return std::nullopt;
    TranslatedChunks chunks;
    for (std::size_t part = 0; part < each; ++part) {
        std::vector<ChunkId> images;
        for (const NodeId member : translations.grid().members) {
            const auto rank =
                std::ranges::lower_bound(first.contributors, member) - first.contributors.begin();
            images.push_back(static_cast<ChunkId>(static_cast<std::size_t>(rank) * each + part));
        }
        chunks.first.push_back(images.front());
        chunks.images.push_back(std::move(images));
    }
    return chunks;
}

} // namespace

std::optional<TranslatedChunks> translated_chunks(const Collective& collective,
                                                  const Translations& translations)
{
    if (collective.kind == CollectiveKind::allreduce)
        return chunks_of_roots(collective, translations);
    if (!reduces(collective))
        return chunks_of_owners(collective, translations);
    return can_be_turned(collective) ? chunks_of_owners(reversed(collective), translations) : std::nullopt;
}

TransferImages::TransferImages(const LinkNetwork& network, const Collective& collective,
                               Translations translations, TranslatedChunks chunks)
    : translations_(std::move(translations)), chunks_(std::move(chunks)),
      own_(collective.chunks.size(), not_own), links_(network.link_count())
{
    for (std::uint32_t i = 0; i < chunks_.first.size(); ++i)
        own_[chunks_.first[i]] = i;
}

std::optional<TransferImages> TransferImages::find(const LinkNetwork& network, const Collective& collective,
                                                   const ProcessorGrid& grid)
{
    auto translations = Translations::find(network, grid);
    if (!translations)
        return std::nullopt;
    auto chunks = translated_chunks(collective, *translations);
    if (!chunks)
        return std::nullopt;
    return TransferImages(network, collective, std::move(*translations), std::move(*chunks));
}

std::optional<std::uint32_t> TransferImages::own_of(PlaceId place) const
{
    const std::size_t chunk = place < own_.size() ? place : place - own_.size();
    return chunk < own_.size() && own_[chunk] != not_own ? std::optional(own_[chunk]) : std::nullopt;
}

PlaceId TransferImages::image_of(PlaceId place, std::uint32_t by) const
{
    const auto chunks = static_cast<PlaceId>(own_.size());
    return (place < chunks ? 0 : chunks) + chunks_.images[*own_of(place)][by];
}

bool TransferImages::has(const Transfer& transfer) const
{
    return translations_.is_member(transfer.source) && translations_.is_member(transfer.destination) &&
           own_of(transfer.message) && own_of(transfer.to) && transfer.path &&
           std::ranges::all_of(*transfer.path, [&](LinkId link) { return link < links_; }) &&
           translations_.representatives(*transfer.path);
}

Transfer TransferImages::of(const Transfer& transfer, std::uint32_t by) const
{
    const auto moved = [&](NodeId member) {
        return translations_.grid().members[translations_.moved(translations_.seat_of(member), by)];
    };
    const NodeId from = moved(transfer.source), to = moved(transfer.destination);
    return {ReadAndWrite{image_of(transfer.message, by), image_of(transfer.to, by)}, from, to,
            translations_.path_between(from, to, *transfer.path), transfer.operation};
}

Schedule translated(const Schedule& first, const TransferImages& images)
{
    constexpr std::size_t most_translated = std::size_t{1} << 26; // twice an all-reduce on 4096 processors
    Schedule result = first;
    result.steps.front().clear();
    result.after = {};
    const TransferList transfers(first);
    if (transfers.size() > most_translated / images.count())
        throw std::invalid_argument(fmt::format("{} transfers with {} images each are more than {}",
                                                transfers.size(), images.count(), most_translated));
    result.steps.front().reserve(transfers.size() * images.count());
    std::vector<std::uint32_t> before;
    for (std::uint32_t id = 0; id < transfers.size(); ++id) {
        const auto refuse = [&](std::string_view why) {
            throw std::invalid_argument(fmt::format("transfer {} {}", id + 1, why));
        };
        if (!images.has(transfers[id]) || images.of(transfers[id], 0) != transfers[id])
            refuse("has no images: its places, nodes or links are none that translations take to others");
        if (std::ranges::any_of(first.after.of(id),
                                [&](std::uint32_t earlier) { return earlier >= transfers.size(); }))
            refuse("waits for one that does not exist");
        for (std::uint32_t by = 0; by < images.count(); ++by) {
            result.steps.front().push_back(images.of(transfers[id], by));
            before.clear();
            for (const std::uint32_t earlier : first.after.of(id))
                before.push_back(earlier * images.count() + by);
            result.after.push_back(before);
        }
    }
    return result;
}

std::optional<Schedule> first_of_translated(const Schedule& schedule, const LinkNetwork& network)
{
    if (!schedule.translations || is_in_steps(schedule) || schedule.steps.size() != 1)
        return std::nullopt;
    const auto images = TransferImages::find(network, schedule.collective, *schedule.translations);
    const Step& all = schedule.steps.front();
    if (!images || all.size() % images->count() != 0)
        return std::nullopt;
    Schedule first =
        empty_schedule(schedule.name, schedule.topology, schedule.collective, schedule.synchronization);
    const std::uint32_t count = images->count();
    std::vector<std::uint32_t> before;
    for (std::uint32_t id = 0; id < all.size(); id += count) {
        if (!images->has(all[id]))
            return std::nullopt;
        const auto waits_for = schedule.after.of(id);
        for (std::uint32_t by = 0; by < count; ++by)
            if (images->of(all[id], by) != all[id + by] ||
                !std::ranges::equal(waits_for, schedule.after.of(id + by), {},
                                    [&](std::uint32_t earlier) { return earlier + by; }))
                return std::nullopt;
        before.clear();
        for (const std::uint32_t earlier : waits_for) {
            if (earlier % count != 0)
                return std::nullopt;
            before.push_back(earlier / count);
        }
        append_transfer(first, all[id], before);
    }
    return first;
}

} // namespace nocturne
