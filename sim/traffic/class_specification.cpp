#include "sim/traffic/class_specification.hpp"

#include "models/text/number.hpp"
#include "sim/simulation/background.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fnmatch.h>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

constexpr const char* class_keys = "pattern, senders, load, packet-flits, arrivals, vcs, vcs-of, priority";
constexpr unsigned most_class_vcs = 32;

template <class Number>
Number number_in_class(const std::string& key, const std::string& text, Number least, Number most)
{
    const auto number = number_of<Number>(text);
    if (!number || !(*number >= least && *number <= most))
        throw std::invalid_argument(
            fmt::format("{}={}: expected a number from {} to {}", key, text, least, most));
    return *number;
}

void set_key(ClassSpecification& of, const std::string& key, const std::string& value)
{
    if (key == "pattern")
        of.pattern = value;
    else if (key == "senders")
        of.senders = value;
    else if (key == "load")
        of.load = number_in_class<double>(key, value, 0, 1e6);
    else if (key == "packet-flits")
        of.packet_flits = value;
    else if (key == "arrivals")
        of.arrivals = value;
    else if (key == "vcs")
        of.vcs = number_in_class<unsigned>(key, value, 1, most_class_vcs);
    else if (key == "vcs-of")
        of.vcs_of = value;
    else if (key == "priority")
        of.priority = number_in_class<unsigned>(key, value, 0, 255);
    else
        throw std::invalid_argument(fmt::format("'{}' is no key of a class; there are {}", key, class_keys));
}

std::vector<std::pair<std::string, std::string>> key_values(std::string_view text)
{
    std::vector<std::pair<std::string, std::string>> parts;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        if (const std::size_t equals = part.find('='); equals != std::string_view::npos)
            parts.emplace_back(part.substr(0, equals), part.substr(equals + 1));
        else if (!parts.empty())
            parts.back().second += fmt::format(",{}", part);
        else
            throw std::invalid_argument(fmt::format("'{}' has no key; there are {}", part, class_keys));
    }
    return parts;
}

/// Loads of the classes of a routing that make VcClasses::shares() give each class of traffic so many.
std::vector<double> loads_of_vcs(const std::vector<ClassSpecification>& classes, const Routing& routing,
                                 std::span<const unsigned> vcs)
{
    const unsigned needed = routing.vc_classes.count();
    std::vector<double> loads;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        if (!classes[i].vcs_of.empty())
            continue;
        if (vcs[i] < needed)
            throw std::invalid_argument(fmt::format("class {}: routing {} needs {} virtual channels, vcs={}",
                                                    classes[i].name, routing.name, needed, vcs[i]));
        loads.insert(loads.end(), needed, static_cast<double>(vcs[i]) / needed);
    }
    return loads;
}

/// Where all classes say how many: that many each, whatever their routings would share out.
std::optional<VcClasses> given_vcs_of(const std::vector<ClassSpecification>& classes, const Routing& routing,
                                      const std::vector<std::vector<unsigned>>& by_channel)
{
    const auto gives = [](const ClassSpecification& each) { return each.vcs > 0; };
    if (std::ranges::none_of(classes, gives))
        return std::nullopt;
    if (!std::ranges::all_of(
            classes, [&](const ClassSpecification& each) { return gives(each) || !each.vcs_of.empty(); }))
        throw std::invalid_argument("classes of traffic: vcs= of all of them, or of none");
    std::vector<unsigned> everywhere;
    for (const ClassSpecification& each : classes)
        everywhere.push_back(each.vcs);
    std::vector<std::vector<double>> loads{loads_of_vcs(classes, routing, everywhere)};
    if (!by_channel.empty()) {
        loads.resize(by_channel.size(), loads.front());
        for (std::size_t channel = 0; channel < by_channel.size(); ++channel)
            if (!by_channel[channel].empty())
                loads[channel] = loads_of_vcs(classes, routing, by_channel[channel]);
    }
    return VcClasses::of_vcs(std::move(loads));
}

TrafficPattern pattern_of(const ClassSpecification& of, const Topology& topology, std::uint64_t seed)
{
    TrafficPattern pattern = make_pattern(topology, of.pattern, seed);
    if (of.senders == "*")
        return pattern;
    const std::vector<bool> senders = senders_of(of, topology);
    if (std::ranges::count(senders, true) == 0)
        throw std::invalid_argument(fmt::format("class {}: senders={}: {} has no such processor", of.name,
                                                of.senders, topology.name()));
    return pattern.sent_by(senders);
}

} // namespace

std::vector<bool> senders_of(const ClassSpecification& of, const Topology& topology)
{
    std::vector<bool> senders;
    for (const Processor& processor : topology.processors())
        senders.push_back(::fnmatch(of.senders.c_str(), processor.name.c_str(), 0) == 0);
    return senders;
}

ClassSpecification parse_class(std::string_view text)
{
    ClassSpecification result;
    const std::string_view name = text.substr(0, text.find(','));
    if (name.empty() || name.find('=') != std::string_view::npos)
        throw std::invalid_argument(fmt::format("expected NAME,load=X and more of {}", class_keys));
    result.name = name;
    std::set<std::string> seen;
    for (const auto& [key, value] : key_values(text.substr(std::min(text.size(), name.size() + 1)))) {
        set_key(result, key, value);
        if (!seen.insert(key).second)
            throw std::invalid_argument(fmt::format("class {}: {} twice", name, key));
    }
    if (!seen.contains("load"))
        throw std::invalid_argument(fmt::format("class {}: load is missing", name));
    make_message_sizes(result.packet_flits);
    make_arrivals(result.arrivals);
    return result;
}

void check_classes(const std::vector<ClassSpecification>& classes)
{
    std::set<std::string> names, owners;
    for (const ClassSpecification& each : classes) {
        if (!names.insert(each.name).second)
            throw std::invalid_argument(fmt::format("two classes of traffic are called {}", each.name));
        if (each.vcs_of.empty()) {
            owners.insert(each.name);
            continue;
        }
        if (each.vcs > 0)
            throw std::invalid_argument(fmt::format("class {}: vcs= beside vcs-of=", each.name));
        if (!owners.contains(each.vcs_of))
            throw std::invalid_argument(
                fmt::format("class {}: vcs-of={}: no class before it that has virtual channels of its own",
                            each.name, each.vcs_of));
    }
}

std::vector<ClassTraffic> PreparedClasses::traffic() const
{
    std::vector<ClassTraffic> result;
    for (const Each& each : classes)
        result.push_back({each.specification.name, each.traffic, *each.routing,
                          static_cast<std::uint8_t>(each.specification.priority)});
    return result;
}

double PreparedClasses::load() const
{
    return std::accumulate(classes.begin(), classes.end(), 0.0,
                           [](double sum, const Each& each) { return sum + each.traffic.load; });
}

PreparedClasses PreparedClasses::at(double load) const
{
    PreparedClasses scaled = *this;
    const double all = this->load();
    if (load != all)
        for (Each& each : scaled.classes)
            each.traffic.load = load * (each.traffic.load / all);
    return scaled;
}

double PreparedClasses::highest_load(const Topology& topology, PortModel ports) const
{
    const double all = load();
    if (!(all > 0))
        throw std::invalid_argument("classes of traffic: all loads are 0, which no factor changes");
    double highest = std::numeric_limits<double>::infinity();
    for (const Each& each : classes) {
        const double share = each.traffic.load / all;
        const double own = nocturne::highest_load(each.traffic, topology, ports);
        if (share > 0)
            highest = std::min(highest, own / share);
        while (highest * share > own) // rounded up
            highest = std::nextafter(highest, 0);
    }
    return highest;
}

PreparedClasses single_class(Traffic traffic, std::shared_ptr<const Routing> routing)
{
    traffic.load = 1;
    const VcClasses vc_classes = routing->vc_classes;
    return {{{{.name = "traffic"}, std::move(traffic), std::move(routing)}}, vc_classes};
}

PreparedClasses prepare_classes(const std::vector<ClassSpecification>& classes, const Topology& topology,
                                const std::shared_ptr<const Routing>& routing, std::uint64_t seed,
                                std::size_t queue_packets,
                                const std::vector<std::vector<unsigned>>& by_channel)
{
    check_classes(classes);
    if (!routing->is_oblivious())
        throw std::invalid_argument(fmt::format(
            "classes of traffic: routing {} is decided by the routers; one that is decided at the source is "
            "needed",
            routing->name));
    PreparedClasses prepared;
    SplitMix64 seeds(seed); // the first class is what it would be alone
    for (const ClassSpecification& each : classes) {
        const std::uint64_t own_seed = prepared.classes.empty() ? seed : seeds();
        const auto owner = std::ranges::find(prepared.classes, each.vcs_of,
                                             [](const auto& other) { return other.specification.name; });
        auto own = owner != prepared.classes.end() ? owner->routing
                   : prepared.classes.empty()
                       ? routing
                       : std::make_shared<const Routing>(with_vc_class_offset(*routing, prepared.vc_classes));
        if (each.vcs_of.empty())
            prepared.vc_classes = own->vc_classes;
        prepared.classes.push_back(
            {each,
             {pattern_of(each, topology, seed), each.load, make_message_sizes(each.packet_flits),
              make_arrivals(each.arrivals), own_seed, queue_packets},
             std::move(own)});
    }
    if (const std::optional<VcClasses> given = given_vcs_of(classes, *routing, by_channel))
        prepared.vc_classes = *given;
    return prepared;
}

} // namespace nocturne
