#include "models/text/number.hpp"
#include "models/text/terminal_text.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"
#include "sim/imports/gpu_models.hpp"
#include "sim/imports/machine_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

using SmiWords = std::vector<std::string_view>;

[[noreturn]] void fail_smi(const std::string& origin, const std::string& reason)
{
    throw std::runtime_error(one_line(fmt::format("{}: {}", origin, reason)));
}

bool is_gpu_name(std::string_view word)
{
    return word.starts_with("GPU") && number_of<unsigned>(word.substr(3)).has_value();
}

/// The columns of a heading: the first is a GPU, and what says nothing of links comes behind the last one.
SmiWords columns_of(const SmiWords& words)
{
    if (words.empty() || !is_gpu_name(words[0]))
        return {};
    const bool is_row = words.size() > 1 && !is_gpu_name(words[1]) && words[1] != "CPU" &&
                        !words[1].starts_with("NIC") && !words[1].starts_with("mlx");
    if (is_row)
        return {};
    const auto end =
        std::ranges::find_if(words, [](std::string_view word) { return word == "CPU" || word == "NUMA"; });
    return {words.begin(), end};
}

std::vector<std::string_view> lines_behind(std::string_view text, std::string_view title)
{
    std::vector<std::string_view> lines;
    bool is_behind = title.empty();
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (is_behind)
            lines.push_back(line);
        is_behind = is_behind || line.find(title) != line.npos;
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return lines;
}

SmiMatrix empty_matrix(const SmiWords& columns, const std::string& origin)
{
    SmiMatrix matrix;
    matrix.columns.assign(columns.begin(), columns.end());
    matrix.gpus = static_cast<unsigned>(std::ranges::count_if(columns, is_gpu_name));
    if (matrix.gpus > most_box_gpus || columns.size() > 4 * most_box_gpus)
        fail_smi(origin, fmt::format("the matrix has {} columns: expected at most {} GPUs and {} NICs",
                                     columns.size(), most_box_gpus, 3 * most_box_gpus));
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i < matrix.gpus && !is_gpu_name(columns[i]))
            fail_smi(origin, fmt::format("column {} is {}: GPUs come first", i + 1, shortened(columns[i])));
        if (std::find(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(i), columns[i]) !=
            columns.begin() + static_cast<std::ptrdiff_t>(i))
            fail_smi(origin, fmt::format("there are two columns {}", shortened(columns[i])));
    }
    matrix.cells.resize(matrix.gpus);
    return matrix;
}

const GpuModel& model_for_matrix(const std::optional<std::string>& gpu, std::string_view fabric,
                                 const std::string& origin)
{
    if (!gpu) {
        std::vector<std::string_view> names;
        for (const GpuModel& model : gpu_models())
            if (model.fabric == fabric)
                names.push_back(model.name);
        fail_smi(origin, fmt::format("the matrix has no rates: --gpu MODEL says that of a link ({})",
                                     fmt::join(names, ", ")));
    }
    const GpuModel& model = gpu_model(*gpu);
    if (model.fabric != fabric)
        throw std::runtime_error(fmt::format("--gpu {}: it has {}, and {} is a matrix of {} GPUs", model.name,
                                             model.fabric, origin,
                                             fabric == "NVLink" ? "NVIDIA's" : "AMD's"));
    return model;
}

// nvidia-smi

struct SmiDistance {
    std::string_view code;
    unsigned distance;
};

/// By what the path crosses: one PCIe switch, several, a host bridge, several of a NUMA node, sockets (SOC in
/// earlier versions).
constexpr std::array smi_distances{
    SmiDistance{"PIX", below_one_switch}, SmiDistance{"PXB", below_one_switch + 1},
    SmiDistance{"PHB", in_one_numa_node}, SmiDistance{"NODE", in_one_numa_node + 1},
    SmiDistance{"SYS", in_one_box},       SmiDistance{"SOC", in_one_box}};

const SmiDistance* find_distance(std::string_view code)
{
    const auto found = std::ranges::find(smi_distances, code, &SmiDistance::code);
    return found == smi_distances.end() ? nullptr : &*found;
}

/// The number in NV18, 0 for the other codes. Throws for what is no code.
unsigned nvlinks_in(const SmiMatrix& matrix, unsigned row, unsigned column, const std::string& origin)
{
    const std::string& code = matrix.cell(row, column);
    if (code.starts_with("NV"))
        if (const auto links = number_of<unsigned>(std::string_view(code).substr(2));
            links && *links > 0 && *links <= 64)
            return *links;
    if (find_distance(code) == nullptr)
        fail_smi(origin, fmt::format("{} to {} is '{}': expected NV1 to NV64, PIX, PXB, PHB, NODE or SYS, as "
                                     "nvidia-smi topo -m prints them",
                                     matrix.columns[row], matrix.columns[column], shortened(code)));
    return 0;
}

std::vector<std::vector<unsigned>> nvlinks_of(const SmiMatrix& matrix, const std::string& origin)
{
    std::vector links(matrix.gpus, std::vector<unsigned>(matrix.gpus));
    for (unsigned a = 0; a < matrix.gpus; ++a) {
        if (matrix.cell(a, a) != "X")
            fail_smi(origin, fmt::format("{} to itself is '{}': expected X", matrix.columns[a],
                                         shortened(matrix.cell(a, a))));
        for (unsigned b = 0; b < a; ++b) {
            links[a][b] = links[b][a] = nvlinks_in(matrix, a, b, origin);
            if (matrix.cell(a, b) != matrix.cell(b, a))
                fail_smi(origin, fmt::format("the matrix is not symmetric: {0} to {1} is {2}, and {1} to {0} "
                                             "is {3}",
                                             matrix.columns[a], matrix.columns[b], matrix.cell(a, b),
                                             shortened(matrix.cell(b, a))));
        }
    }
    return links;
}

/// Direct links or NVSwitches, as box_of_nvidia_smi() says.
void add_nvlinks(GpuBox& box, const std::vector<std::vector<unsigned>>& links, const GpuModel& model,
                 const std::string& origin)
{
    unsigned most = 0, most_in_all = 0;
    for (const std::vector<unsigned>& row : links) {
        most = std::max(most, std::ranges::max(row));
        most_in_all = std::max(most_in_all, std::accumulate(row.begin(), row.end(), 0u));
    }
    if (most > model.links)
        throw std::runtime_error(fmt::format("--gpu {}: {} has NV{}, and this GPU has {} NVLinks", model.name,
                                             origin, most, model.links));
    if (most_in_all <= model.links) {
        for (unsigned a = 0; a < box.gpus; ++a)
            for (unsigned b = a + 1; b < box.gpus; ++b)
                if (links[a][b] > 0)
                    box.pairs.push_back({a, b, links[a][b] * model.link});
        if (most > 0)
            box.notes.push_back(
                fmt::format("NV# is a direct link: # NVLinks of {} one way ({}). A GPU has up "
                            "to {} of its {} to other GPUs.",
                            shown_rate(model.link), model.name, most_in_all, model.links));
        return;
    }
    if (most < model.links)
        throw std::runtime_error(
            fmt::format("--gpu {}: in {} a GPU names {} NVLinks in all and at most NV{}: too many for direct "
                        "links of a GPU with {}, and too few for NVSwitches, behind which it names all {}",
                        model.name, origin, most_in_all, most, model.links, model.links));
    for (const std::vector<unsigned>& row : links)
        box.switched.push_back(std::ranges::max(row) * model.link);
    box.notes.push_back(
        fmt::format("Pairs name NV{}, all NVLinks of this GPU ({}): it is behind NVSwitches. They "
                    "are one switch here, nvswitch, to which a GPU has {} x {} = {} one way.",
                    most, model.name, most, shown_rate(model.link), shown_rate(most * model.link)));
}

void add_nic_columns(GpuBox& box, const SmiMatrix& matrix, const std::string& origin)
{
    for (std::size_t column = matrix.gpus; column < matrix.columns.size(); ++column) {
        BoxNic nic{.name = matrix.columns[column], .rate = 0, .pcie = 0, .distances = {}};
        for (unsigned gpu = 0; gpu < matrix.gpus; ++gpu) {
            const SmiDistance* const found = find_distance(matrix.cell(gpu, column));
            if (found == nullptr)
                fail_smi(origin, fmt::format("{} to {} is '{}': expected PIX, PXB, PHB, NODE or SYS",
                                             matrix.columns[gpu], shortened(nic.name),
                                             shortened(matrix.cell(gpu, column))));
            nic.distances.push_back(found->distance);
        }
        box.nics.push_back(std::move(nic));
    }
}

} // namespace

std::optional<SmiMatrix> read_smi_matrix(std::string_view text, std::string_view title,
                                         const std::string& origin)
{
    const std::string plain = without_terminal_codes(text);
    std::optional<SmiMatrix> matrix;
    for (const std::string_view line : lines_behind(plain, title)) {
        const SmiWords words = words_of_line(line);
        if (!matrix) {
            if (const SmiWords columns = columns_of(words); !columns.empty())
                matrix = empty_matrix(columns, origin);
            continue;
        }
        if (words.empty() || !is_gpu_name(words[0])) {
            if (!title.empty() && line.find("===") != line.npos)
                break; // the next part of rocm-smi's output
            continue;
        }
        if (words.size() > 1 && !columns_of(words).empty())
            fail_smi(origin, "there are several matrices: give that of one machine");
        const auto first_nic = matrix->columns.begin() + matrix->gpus;
        const auto found = std::find(matrix->columns.begin(), first_nic, words[0]);
        if (found == first_nic)
            fail_smi(origin,
                     fmt::format("there is a row {}, and no column of that name", shortened(words[0])));
        std::vector<std::string>& row =
            matrix->cells[static_cast<std::size_t>(found - matrix->columns.begin())];
        if (!row.empty())
            fail_smi(origin, fmt::format("there are two rows {}: give the matrix of one machine",
                                         shortened(words[0])));
        if (words.size() <= matrix->columns.size())
            fail_smi(origin, fmt::format("row {} has {} of {} cells", shortened(words[0]), words.size() - 1,
                                         matrix->columns.size()));
        row.assign(words.begin() + 1,
                   words.begin() + 1 + static_cast<std::ptrdiff_t>(matrix->columns.size()));
    }
    if (!matrix)
        return matrix;
    for (unsigned gpu = 0; gpu < matrix->gpus; ++gpu)
        if (matrix->cells[gpu].empty())
            fail_smi(origin, fmt::format("the matrix is cut off: row {} is missing", matrix->columns[gpu]));
    return matrix;
}

GpuBox box_of_nvidia_smi(std::string_view text, const std::string& origin,
                         const std::optional<std::string>& gpu)
{
    const auto matrix = read_smi_matrix(text, "", origin);
    if (!matrix)
        fail_smi(origin, "there is no matrix with a heading GPU0, GPU1, …");
    const std::vector<std::vector<unsigned>> links = nvlinks_of(*matrix, origin);
    const GpuModel& model = model_for_matrix(gpu, "NVLink", origin);
    GpuBox box;
    box.gpus = matrix->gpus;
    box.pcie.assign(box.gpus, model.pcie);
    add_nvlinks(box, links, model, origin);
    add_nic_columns(box, *matrix, origin);
    return box;
}

GpuBox box_of_rocm_smi(std::string_view text, const std::string& origin,
                       const std::optional<std::string>& gpu)
{
    const auto types = read_smi_matrix(text, "Link Type between two GPUs", origin);
    if (!types)
        fail_smi(origin, "there is no matrix of link types: rocm-smi --showtopo prints it");
    const auto hops = read_smi_matrix(text, "Hops between two GPUs", origin);
    if (hops && hops->columns != types->columns)
        fail_smi(origin, "the matrix of hops has other GPUs than that of link types");
    const GpuModel& model = model_for_matrix(gpu, "xGMI", origin);
    GpuBox box;
    box.fabric = "xGMI";
    box.gpus = types->gpus;
    box.pcie.assign(box.gpus, model.pcie);
    std::vector<unsigned> links(box.gpus);
    for (unsigned a = 0; a < box.gpus; ++a)
        for (unsigned b = 0; b < a; ++b) {
            const std::string &type = types->cell(a, b), &back = types->cell(b, a);
            const auto pair = [&] { return fmt::format("{} to {}", types->columns[a], types->columns[b]); };
            if (type != "XGMI" && type != "PCIE")
                fail_smi(origin, fmt::format("{} is '{}': expected XGMI or PCIE", pair(), shortened(type)));
            if (type != back)
                fail_smi(origin, fmt::format("the matrix is not symmetric: {} is {}, and the other way {}",
                                             pair(), type, shortened(back)));
            if (type == "PCIE" || (hops && hops->cell(a, b) != "1"))
                continue;
            if (model.pair_links == 0)
                fail_smi(origin,
                         fmt::format("the matrix does not say how many links join two GPUs, and {} may have "
                                     "several: give RCCL's XML (NCCL_TOPO_DUMP_FILE) instead",
                                     model.name));
            box.pairs.push_back({b, a, model.pair_links * model.link});
            for (const unsigned end : {a, b})
                links[end] += model.pair_links;
        }
    if (const unsigned most = std::ranges::max(links); most > model.links)
        throw std::runtime_error(
            fmt::format("--gpu {}: it has {} xGMI links, and a GPU of {} is linked to {}", model.name,
                        model.links, origin, most));
    if (!box.pairs.empty())
        box.notes.push_back(fmt::format("XGMI is a direct link of {} one way ({}){}.",
                                        shown_rate(model.pair_links * model.link), model.name,
                                        hops ? ", where there is one hop" : "; the text has no hops"));
    return box;
}

} // namespace nocturne
