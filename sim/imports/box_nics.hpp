// Which NICs of a box belong to which of its GPUs. Of use to gpu_box.cpp only.
#pragma once

#include "sim/imports/gpu_box.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

struct NicLayout {
    unsigned boxes = 1;
    bool is_by_rail = false;   ///< each GPU has NICs of its own, of the same rate
    std::vector<LinkRate> own; ///< by GPU, of its own NICs
    LinkRate all = 0;          ///< of all NICs of a box
    std::vector<std::string> notes;
};

/// Of several boxes; the rules are those of network_of_boxes(). Throws std::runtime_error, one line, if
/// number or rate of the NICs is not known.
NicLayout lay_out_nics(const GpuBox& box, const MachineOptions& options, std::string_view origin);

} // namespace nocturne
