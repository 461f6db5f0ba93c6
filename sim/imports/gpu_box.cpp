#include "sim/imports/gpu_box.hpp"

#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "sim/imports/gpu_models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

namespace nocturne {

namespace {

struct NicLayout {
    unsigned boxes = 1;
    bool is_by_rail = false;   ///< each GPU has NICs of its own, of the same rate
    std::vector<LinkRate> own; ///< by GPU, of its own NICs
    LinkRate all = 0;          ///< of all NICs of a box
    std::vector<std::string> notes;
};

/// Names of at most so many NICs are listed.
constexpr std::size_t most_listed = 8;

std::string listed(std::span<const std::string> names)
{
    const std::span<const std::string> first = names.first(std::min(names.size(), most_listed));
    return fmt::format("{}{}", fmt::join(first, ", "),
                       names.size() > most_listed ? fmt::format(" and {} others", names.size() - most_listed)
                                                  : std::string());
}

unsigned nearest_distance(const BoxNic& nic)
{
    return *std::ranges::min_element(nic.distances);
}

/// The beginning of the distance's class.
unsigned class_of_distance(unsigned distance)
{
    return distance >= in_one_box         ? in_one_box
           : distance >= in_one_numa_node ? in_one_numa_node
                                          : below_one_switch;
}

/// Those of the option, or of the text with their rates.
std::vector<BoxNic> nics_with_rates(const GpuBox& box, const MachineOptions& options, std::string_view origin,
                                    std::vector<std::string>& notes)
{
    const unsigned boxes = *options.boxes;
    if (options.nic && options.nic->count > 0) {
        if (!box.nics.empty())
            notes.push_back(fmt::format("The NICs are those of --nic: the {} of the text are left out.",
                                        box.nics.size()));
        const BoxNic nic{.name = "NIC",
                         .rate = options.nic->rate,
                         .pcie = 0,
                         .distances = std::vector<unsigned>(box.gpus, below_one_switch)};
        return std::vector<BoxNic>(options.nic->count, nic);
    }
    if (box.nics.empty())
        throw std::runtime_error(
            options.nic
                ? fmt::format("--nic: {} has no NICs: say how many a box has, as in --nic 8x400Gb/s", origin)
                : fmt::format("--boxes {}: {} has no NICs: say how many a box has and their rate, as "
                              "in --nic 8x400Gb/s",
                              boxes, origin));
    std::vector<BoxNic> nics = box.nics;
    for (BoxNic& nic : nics) {
        if (options.nic)
            nic.rate = options.nic->rate;
        if (nic.rate == 0)
            throw std::runtime_error(
                fmt::format("--boxes {}: {} does not say the rate of {}: --nic RATE says it, as 400Gb/s",
                            boxes, origin, nic.name));
    }
    return nics;
}

/// Of several boxes; the rules are those of network_of_boxes(). Throws std::runtime_error, one line, if
/// number or rate of the NICs is not known.
NicLayout lay_out_nics(const GpuBox& box, const MachineOptions& options, std::string_view origin)
{
    NicLayout layout;
    layout.boxes = *options.boxes;
    layout.own.resize(box.gpus);
    const std::vector<BoxNic> nics = nics_with_rates(box, options, origin, layout.notes);
    unsigned nearest = in_one_box;
    for (const BoxNic& nic : nics)
        nearest = std::min(nearest, class_of_distance(nearest_distance(nic)));
    std::map<std::vector<unsigned>, std::vector<LinkRate>> groups; // of NICs by their nearest GPUs
    std::vector<std::string> left_out, slowed;
    for (const BoxNic& nic : nics) {
        const unsigned distance = nearest_distance(nic);
        if (class_of_distance(distance) > nearest) {
            left_out.push_back(nic.name);
            continue;
        }
        std::vector<unsigned> gpus;
        for (unsigned gpu = 0; gpu < box.gpus; ++gpu)
            if (nic.distances[gpu] == distance)
                gpus.push_back(gpu);
        const bool is_slowed = nic.pcie > 0 && nic.pcie < nic.rate;
        if (is_slowed)
            slowed.push_back(nic.name);
        groups[gpus].push_back(is_slowed ? nic.pcie : nic.rate);
        layout.all += groups[gpus].back();
    }
    bool is_dealt = true;
    for (const auto& [gpus, rates] : groups) {
        is_dealt = is_dealt && rates.size() % gpus.size() == 0;
        const std::size_t share = std::max<std::size_t>(1, rates.size() / gpus.size());
        for (std::size_t i = 0; i < rates.size(); ++i)
            layout.own[gpus[i / share % gpus.size()]] += rates[i];
    }
    layout.is_by_rail = is_dealt && layout.own.front() > 0 &&
                        std::ranges::all_of(layout.own, [&](LinkRate own) { return own == layout.own[0]; });
    layout.notes.push_back(fmt::format("A box has {} NIC{}, {} together.", nics.size() - left_out.size(),
                                       nics.size() - left_out.size() == 1 ? "" : "s",
                                       shown_rate(layout.all)));
    if (!left_out.empty())
        layout.notes.push_back(
            fmt::format("Left out, because other NICs are nearer to GPUs: {}; --nic 8x400Gb/s counts 8 NICs.",
                        listed(left_out)));
    if (!slowed.empty())
        layout.notes.push_back(
            fmt::format("The PCIe link counts where it is slower than the NIC: {}.", listed(slowed)));
    return layout;
}

/// Whether pairs and switches alone join all GPUs.
bool is_joined(const GpuBox& box)
{
    const bool has_switch = std::ranges::any_of(box.switched, [](LinkRate rate) { return rate > 0; });
    std::vector<unsigned> group(box.gpus + 1); // the last one is the switch
    std::iota(group.begin(), group.end(), 0u);
    const auto join = [&](unsigned a, unsigned b) {
        const unsigned from = group[a], to = group[b];
        std::ranges::replace(group, from, to);
    };
    for (const GpuPair& pair : box.pairs)
        join(pair.a, pair.b);
    for (unsigned gpu = 0; gpu < box.switched.size(); ++gpu)
        if (box.switched[gpu] > 0)
            join(gpu, box.gpus);
    return std::all_of(group.begin(), has_switch ? group.end() : group.end() - 1,
                       [&](unsigned each) { return each == group.front(); });
}

/// The links of a network, until its clock is known.
class MachinePlan {
public:
    MachinePlan(const GpuBox& box, unsigned boxes)
        : box_(box), boxes_(boxes),
          topology_(boxes == 1 ? fmt::format("{} GPUs", box.gpus)
                               : fmt::format("{} boxes of {} GPUs", boxes, box.gpus))
    {
        for (unsigned b = 0; b < boxes; ++b)
            for (unsigned gpu = 0; gpu < box.gpus; ++gpu)
                topology_.add_processor(topology_.add_router(boxes == 1 ? fmt::format("gpu{}", gpu)
                                                                        : fmt::format("b{}g{}", b, gpu)));
    }

    RouterId gpu(unsigned b, unsigned gpu) const { return b * box_.gpus + gpu; }

    RouterId add_switch(std::string name) { return topology_.add_router(std::move(name)); }

    void join(RouterId a, RouterId b, LinkRate rate) { links_.push_back({a, b, rate}); }

    /// A switch of this name in each box, to which each GPU has a link of its rate.
    std::vector<RouterId> add_hubs(std::string_view name, std::span<const LinkRate> rates)
    {
        std::vector<RouterId> hubs;
        for (unsigned b = 0; b < boxes_; ++b) {
            hubs.push_back(add_switch(boxes_ == 1 ? std::string(name) : fmt::format("b{}{}", b, name)));
            for (unsigned k = 0; k < box_.gpus; ++k)
                if (rates[k] > 0)
                    join(gpu(b, k), hubs.back(), rates[k]);
        }
        return hubs;
    }

    MachineNetwork finish(std::vector<std::string> notes)
    {
        std::vector<LinkRate> rates;
        for (const PlannedLink& link : links_)
            rates.push_back(link.rate);
        const LinkClock clock = clock_for(rates);
        for (const PlannedLink& link : links_)
            for (const auto& [from, to] : {std::pair(link.a, link.b), std::pair(link.b, link.a)})
                topology_.add_channel(
                    {.source = from, .target = to, .width_bytes = clock.width_of(link.rate)});
        if (clock.error > 0)
            notes.push_back(fmt::format("Rates are rounded to whole bytes per cycle, by up to {:.2g} %.",
                                        100 * clock.error));
        notes.push_back("The text has no latencies: a link takes 1 cycle.");
        return {.topology = std::move(topology_), .clock = clock, .notes = std::move(notes)};
    }

private:
    struct PlannedLink {
        RouterId a, b;
        LinkRate rate;
    };

    const GpuBox& box_;
    unsigned boxes_;
    Topology topology_;
    std::vector<PlannedLink> links_;
};

/// `63 GB/s each`, or `31.5 to 63 GB/s`.
std::string shown_rates(std::span<const LinkRate> rates)
{
    const auto [least, most] = std::ranges::minmax(rates);
    return least == most ? shown_rate(least) + " each"
                         : fmt::format("{} to {}", shown_rate(least), shown_rate(most));
}

void require_pcie(const GpuBox& box, std::string_view origin, std::string_view why)
{
    if (std::ranges::find(box.pcie, LinkRate{0}) != box.pcie.end())
        throw std::runtime_error(
            fmt::format("{}: {}, and the text does not say the rate of PCIe links: --gpu MODEL says it ({})",
                        origin, why, fmt::join(gpu_model_names(), ", ")));
}

/// Rails, or one switch for all NICs; `hubs` are those of PCIe, if there are some.
void add_nics(MachinePlan& plan, const GpuBox& box, const NicLayout& layout, std::vector<RouterId> hubs,
              std::string_view origin)
{
    const unsigned boxes = static_cast<unsigned>(layout.boxes);
    if (hubs.empty() && layout.is_by_rail) {
        for (unsigned k = 0; k < box.gpus; ++k) {
            const RouterId rail = plan.add_switch(fmt::format("rail{}", k));
            const LinkRate rate = box.pcie[k] == 0 ? layout.own[k] : std::min(layout.own[k], box.pcie[k]);
            for (unsigned b = 0; b < boxes; ++b)
                plan.join(plan.gpu(b, k), rail, rate);
        }
        return;
    }
    if (hubs.empty()) {
        require_pcie(box, origin, "GPUs share NICs, which they reach over PCIe");
        hubs = plan.add_hubs("nics", box.pcie);
    }
    const RouterId fabric = plan.add_switch("fabric");
    for (const RouterId hub : hubs)
        plan.join(hub, fabric, layout.all);
}

void note_nics(std::vector<std::string>& notes, const GpuBox& box, const NicLayout& layout, bool has_hubs)
{
    notes.insert(notes.end(), layout.notes.begin(), layout.notes.end());
    if (!has_hubs && layout.is_by_rail) {
        notes.push_back(fmt::format("Each GPU has NICs of its own, {}: GPUs k of all boxes meet in switch "
                                    "railk. Between rails the way is through a box.",
                                    shown_rate(layout.own.front())));
        const bool is_limited =
            std::ranges::any_of(box.pcie, [&](LinkRate pcie) { return pcie > 0 && pcie < layout.own[0]; });
        if (is_limited)
            notes.push_back(fmt::format("The PCIe link of a GPU is slower than its NICs, and counts: {}.",
                                        shown_rates(box.pcie)));
        return;
    }
    notes.push_back(fmt::format(
        "GPUs share the NICs of their box: each reaches them over PCIe, {}, through the switch b0{}, which "
        "has {} to the switch fabric.",
        shown_rates(box.pcie), has_hubs ? "pcie" : "nics", shown_rate(layout.all)));
}

} // namespace

NicOption parse_nic_option(std::string_view text)
{
    NicOption option;
    std::string_view rate = text;
    if (const std::size_t times = text.find('x'); times != text.npos) {
        const auto count = number_of<unsigned>(text.substr(0, times));
        if (!count || *count == 0 || *count > most_box_gpus)
            throw std::invalid_argument(fmt::format("--nic {}: expected 1 to {} NICs, as in 8x400Gb/s",
                                                    shortened(text), most_box_gpus));
        option.count = *count;
        rate.remove_prefix(times + 1);
    }
    const auto parsed = parse_link_rate(rate);
    if (!parsed)
        throw std::invalid_argument(fmt::format(
            "--nic {}: expected a rate in bits or bytes, as 400Gb/s or 50GB/s, or so many of them, "
            "as 8x400Gb/s",
            shortened(text)));
    option.rate = *parsed;
    return option;
}

MachineNetwork network_of_boxes(const GpuBox& box, const MachineOptions& options, std::string_view origin)
{
    const unsigned boxes = options.boxes.value_or(1);
    if (boxes == 1 && options.nic)
        throw std::runtime_error("--nic: no effect on one box: --boxes N joins N of them by their NICs");
    if (boxes == 1 && box.gpus < 2)
        throw std::runtime_error(
            fmt::format("{}: one GPU makes no network; --boxes N joins N such boxes", origin));
    if (std::uint64_t{boxes} * box.gpus > most_machine_gpus)
        throw std::runtime_error(fmt::format("--boxes {}: {} GPUs each are more than {} in all", boxes,
                                             box.gpus, most_machine_gpus));
    std::vector<std::string> notes = box.notes;
    MachinePlan plan(box, boxes);
    for (unsigned b = 0; b < boxes; ++b)
        for (const GpuPair& pair : box.pairs)
            plan.join(plan.gpu(b, pair.a), plan.gpu(b, pair.b), pair.rate);
    if (std::ranges::any_of(box.switched, [](LinkRate rate) { return rate > 0; }))
        plan.add_hubs("nvswitch", box.switched);
    std::vector<RouterId> hubs;
    if (!is_joined(box)) {
        const std::string unjoined = fmt::format("{}s do not join all GPUs", box.fabric);
        require_pcie(box, origin, unjoined);
        hubs = plan.add_hubs("pcie", box.pcie);
        notes.push_back(fmt::format("{}: each has a PCIe link, {}, to a switch called pcie. Limits of PCIe "
                                    "switches and between sockets are not in the network.",
                                    unjoined, shown_rates(box.pcie)));
    }
    if (boxes == 1) {
        if (!box.nics.empty())
            notes.push_back(
                fmt::format("{} left out: --boxes N joins N boxes by their NICs.",
                            box.nics.size() == 1 ? "1 NIC is" : fmt::format("{} NICs are", box.nics.size())));
        return plan.finish(std::move(notes));
    }
    const NicLayout layout = lay_out_nics(box, options, origin);
    note_nics(notes, box, layout, !hubs.empty());
    add_nics(plan, box, layout, std::move(hubs), origin);
    return plan.finish(std::move(notes));
}

} // namespace nocturne
