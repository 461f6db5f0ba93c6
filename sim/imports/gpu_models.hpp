// Models of GPUs: how many links they have, and how fast these are.
#pragma once

#include "sim/imports/link_rates.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

struct GpuModel {
    std::string_view name;
    std::string_view fabric; ///< `NVLink` or `xGMI`
    LinkRate link = 0;       ///< of one link
    unsigned links = 0;      ///< of a GPU in all
    LinkRate pcie = 0;       ///< of its connection to the host and the NICs
    /// As NCCL's XML has it: `70` (sm), or `gfx942` (gcn). GPUs of one architecture have links of one rate.
    std::string_view architecture;
    /// Links between two GPUs that are joined directly; 0: not always the same number. Of xGMI only, whose
    /// matrices do not say it.
    unsigned pair_links = 0;
};

std::span<const GpuModel> gpu_models();
std::vector<std::string> gpu_model_names();

/// Throws std::runtime_error, `--gpu: unknown GPU …`, for a name that is not in the table.
const GpuModel& gpu_model(std::string_view name);

/// The model of this architecture with the most links; null if there is none.
const GpuModel* model_of_architecture(std::string_view architecture);

} // namespace nocturne
