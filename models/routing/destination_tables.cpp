#include "models/routing/destination_tables.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

DestinationTables::DestinationTables(std::size_t routers, std::function<Table(RouterId)> make,
                                     std::size_t budget_bytes)
    : make_(std::move(make)), budget_bytes_(budget_bytes), tables_(routers)
{
}

const DestinationTables::Table& DestinationTables::of(RouterId destination)
{
    Table& table = tables_[destination];
    if (table.empty()) {
        table = make_(destination);
        held_.push_back(destination);
        held_bytes_ += table.size() * sizeof(table[0]);
        while (held_bytes_ > budget_bytes_ && held_.size() > 1) {
            Table& oldest = tables_[held_.front()];
            held_.pop_front();
            held_bytes_ -= oldest.size() * sizeof(oldest[0]);
            oldest = Table();
        }
    }
    return table;
}

void require_room_for_tables(const Topology& topology, std::string_view routing)
{
    if (!is_too_large_for_pairs(size_of(topology)))
        return;
    const std::uint64_t routers = topology.router_count();
    throw std::invalid_argument(fmt::format(
        "{}: routing {} would take tables of {}, an entry for each pair of routers; dimension order "
        "and destination tags take none",
        topology.name(), routing,
        in_binary_units(saturating_product({routers, routers, sizeof(std::uint32_t)}))));
}

Spread::Spread(ProcessorId source, ProcessorId destination)
    : state_((std::uint64_t{source} << 32 | destination) + 0x9e3779b97f4a7c15)
{
}

std::size_t Spread::pick(std::size_t choices)
{
    if (choices == 1)
        return 0;
    std::uint64_t mixed = state_;
    state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return (mixed ^ (mixed >> 31)) % choices;
}

} // namespace nocturne
