// Topologies that people post of their GPU machines, as networks.
#pragma once

#include "sim/imports/gpu_box.hpp"
#include "sim/imports/imported_command.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// Is it one of foreign_configuration() that import_machine() reads?
bool is_machine_kind(std::string_view kind);

/// The text, of that kind, as a network, and the command that searches an all-reduce on it. `network_file`:
/// the name that the network file will have. Throws std::runtime_error, one line that begins with the name of
/// the text or with an option: for broken texts, what is missing and no option gives, and for options that
/// have no effect on the text.
ImportedCommand import_machine(std::string_view kind, const ForeignText& text, const MachineOptions& options,
                               const std::string& network_file);

/// Throws std::runtime_error for each of these options: the text, of another kind, has no GPUs.
void refuse_machine_options(const MachineOptions& options, std::string_view kind, std::string_view origin);

// The XML in which NCCL and RCCL write the topology of a machine (NCCL_TOPO_DUMP_FILE; NVIDIA/nccl,
// src/graph/xml.cc and topo.cc).

/// GPUs in the order of their ranks. A link's target is the bus id of a GPU, or an NVSwitch (class 0x068000):
/// all of these are one switch. Links to processors (0x068001) are left out. The rate of a link is that of
/// the architecture (`sm`, `gcn`), or of `gpu`, a model that must be of that architecture. The rate of a PCIe
/// path is that of the slowest link between GPU or NIC and its CPU, as far as the file says it, else that of
/// `gpu`. Throws std::runtime_error, one line that begins with `origin` or `--gpu`, for other texts, and for
/// links to GPUs that are not in the file.
GpuBox box_of_nccl_xml(std::string_view text, const std::string& origin,
                       const std::optional<std::string>& gpu);

// Topologies of SimAI's packet-level simulator (Wang et al., SimAI: unifying architecture design and
// performance tuning for large-scale large language model training with scalability and precision, NSDI 2025;
// aliyun/SimAI, astra-sim-alibabacloud/inputs/topo).

/// Numbers of the first line: nodes, GPUs of a server, NVSwitches, other switches, links, and a word, the
/// type of the GPUs; then the nodes that are NVSwitches and switches; then links in both directions, each two
/// nodes, a rate, a latency and a share of errors. GPUs are the other nodes, in their order: `gpu0`, or with
/// several servers `b0g0`. Latencies are rounded to cycles, at least 1. Throws std::runtime_error, one line
/// with the line of the text, also for more than largest_pairwise_network.
MachineNetwork network_of_simai(std::string_view text, const std::string& origin);

// Matrices of the GPUs of a machine, as nvidia-smi and rocm-smi print them.

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
