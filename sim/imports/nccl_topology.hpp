// The XML in which NCCL and RCCL write the topology of a machine (NCCL_TOPO_DUMP_FILE; NVIDIA/nccl,
// src/graph/xml.cc and topo.cc).
#pragma once

#include "sim/imports/gpu_box.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

/// GPUs in the order of their ranks. A link's target is the bus id of a GPU, or an NVSwitch (class 0x068000):
/// all of these are one switch. Links to processors (0x068001) are left out. The rate of a link is that of
/// the architecture (`sm`, `gcn`), or of `gpu`, a model that must be of that architecture. The rate of a PCIe
/// path is that of the slowest link between GPU or NIC and its CPU, as far as the file says it, else that of
/// `gpu`. Throws std::runtime_error, one line that begins with `origin` or `--gpu`, for other texts, and for
/// links to GPUs that are not in the file.
GpuBox box_of_nccl_xml(std::string_view text, const std::string& origin,
                       const std::optional<std::string>& gpu);

} // namespace nocturne
