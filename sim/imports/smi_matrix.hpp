// Matrices of the GPUs of a machine, as nvidia-smi and rocm-smi print them.
#pragma once

#include "sim/imports/gpu_box.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// A cell for each row of a GPU and each column.
struct SmiMatrix {
    std::vector<std::string> columns; ///< GPUs come first
    unsigned gpus = 0;
    std::vector<std::vector<std::string>> cells;

    const std::string& cell(unsigned row, std::size_t column) const { return cells[row][column]; }
};

/// The first matrix behind a line that has `title` in it; an empty title: in the text. Nothing if there is no
/// heading of GPUs. Throws std::runtime_error, one line that begins with `origin`, for missing and short
/// rows, several matrices, and more than most_box_gpus.
std::optional<SmiMatrix> read_smi_matrix(std::string_view text, std::string_view title,
                                         const std::string& origin);

/// `nvidia-smi topo -m`. `gpu`: the model (gpu_models.hpp), which is needed. GPUs are behind NVSwitches if
/// they name more links to all others than they have and a pair names all links of the model; else NV# is so
/// many links between two GPUs. The pcie rate is the model's. Throws std::runtime_error, one line.
GpuBox box_of_nvidia_smi(std::string_view text, const std::string& origin,
                         const std::optional<std::string>& gpu);

/// `rocm-smi --showtopo` or `--showtopotype`, likewise. Pairs of the type XGMI are joined directly if they
/// are one hop apart, or no hops are printed.
GpuBox box_of_rocm_smi(std::string_view text, const std::string& origin,
                       const std::optional<std::string>& gpu);

} // namespace nocturne
