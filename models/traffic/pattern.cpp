#include "models/traffic/pattern.hpp"

#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/plain_numbers.hpp"
#include "models/traffic/application.hpp"
#include "models/traffic/noxim_table.hpp"
#include "models/traffic/numbers.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace nocturne {

AliasTable::AliasTable(std::span<const double> weights)
{
    double sum = 0;
    for (const double weight : weights) {
        if (!(weight >= 0) || !std::isfinite(weight))
            throw std::invalid_argument(fmt::format("weight {}: 0 or more", weight));
        sum += weight;
    }
    if (!(sum > 0))
        throw std::invalid_argument("no weight above 0");
    // Each slot holds the mean: what a number lacks is filled up with one that has more.
    const auto count = static_cast<double>(weights.size());
    std::vector<double> rest;
    std::vector<std::uint32_t> small;
    std::vector<std::uint32_t> large;
    for (std::uint32_t i = 0; i < weights.size(); ++i) {
        rest.push_back(weights[i] / sum * count);
        slots_.push_back({1, i});
        (rest[i] < 1 ? small : large).push_back(i);
    }
    while (!small.empty() && !large.empty()) {
        const std::uint32_t from = large.back();
        const std::uint32_t to = small.back();
        small.pop_back();
        slots_[to] = {rest[to], from};
        rest[from] -= 1 - rest[to];
        if (rest[from] < 1) {
            large.pop_back();
            small.push_back(from);
        }
    }
    // Rounding may leave slots that are almost full; a number without weight has found its filler before.
    for (const std::uint32_t i : small)
        if (weights[i] == 0)
            slots_[i] = {0, static_cast<std::uint32_t>(std::max_element(weights.begin(), weights.end()) -
                                                       weights.begin())};
}

std::vector<double> AliasTable::probabilities() const
{
    const auto count = static_cast<double>(slots_.size());
    std::vector<double> result(slots_.size());
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
        result[slot] += slots_[slot].own / count;
        result[slots_[slot].other] += (1 - slots_[slot].own) / count;
    }
    return result;
}

TrafficPattern TrafficPattern::uniform(std::uint32_t processors)
{
    return {Kind::uniform, processors};
}

TrafficPattern TrafficPattern::permutation(Permutation destination)
{
    check_permutation(destination, destination.size());
    TrafficPattern pattern(Kind::permutation, static_cast<std::uint32_t>(destination.size()));
    pattern.permutation_ = std::move(destination);
    return pattern;
}

TrafficPattern TrafficPattern::hotspot(std::uint32_t processors, std::span<const ProcessorId> hot,
                                       double share)
{
    if (!(share >= 0 && share <= 1))
        throw std::invalid_argument(fmt::format("pattern hotspot: share {}: from 0 to 1", share));
    if (hot.empty())
        throw std::invalid_argument("pattern hotspot: no hot processor");
    for (const ProcessorId id : hot)
        if (id >= processors)
            throw std::invalid_argument(
                fmt::format("pattern hotspot: processor {}: there are {}", id, processors));
    TrafficPattern pattern(Kind::hotspot, processors);
    pattern.hot_.assign(hot.begin(), hot.end());
    pattern.hot_share_ = share;
    return pattern;
}

TrafficPattern TrafficPattern::matrix(std::uint32_t processors, std::span<const double> weights)
{
    if (weights.size() != std::size_t{processors} * processors)
        throw std::invalid_argument(fmt::format("traffic matrix: {} numbers for {} x {} processors",
                                                weights.size(), processors, processors));
    TrafficPattern pattern(Kind::matrix, processors);
    pattern.row_of_.assign(processors, 0);
    double all = 0;
    for (ProcessorId source = 0; source < processors; ++source) {
        const auto row = weights.subspan(std::size_t{source} * processors, processors);
        for (const double weight : row)
            if (!(weight >= 0) || !std::isfinite(weight))
                throw std::invalid_argument(
                    fmt::format("traffic matrix: {} in the row of processor {}: 0 or more", weight, source));
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        pattern.shares_[source] = sum;
        all += sum;
        if (sum > 0) {
            pattern.row_of_[source] = static_cast<std::uint32_t>(pattern.rows_.size());
            pattern.rows_.emplace_back(row);
        }
    }
    if (!(all > 0) || !std::isfinite(all))
        throw std::invalid_argument("traffic matrix: no traffic");
    for (double& share : pattern.shares_)
        share *= processors / all;
    return pattern;
}

TrafficPattern TrafficPattern::sent_by(const std::vector<bool>& senders) const
{
    TrafficPattern pattern = *this;
    double all = 0;
    for (ProcessorId source = 0; source < processors(); ++source)
        all += pattern.shares_[source] = senders[source] ? shares_[source] : 0;
    if (all == 0)
        throw std::invalid_argument("traffic that no processor sends");
    for (double& share : pattern.shares_)
        share *= processors() / all;
    return pattern;
}

TrafficPattern TrafficPattern::adversarial(const Topology& topology, std::uint32_t shift)
{
    const unsigned each = topology.routers_per_group();
    if (each == 0)
        throw std::invalid_argument(
            fmt::format("pattern adversarial: {} has no groups of routers", topology.name()));
    const auto groups = static_cast<std::uint32_t>(topology.router_count() / each);
    if (shift % groups == 0)
        throw std::invalid_argument(
            fmt::format("pattern adversarial:{}: the {} groups would send to themselves", shift, groups));
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    TrafficPattern pattern(Kind::matrix, processors);
    for (std::uint32_t group = 0; group < groups; ++group) {
        std::vector<double> weights(processors);
        for (ProcessorId id = 0; id < processors; ++id)
            weights[id] = topology.processor(id).ejection / each == (group + shift) % groups ? 1 : 0;
        if (std::count(weights.begin(), weights.end(), 1) == 0)
            throw std::invalid_argument(fmt::format("pattern adversarial: {}: group {} has no processor",
                                                    topology.name(), (group + shift) % groups));
        pattern.rows_.emplace_back(weights);
    }
    for (ProcessorId id = 0; id < processors; ++id)
        pattern.row_of_.push_back(topology.processor(id).injection / each);
    return pattern;
}

TrafficPattern TrafficPattern::multicast(std::uint32_t processors, std::span<const MulticastGroup> groups)
{
    TrafficPattern pattern(Kind::multicast, processors);
    pattern.groups_.resize(processors);
    for (const MulticastGroup& group : groups) {
        if (group.destinations.empty())
            throw std::invalid_argument("pattern multicast: a group without destinations");
        for (const ProcessorId id : group.destinations)
            if (id >= processors || group.source >= processors)
                throw std::invalid_argument(fmt::format(
                    "pattern multicast: {} to {}: there are {} processors", group.source, id, processors));
        pattern.groups_[group.source].push_back(group.destinations);
    }
    const auto sources = static_cast<double>(
        std::ranges::count_if(pattern.groups_, [](const auto& own) { return !own.empty(); }));
    if (sources == 0)
        throw std::invalid_argument("pattern multicast: no group");
    for (ProcessorId id = 0; id < processors; ++id)
        pattern.shares_[id] = pattern.groups_[id].empty() ? 0 : processors / sources;
    return pattern;
}

double TrafficPattern::unicasts(ProcessorId source) const
{
    if (kind_ != Kind::multicast || groups_[source].empty())
        return 1;
    std::size_t sum = 0;
    for (const std::vector<ProcessorId>& group : groups_[source])
        sum += group.size();
    return static_cast<double>(sum) / static_cast<double>(groups_[source].size());
}

void require_unicast(const TrafficPattern& pattern, std::string_view who)
{
    if (pattern.is_multicast())
        throw std::invalid_argument(
            fmt::format("{}: pattern multicast: each message goes to one processor", who));
}

std::vector<double> TrafficPattern::destinations(ProcessorId source) const
{
    if (kind_ == Kind::multicast) {
        std::vector<double> result(processors());
        const double all = unicasts(source) * static_cast<double>(groups_[source].size());
        for (const std::vector<ProcessorId>& group : groups_[source])
            for (const ProcessorId id : group)
                result[id] += 1 / all;
        return result;
    }
    if (kind_ == Kind::matrix)
        return rows_[row_of_[source]].probabilities();
    if (kind_ == Kind::permutation) {
        std::vector<double> result(processors());
        result[permutation_[source]] = 1;
        return result;
    }
    const double to_any = kind_ == Kind::hotspot ? 1 - hot_share_ : 1;
    std::vector<double> result(processors(), to_any / processors());
    for (const ProcessorId hot : hot_)
        result[hot] += hot_share_ / static_cast<double>(hot_.size());
    return result;
}

namespace {

TrafficPattern hotspot_of(const Topology& topology, std::string_view text)
{
    const std::size_t comma = text.rfind(',');
    if (comma == std::string_view::npos)
        throw std::invalid_argument(
            fmt::format("pattern hotspot:{}: expected processors and a share: hotspot:0+5,0.2", text));
    const std::string_view number = text.substr(comma + 1);
    const auto share = number_of<double>(number);
    if (!share)
        throw std::invalid_argument(fmt::format("pattern hotspot:{}: '{}' is no share", text, number));
    std::vector<std::string> names;
    boost::split(names, text.substr(0, comma), [](char c) { return c == '+'; });
    std::vector<ProcessorId> hot;
    PlainNumbers numbers(topology, fmt::format("pattern hotspot:{}", text));
    for (const std::string& name : names) {
        const auto id = numbers.find_processor(name);
        if (!id)
            throw std::invalid_argument(
                fmt::format("pattern hotspot:{}: {} has no processor '{}'", text, topology.name(), name));
        hot.push_back(*id);
    }
    return TrafficPattern::hotspot(static_cast<std::uint32_t>(topology.processor_count()), hot, *share);
}

TrafficPattern adversarial_of(const Topology& topology, std::string_view text)
{
    const auto shift = number_of<std::uint32_t>(text);
    if (!shift)
        throw std::invalid_argument(fmt::format(
            "pattern adversarial:{}: it is adversarial:SHIFT, a number of groups such as 1", text));
    return TrafficPattern::adversarial(topology, *shift);
}

TrafficPattern multicast_of(const Topology& topology, std::string_view text, std::uint64_t seed)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    if (const auto destinations = number_of<std::uint32_t>(text))
        return TrafficPattern::multicast(processors, random_groups(processors, *destinations, seed));
    return TrafficPattern::multicast(processors, read_groups(topology, std::string(text)));
}

TrafficPattern matrix_of(const Topology& topology, const std::string& path)
{
    try {
        return TrafficPattern::matrix(static_cast<std::uint32_t>(topology.processor_count()),
                                      read_numbers(path));
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
    }
}

} // namespace

std::vector<std::string> pattern_names()
{
    std::vector<std::string> names{"uniform"};
    for (std::string& name : permutation_names())
        names.push_back(std::move(name));
    names.insert(names.end(),
                 {"hotspot:P[+P...],SHARE", "adversarial:SHIFT", "permutation:FILE", "matrix:FILE",
                  "multicast:K", "multicast:FILE", "application:FILE[,MAPPING]", "noxim:FILE"});
    return names;
}

namespace {

/// Throws for a pattern that takes parameters and has none.
void require_parameters(std::string_view name, std::string_view parameters)
{
    std::vector<std::string> forms;
    for (const std::string& form : pattern_names())
        if (const std::size_t colon = form.find(':');
            parameters.empty() && colon != std::string::npos && form.substr(0, colon) == name)
            forms.push_back(form);
    if (!forms.empty())
        throw std::invalid_argument(fmt::format("pattern {}: it takes parameters: {}{}", name,
                                                fmt::join(forms, " or "),
                                                name == "hotspot" ? ", such as hotspot:0,0.2" : ""));
}

} // namespace

TrafficPattern make_pattern(const Topology& topology, std::string_view text, std::uint64_t seed)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    const std::string_view rest =
        colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    if (text == "uniform")
        return TrafficPattern::uniform(processors);
    require_parameters(name, rest);
    if (name == "hotspot")
        return hotspot_of(topology, rest);
    if (name == "adversarial")
        return adversarial_of(topology, rest);
    if (name == "noxim")
        require_all_processors(topology, text);
    if (name == "permutation")
        return TrafficPattern::permutation(read_permutation(std::string(rest), processors));
    if (name == "matrix")
        return matrix_of(topology, std::string(rest));
    if (name == "multicast")
        return multicast_of(topology, rest, seed);
    if (name == "noxim")
        return read_noxim_table(topology, std::string(rest)).pattern;
    if (name == "application")
        return pattern_of(topology, map_application(topology, rest, seed));
    const std::vector<std::string> names = permutation_names();
    if (std::find(names.begin(), names.end(), standard_spelling(text)) == names.end()) {
        const std::vector<std::string> without_parameters{
            "hotspot", "adversarial", "permutation", "matrix", "application", "multicast", "noxim"};
        throw std::invalid_argument(unknown_name("pattern", name, pattern_names(), without_parameters));
    }
    return TrafficPattern::permutation(make_permutation(topology, text, seed));
}

} // namespace nocturne
