// One reading of plain numbers for all that a file or an option names.
#pragma once

#include "models/topology/topology.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace nocturne {

/// The index in `json` if it is a number below `limit`.
std::optional<std::uint32_t> index_in(const nlohmann::json& json, std::uint64_t limit);

/// Finds the vertices of one file or one option as Topology::find_router() and find_processor() do. A plain
/// number (`63`) is the name of a vertex where there is one of that name, and else an index; a file whose
/// numbers are in part one and in part the other says something else than was meant. So once a number has
/// been the name of a vertex of another index, or has leading zeros, no plain number is an index any more,
/// and the other way round: find throws std::invalid_argument, with both numbers and what to write. The
/// topology must outlive this.
class PlainNumbers {
public:
    /// `what` has these numbers: `fault`; errors begin with it.
    PlainNumbers(const Topology& topology, std::string what) : topology_(&topology), what_(std::move(what)) {}

    std::optional<RouterId> find_router(std::string_view text);
    std::optional<ProcessorId> find_processor(std::string_view text);

    /// In JSON a vertex is a text, as above, or its index as a number. Throw std::invalid_argument if
    /// there is none: `mesh:4x4 has no router 16`.
    RouterId router_in(const nlohmann::json& json);
    ProcessorId processor_in(const nlohmann::json& json);

    /// Has a plain number been an index, and no name?
    bool has_index() const { return !index_.empty(); }

private:
    void note(std::string_view text, std::uint32_t found, std::string_view name);

    const Topology* topology_;
    std::string what_;
    std::string name_;  ///< a number that was a name only
    std::string index_; ///< a number that was no name
};

} // namespace nocturne
