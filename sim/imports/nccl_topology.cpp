#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"
#include "sim/imports/gpu_models.hpp"
#include "sim/imports/machine_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr unsigned most_pci_levels = 32;
constexpr unsigned most_links_of_gpu = 64;
constexpr std::string_view nvswitch_class = "0x068000", processor_class = "0x068001";

/// From a CPU down to a device.
struct PciPath {
    unsigned cpu = 0;
    std::vector<unsigned> elements; ///< numbers of <pci>, in the order of the file
    LinkRate rate = 0;              ///< the lowest that is known; 0: none
};

struct XmlLink {
    pugi::xml_node node;
    std::string target;
    std::string target_class;
    unsigned count = 0;
};

struct XmlGpu {
    pugi::xml_node node;
    std::string bus;
    PciPath path;
    std::int64_t rank = -1;
    std::string architecture; ///< empty: not known
    std::vector<XmlLink> links;
};

struct XmlNic {
    BoxNic nic;
    PciPath path;
};

std::string lower(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

class NcclXml {
public:
    NcclXml(std::string_view text, const std::string& origin) : text_(text), origin_(origin)
    {
        const pugi::xml_parse_result parsed = document_.load_buffer(text.data(), text.size());
        if (!parsed)
            fail_at(parsed.offset, fmt::format("no XML, or cut off: {}", parsed.description()));
        const pugi::xml_node system = document_.child("system");
        if (!system)
            fail_at(0, "there is no <system>");
        for (const pugi::xml_node cpu : system.children("cpu")) {
            const PciPath path{.cpu = cpus_++, .elements = {}, .rate = 0};
            add_nics_below(cpu, path);
            for (const pugi::xml_node pci : cpu.children("pci"))
                visit(pci, path);
        }
        if (gpus.empty())
            fail_at(0, "there is no <gpu>: this is no topology, or one that NCCL reads, without links; "
                       "NCCL_TOPO_DUMP_FILE=FILE makes a job write it with them");
        if (gpus.size() > most_box_gpus)
            fail_at(0, fmt::format("there are more than {} GPUs", most_box_gpus));
        sort_by_rank();
    }

    std::vector<XmlGpu> gpus;
    std::vector<XmlNic> nics;

    [[noreturn]] void fail(const pugi::xml_node& node, const std::string& reason) const
    {
        fail_at(node.offset_debug(), reason);
    }

    [[noreturn]] void fail_at(std::ptrdiff_t offset, const std::string& reason) const
    {
        const std::size_t end =
            std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)), text_.size());
        throw std::runtime_error(one_line(fmt::format(
            "{}: line {}: {}", origin_, 1 + std::ranges::count(text_.substr(0, end), '\n'), reason)));
    }

private:
    std::int64_t number_in(const pugi::xml_node& node, const char* name, std::int64_t least,
                           std::int64_t most) const
    {
        const std::string_view value = node.attribute(name).value();
        const auto number = number_of<std::int64_t>(value);
        if (!number || *number < least || *number > most)
            fail(node, fmt::format("{}=\"{}\" of <{}> is no whole number from {} to {}", name,
                                   shortened(value), node.name(), least, most));
        return *number;
    }

    /// 0: the file does not say it.
    static LinkRate rate_of(const pugi::xml_node& pci)
    {
        const std::string_view speed = pci.attribute("link_speed").value();
        const auto gigatransfers = number_of<double>(speed.substr(0, speed.find(' ')));
        const auto lanes = number_of<unsigned>(pci.attribute("link_width").value());
        return gigatransfers && lanes && *lanes <= 32 && speed.find("GT/s") != speed.npos
                   ? pcie_rate(*gigatransfers, *lanes)
                   : 0;
    }

    void visit(const pugi::xml_node& pci, PciPath path)
    {
        if (path.elements.size() == most_pci_levels)
            fail(pci, fmt::format("<pci> in more than {} others", most_pci_levels));
        path.elements.push_back(pcis_++);
        if (const LinkRate rate = rate_of(pci); rate > 0)
            path.rate = path.rate == 0 ? rate : std::min(path.rate, rate);
        const std::string bus = lower(pci.attribute("busid").value());
        if (bus.empty())
            fail(pci, "<pci> has no busid");
        for (const pugi::xml_node gpu : pci.children("gpu"))
            add_gpu(gpu, bus, path);
        add_nics_below(pci, path);
        for (const pugi::xml_node below : pci.children("pci"))
            visit(below, path);
    }

    void add_gpu(const pugi::xml_node& node, const std::string& bus, const PciPath& path)
    {
        if (!buses_.insert(bus).second)
            fail(node, fmt::format("there are two GPUs with the bus id {}: give the file of one machine",
                                   shortened(bus)));
        XmlGpu gpu{.node = node, .bus = bus, .path = path, .rank = -1, .architecture = {}, .links = {}};
        if (node.attribute("rank"))
            gpu.rank = number_in(node, "rank", -1, 1 << 24);
        gpu.architecture = architecture_of(node);
        for (const char* kind : {"nvlink", "xgmi"})
            for (const pugi::xml_node link : node.children(kind))
                gpu.links.push_back(
                    {.node = link,
                     .target = lower(link.attribute("target").value()),
                     .target_class = lower(link.attribute("tclass").value()),
                     .count = static_cast<unsigned>(number_in(link, "count", 1, most_links_of_gpu))});
        gpus.push_back(std::move(gpu));
    }

    /// Earlier RCCL writes `gcn` as a number: 908 for gfx908, 910 for gfx90a.
    static std::string architecture_of(const pugi::xml_node& gpu)
    {
        const std::string gcn = lower(gpu.attribute("gcn").value());
        if (gcn.empty())
            return gpu.attribute("sm").value();
        return gcn == "910" ? "gfx90a" : gcn.starts_with("gfx") ? gcn.substr(0, gcn.find(':')) : "gfx" + gcn;
    }

    void add_nics_below(const pugi::xml_node& parent, const PciPath& path)
    {
        for (const pugi::xml_node nic : parent.children("nic"))
            for (const pugi::xml_node net : nic.children("net")) {
                XmlNic added{.nic = {.name = net.attribute("name").value(),
                                     .rate = 0,
                                     .pcie = path.rate,
                                     .distances = {}},
                             .path = path};
                if (added.nic.name.empty())
                    added.nic.name = fmt::format("NIC{}", nics.size());
                constexpr LinkRate megabit_per_s = 125;
                if (net.attribute("speed"))
                    added.nic.rate =
                        megabit_per_s * static_cast<LinkRate>(number_in(net, "speed", 0, 100'000'000));
                nics.push_back(std::move(added));
            }
    }

    void sort_by_rank()
    {
        std::set<std::int64_t> ranks;
        for (const XmlGpu& gpu : gpus)
            if (gpu.rank < 0 || !ranks.insert(gpu.rank).second)
                return;
        std::ranges::sort(gpus, {}, &XmlGpu::rank);
    }

    pugi::xml_document document_;
    std::string_view text_;
    const std::string& origin_;
    unsigned cpus_ = 0, pcis_ = 0;
    std::set<std::string> buses_;
};

/// Devices below the same PCIe switch are nearer the fewer elements are between them.
unsigned distance_between(const PciPath& a, const PciPath& b)
{
    if (a.cpu != b.cpu)
        return in_one_box;
    const auto [end, ignored] = std::ranges::mismatch(a.elements, b.elements);
    const auto common = static_cast<std::size_t>(end - a.elements.begin());
    return common == 0 ? in_one_numa_node
                       : static_cast<unsigned>(a.elements.size() + b.elements.size() - 2 * common);
}

/// Links of the GPUs by what they lead to.
struct LinkCounts {
    std::vector<std::map<unsigned, unsigned>> to_gpus; ///< by GPU, then target
    std::vector<unsigned> to_switches;
    unsigned to_processors = 0;
    unsigned most = 0; ///< of a GPU, without those to processors
};

void require_whole(const NcclXml& xml, const std::map<std::string, unsigned>& index)
{
    std::set<std::string> missing;
    const XmlLink* first = nullptr;
    unsigned links = 0;
    for (const XmlGpu& gpu : xml.gpus)
        for (const XmlLink& link : gpu.links)
            if (link.target_class != nvswitch_class && link.target_class != processor_class &&
                !index.contains(link.target)) {
                first = first == nullptr ? &link : first;
                links += link.count;
                missing.insert(shortened(link.target));
            }
    if (first == nullptr)
        return;
    const std::size_t shown = std::min<std::size_t>(missing.size(), 4);
    xml.fail(first->node,
             fmt::format("this is a part of a topology: {} links lead to GPUs that are not in it ({}{}): "
                         "NCCL_TOPO_DUMP_FILE writes all of it in a job on all GPUs of the machine",
                         links,
                         fmt::join(missing.begin(),
                                   std::next(missing.begin(), static_cast<std::ptrdiff_t>(shown)), ", "),
                         missing.size() > shown ? ", …" : ""));
}

LinkCounts counts_of(const NcclXml& xml)
{
    std::map<std::string, unsigned> index;
    for (unsigned gpu = 0; gpu < xml.gpus.size(); ++gpu)
        index[xml.gpus[gpu].bus] = gpu;
    require_whole(xml, index);
    LinkCounts counts;
    counts.to_gpus.resize(xml.gpus.size());
    counts.to_switches.resize(xml.gpus.size());
    for (unsigned gpu = 0; gpu < xml.gpus.size(); ++gpu) {
        unsigned links = 0;
        for (const XmlLink& link : xml.gpus[gpu].links) {
            if (link.target_class == processor_class) {
                counts.to_processors += link.count;
                continue;
            }
            links += link.count;
            if (link.target_class == nvswitch_class)
                counts.to_switches[gpu] += link.count;
            else if (const unsigned target = index.at(link.target); target != gpu)
                counts.to_gpus[gpu][target] += link.count;
            else
                xml.fail(link.node, "a GPU has a link to itself");
        }
        counts.most = std::max(counts.most, links);
    }
    for (unsigned a = 0; a < xml.gpus.size(); ++a)
        for (const auto& [b, links] : counts.to_gpus[a]) {
            const auto back = counts.to_gpus[b].find(a);
            const unsigned links_back = back == counts.to_gpus[b].end() ? 0 : back->second;
            if (links_back != links)
                xml.fail(xml.gpus[a].node, fmt::format("{0} has {1} links to {2}, and {2} has {3} to {0}",
                                                       shortened(xml.gpus[a].bus), links,
                                                       shortened(xml.gpus[b].bus), links_back));
        }
    return counts;
}

/// Null if neither the file nor the option says one; nothing in the file may need it.
const GpuModel* model_in_xml(const NcclXml& xml, const std::string& origin,
                             const std::optional<std::string>& gpu)
{
    const std::string& architecture = xml.gpus.front().architecture;
    for (const XmlGpu& each : xml.gpus)
        if (each.architecture != architecture)
            xml.fail(each.node, fmt::format("GPUs of different architectures: {} and {}",
                                            shortened(architecture), shortened(each.architecture)));
    const GpuModel* const of_file = model_of_architecture(architecture);
    if (!gpu)
        return of_file;
    const GpuModel& given = gpu_model(*gpu);
    if (of_file != nullptr && given.architecture != architecture)
        throw std::runtime_error(
            fmt::format("--gpu {}: the GPUs in {} are of another architecture, {}, such as {}", given.name,
                        origin, architecture, of_file->name));
    return &given;
}

void add_links_of_xml(GpuBox& box, const NcclXml& xml, const GpuModel* model)
{
    const LinkCounts counts = counts_of(xml);
    if (counts.to_processors > 0)
        box.notes.push_back(fmt::format("{} links to processors are left out.", counts.to_processors));
    if (counts.most == 0)
        return;
    if (model == nullptr)
        xml.fail(
            xml.gpus.front().node,
            fmt::format("the rate of a link is not known for the architecture '{}': --gpu MODEL says it ({})",
                        shortened(xml.gpus.front().architecture), fmt::join(gpu_model_names(), ", ")));
    if (counts.most > model->links)
        xml.fail(xml.gpus.front().node,
                 fmt::format("a GPU has {} links, and {} has {}", counts.most, model->name, model->links));
    for (unsigned a = 0; a < box.gpus; ++a)
        for (const auto& [b, links] : counts.to_gpus[a])
            if (a < b)
                box.pairs.push_back({a, b, links * model->link});
    box.notes.push_back(fmt::format("One {} carries {} one way ({} {}).", box.fabric, shown_rate(model->link),
                                    box.fabric == "xGMI" ? "architecture" : "sm", model->architecture));
    if (std::ranges::all_of(counts.to_switches, [](unsigned links) { return links == 0; }))
        return;
    for (const unsigned links : counts.to_switches)
        box.switched.push_back(links * model->link);
    const auto [least, most] = std::ranges::minmax(counts.to_switches);
    box.notes.push_back(
        fmt::format("All NVSwitches are one switch here, nvswitch, to which a GPU has {} links.",
                    least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most)));
}

} // namespace

GpuBox box_of_nccl_xml(std::string_view text, const std::string& origin,
                       const std::optional<std::string>& gpu)
{
    NcclXml xml(text, origin);
    const GpuModel* const model = model_in_xml(xml, origin, gpu);
    GpuBox box;
    box.fabric = model != nullptr ? model->fabric : "NVLink";
    box.gpus = static_cast<unsigned>(xml.gpus.size());
    add_links_of_xml(box, xml, model);
    for (const XmlGpu& each : xml.gpus)
        box.pcie.push_back(each.path.rate > 0 || !gpu ? each.path.rate : model->pcie);
    for (XmlNic& nic : xml.nics) {
        for (const XmlGpu& each : xml.gpus)
            nic.nic.distances.push_back(distance_between(each.path, nic.path));
        box.nics.push_back(std::move(nic.nic));
    }
    return box;
}

} // namespace nocturne
