// Lines of what TE-CCL prints.
#pragma once

#include "models/topology/json_place.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// `9->11 with volume 0.25 in epoch 3 via switches 0`. Nodes have the file's numbers.
struct TecclHop {
    std::vector<std::uint32_t> nodes;   ///< source, what is crossed, destination
    std::uint32_t millionths = 1000000; ///< of a chunk, 1 or more; volumes are printed to six digits
    bool has_volume = false;
    std::uint32_t epoch = 0;
};

/// `Chunk 0 from 9 traveled over`, and a hop.
struct TecclFlow {
    std::uint32_t chunk, root;
    TecclHop hop;
};

/// `Demand at 11 for chunk 0 from 9 met by epoch 7`.
struct TecclDemand {
    std::uint32_t receiver, chunk, root;
};

// Each throws std::runtime_error, one line with the place, for any other text, for numbers of 65536 and more,
// and for volumes that are not more than 0 and at most 1.

TecclHop read_teccl_hop(const JsonPlace& place);
TecclFlow read_teccl_flow(const JsonPlace& place);
/// `text` is the name of a member of `place`.
TecclDemand read_teccl_demand(const JsonPlace& place, const std::string& text);
/// The number behind a word, as in `GPU 3`; the name of a member too.
std::uint32_t read_teccl_number(const JsonPlace& place, const std::string& text, const std::string& word);

} // namespace nocturne
