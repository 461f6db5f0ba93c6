#include "sim/imports/gpu_models.hpp"

#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::string_view nvlink = "NVLink", xgmi = "xGMI";
constexpr LinkRate gen3_x16 = 15'750'000, gen4_x16 = 31'500'000, gen5_x16 = 63'000'000,
                   gen6_x16 = 121'000'000; ///< pcie_rate() of 16 lanes

/// Vendors state the sum of all links and both directions, in GB/s; half of it, divided by the links, is the
/// rate of a link. The sums are those of the data sheets as others cite them; what is marked by `*` was found
/// in no text that is at hand.
constexpr GpuModel gpu_table[]{
    {"P100", nvlink, 20'000'000, 4, gen3_x16, "60"},   // 160 over 4
    {"V100", nvlink, 25'000'000, 6, gen3_x16, "70"},   // 300 over 6; NV1 and NV2, six a GPU
    {"A100", nvlink, 25'000'000, 12, gen4_x16, "80"},  // 600 over 12
    {"A800", nvlink, 25'000'000, 8, gen4_x16, "80"},   // 400 over 8
    {"A6000", nvlink, 14'062'500, 4, gen4_x16, "86"},  // nvidia-smi nvlink -s: 14.062 GB/s, 4 links
    {"A40", nvlink, 14'062'500, 4, gen4_x16, "86"},    // the same chip *
    {"L40S", nvlink, 0, 0, gen4_x16, "89"},            // no NVLink *
    {"H100", nvlink, 25'000'000, 18, gen5_x16, "90"},  // 900 over 18
    {"H200", nvlink, 25'000'000, 18, gen5_x16, "90"},  // 900 over 18
    {"H800", nvlink, 25'000'000, 8, gen5_x16, "90"},   // 400 over 8 *
    {"H20", nvlink, 25'000'000, 18, gen5_x16, "90"},   // 900 over 18; NV18 in its matrices
    {"B200", nvlink, 50'000'000, 18, gen5_x16, "100"}, // 1800 over 18
    // 1800 over 18; the GPU reaches its host faster (NVLink-C2C), and NICs over PCIe 5.0 x16 *
    {"GB200", nvlink, 50'000'000, 18, gen5_x16, "100"},
    {"B300", nvlink, 50'000'000, 18, gen6_x16, "103"},      // 1800 over 18 *
    {"GB300", nvlink, 50'000'000, 18, gen6_x16, "103"},     // 1800 over 18 *
    {"MI100", xgmi, 46'000'000, 3, gen4_x16, "gfx908", 1},  // 276 over 3 *
    {"MI210", xgmi, 50'000'000, 3, gen4_x16, "gfx90a"},     // 300 over 3 *
    {"MI250X", xgmi, 50'000'000, 8, gen4_x16, "gfx90a"},    // of a die: 4 in the package, 4 outside *
    {"MI300X", xgmi, 64'000'000, 7, gen5_x16, "gfx942", 1}, // 896 over 7
    {"MI325X", xgmi, 64'000'000, 7, gen5_x16, "gfx942", 1}, // 896 over 7 *
    {"MI350X", xgmi, 76'800'000, 7, gen5_x16, "gfx950", 1}, // 1075 over 7
    {"MI355X", xgmi, 76'800'000, 7, gen5_x16, "gfx950", 1}, // 1075 over 7
};

} // namespace

std::span<const GpuModel> gpu_models()
{
    return gpu_table;
}

std::vector<std::string> gpu_model_names()
{
    std::vector<std::string> names;
    for (const GpuModel& model : gpu_table)
        names.emplace_back(model.name);
    return names;
}

const GpuModel& gpu_model(std::string_view name)
{
    const auto found = std::ranges::find(gpu_table, name, &GpuModel::name);
    if (found == std::end(gpu_table))
        throw std::runtime_error(fmt::format("--gpu: {}", unknown_name("GPU", name, gpu_model_names())));
    return *found;
}

const GpuModel* model_of_architecture(std::string_view architecture)
{
    const GpuModel* best = nullptr;
    for (const GpuModel& model : gpu_table)
        if (model.architecture == architecture && (best == nullptr || model.links > best->links))
            best = &model;
    return best;
}

} // namespace nocturne
