// Places in the files of tt-npe on a network.
#pragma once

#include "models/topology/topology.hpp"
#include "models/traffic/byte_source.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

/// A grid of rows (y) and columns (x) with a processor at each place, or several planes of that, each with
/// interfaces of its own (composition.hpp).
class NpeGrid {
public:
    /// Throws std::runtime_error, one line that names the file, for another topology.
    NpeGrid(const Topology& topology, const std::string& path);

    std::uint64_t rows() const { return rows_; }
    std::uint64_t columns() const { return columns_; }
    std::uint64_t networks() const { return networks_; }
    bool has(std::uint64_t x, std::uint64_t y) const { return x < columns_ && y < rows_; }
    ProcessorId processor_at(std::uint64_t network, std::uint64_t x, std::uint64_t y) const
    {
        return static_cast<ProcessorId>((network * rows_ + y) * columns_ + x);
    }
    /// `NOC_1` is the second network; where there is one only it takes everything. Nothing for another name.
    std::optional<std::uint64_t> network_of(std::string_view name) const;

private:
    std::uint64_t rows_ = 0;
    std::uint64_t columns_ = 0;
    std::uint64_t networks_ = 1;
};

/// Rows and columns, both ends included.
struct NpeRectangle {
    std::uint64_t first_x = 0, first_y = 0, last_x = 0, last_y = 0;

    std::uint64_t places() const { return (last_x - first_x + 1) * (last_y - first_y + 1); }
};

/// With the smaller ends first: the second network counts corners from the other end.
NpeRectangle with_ordered_ends(NpeRectangle corners);

/// Does the file begin, behind white space, with this character?
bool begins_with(ByteSource& bytes, char first);

/// The whole file. Throws std::runtime_error, one line that names it, for what is no JSON or too long.
nlohmann::json read_npe_json(const std::string& path, ByteSource& bytes);

} // namespace nocturne
