#include "sim/imports/box_nics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace nocturne {

namespace {

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

} // namespace

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

} // namespace nocturne
