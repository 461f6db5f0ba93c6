#include "sim/imports/machine_text.hpp"

#include "models/text/shell_word.hpp"
#include "models/text/utf8.hpp"
#include "models/topology/files.hpp"
#include "models/topology/json_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace nocturne {

namespace {

/// As foreign_configuration() calls them.
constexpr std::string_view nccl_kind = "a topology of NCCL or RCCL",
                           nvidia_kind = "a matrix of nvidia-smi topo", rocm_kind = "a matrix of rocm-smi",
                           simai_kind = "a SimAI topology";

void refuse_options(const MachineOptions& options, const std::string& why)
{
    const auto refuse = [&](bool is_given, std::string_view option) {
        if (is_given)
            throw std::runtime_error(fmt::format("{}: {}", option, why));
    };
    refuse(options.gpu.has_value(), "--gpu");
    refuse(options.nic.has_value(), "--nic");
    refuse(options.boxes.has_value(), "--boxes");
}

MachineNetwork network_of_machine(std::string_view kind, const ForeignText& text,
                                  const MachineOptions& options)
{
    if (kind == simai_kind) {
        refuse_options(options,
                       fmt::format("{} is {}, which says all rates and boxes itself", text.origin, kind));
        return network_of_simai(text.text, text.origin);
    }
    const GpuBox box = kind == nccl_kind     ? box_of_nccl_xml(text.text, text.origin, options.gpu)
                       : kind == nvidia_kind ? box_of_nvidia_smi(text.text, text.origin, options.gpu)
                                             : box_of_rocm_smi(text.text, text.origin, options.gpu);
    return network_of_boxes(box, options, text.origin);
}

} // namespace

bool is_machine_kind(std::string_view kind)
{
    static constexpr std::array kinds{nccl_kind, nvidia_kind, rocm_kind, simai_kind};
    return std::ranges::find(kinds, kind) != kinds.end();
}

ImportedCommand import_machine(std::string_view kind, const ForeignText& text, const MachineOptions& options,
                               const std::string& network_file)
{
    require_utf8(text.text, text.origin);
    MachineNetwork network = network_of_machine(kind, text, options);
    ImportedCommand imported{.from = std::string(kind),
                             .arguments = {"schedule", network_file, "--collective", "allreduce", "--bytes",
                                           "64MiB", "--cycle-ns", fmt::format("{}", network.clock.cycle_ns)},
                             .notes = std::move(network.notes),
                             .network = to_json(network.topology),
                             .keys = {}};
    imported.notes.push_back(fmt::format("A cycle of {} ns: only with it are the widths in the network file "
                                         "these rates.",
                                         network.clock.cycle_ns));
    imported.notes.push_back("--collective allreduce and --bytes 64MiB are examples.");
    imported.notes.push_back(
        fmt::format("nocturne audit LOG --topology {} judges measured logs on this network, "
                    "with the same --cycle-ns.",
                    network_file.empty() ? "FILE" : shell_word(network_file)));
    for (std::string& note : imported.notes)
        note = one_line(note); // names may have line breaks, and notes are comments of a shell
    return imported;
}

void refuse_machine_options(const MachineOptions& options, std::string_view kind, std::string_view origin)
{
    refuse_options(options, fmt::format("only for topologies of GPU machines, and {} is {}", origin, kind));
}

} // namespace nocturne
