#include "schedules/evolution/conflicts.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace nocturne {
namespace {

/// Of a delivery that has not been given a gene yet.
constexpr std::uint16_t nowhere = std::numeric_limits<std::uint16_t>::max();
/// Room of a cell at first: conflict-free schedules need 1 for a channel.
constexpr std::uint32_t first_room = 4;

} // namespace

ConflictTable::ConflictTable(const ChromosomeEncoding& encoding)
    : encoding_(&encoding), chromosome_(encoding.deliveries().size(), Gene{nowhere, nowhere, nowhere}),
      cells_(std::size_t{encoding.steps()} * encoding.resource_count()), slots_(cells_.size() * first_room),
      counted_(encoding.deliveries().size(), 0), count_(encoding.deliveries().size())
{
    for (std::size_t i = 0; i < cells_.size(); ++i)
        cells_[i] = {i * first_room, 0, first_room};
}

void ConflictTable::assign(const Chromosome& chromosome)
{
    for (std::uint32_t i = 0; i < chromosome_.size(); ++i)
        if (chromosome_[i] != chromosome[i])
            change(i, chromosome[i]);
}

void ConflictTable::change(std::uint32_t delivery, const Gene& gene)
{
    Gene& own = chromosome_[delivery];
    if (own == gene)
        return;
    if (own.step != nowhere) {
        conflicts_ -= met(delivery, own);
        for (const StepResource resource : encoding_->resources(delivery, own))
            remove(delivery, resource, own.step);
    }
    own = gene;
    for (const StepResource resource : encoding_->resources(delivery, gene))
        add(delivery, resource, gene.step);
    conflicts_ += met(delivery, gene);
}

std::uint32_t ConflictTable::met(std::uint32_t delivery, const Gene& gene) const
{
    std::uint32_t conflicts = 0;
    counted_[delivery] = ++calls_;
    for (const StepResource resource : encoding_->resources(delivery, gene)) {
        const auto others = holders(resource, gene.step);
        const std::uint32_t capacity = encoding_->capacity(resource);
        if (others.size() < capacity)
            continue;
        if (capacity > 1) {
            const bool is_held = std::find(others.begin(), others.end(), delivery) != others.end();
            conflicts += others.size() - (is_held ? 1 : 0) >= capacity ? 1 : 0;
            continue;
        }
        for (const std::uint32_t other : others)
            conflicts += std::exchange(counted_[other], calls_) != calls_ ? 1 : 0;
    }
    return conflicts;
}

void ConflictTable::add(std::uint32_t delivery, StepResource resource, unsigned step)
{
    Cell& cell = cells_[std::size_t{step} * encoding_->resource_count() + resource];
    if (cell.size == cell.room) {
        const std::size_t first = slots_.size();
        slots_.resize(first + 2 * std::size_t{cell.room});
        std::copy_n(slots_.begin() + static_cast<std::ptrdiff_t>(cell.first), cell.size,
                    slots_.begin() + static_cast<std::ptrdiff_t>(first));
        cell.first = first;
        cell.room *= 2;
    }
    slots_[cell.first + cell.size++] = delivery;
}

void ConflictTable::remove(std::uint32_t delivery, StepResource resource, unsigned step)
{
    Cell& cell = cells_[std::size_t{step} * encoding_->resource_count() + resource];
    std::size_t slot = cell.first;
    while (slots_[slot] != delivery)
        ++slot;
    slots_[slot] = slots_[cell.first + --cell.size];
}

} // namespace nocturne
