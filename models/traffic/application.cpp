#include "models/traffic/application.hpp"

#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"
#include "models/text/number.hpp"
#include "models/topology/csv_rows.hpp"
#include "models/topology/files.hpp"
#include "models/topology/plain_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace nocturne {

namespace {

/// Calls take(fields) for each line behind the header; what that throws gets file and line.
void read_rows(const std::string& path, std::string_view rows_header,
               const std::function<void(const std::vector<std::string>&)>& take)
{
    bool has_header = false;
    read_csv_rows(read_file(path), path, [&](const std::vector<std::string>& fields, std::size_t) {
        if (!has_header && csv_line(fields) != rows_header)
            throw std::invalid_argument(fmt::format("expected the header {}", rows_header));
        if (!std::exchange(has_header, true))
            return;
        require_csv_fields(fields.size(), rows_header);
        take(fields);
    });
    if (!has_header)
        throw std::runtime_error(fmt::format("{}: expected the header {}", path, rows_header));
}

/// Hops between routers, found when they are asked for.
class HopTable {
public:
    explicit HopTable(const Topology& topology) : topology_(topology), to_(topology.router_count()) {}

    double hops(ProcessorId source, ProcessorId destination)
    {
        const RouterId target = topology_.processor(destination).ejection;
        if (to_[target].empty())
            to_[target] = distances_to(topology_, target);
        const std::uint32_t hops = to_[target][topology_.processor(source).injection];
        if (hops == unreachable)
            throw std::invalid_argument(fmt::format("{}: no path from {} to {}", topology_.name(),
                                                    topology_.processor(source).name,
                                                    topology_.processor(destination).name));
        return hops;
    }

private:
    const Topology& topology_;
    std::vector<std::vector<std::uint32_t>> to_; ///< by router; empty until it is asked for
};

/// Cores and empty places, annealed.
class Annealing {
public:
    Annealing(const Application& application, const Topology& topology, HopTable& hops, std::uint64_t seed)
        : application_(application), hops_(hops), random_(seed), flows_of_(application.cores.size()),
          places_(topology.processor_count()), core_at_(topology.processor_count(), none)
    {
        for (std::uint32_t i = 0; i < application.flows.size(); ++i) {
            flows_of_[application.flows[i].source].push_back(i);
            flows_of_[application.flows[i].destination].push_back(i);
        }
        std::iota(places_.begin(), places_.end(), 0u);
        for (std::size_t i = places_.size(); i > 1; --i)
            std::swap(places_[i - 1], places_[random_.below(static_cast<std::uint32_t>(i))]);
        places_.resize(application.cores.size());
        for (std::uint32_t core = 0; core < places_.size(); ++core)
            core_at_[places_[core]] = core;
    }

    CoreMapping run()
    {
        const auto cores = static_cast<std::uint32_t>(places_.size());
        const auto processors = static_cast<std::uint32_t>(core_at_.size());
        const std::size_t moves = std::min<std::size_t>(std::size_t{cores} * processors * 4, 20'000);
        const double mean_rate = application_.mbytes_per_s() / static_cast<double>(application_.flows.size());
        double cost = 0;
        for (const Application::Flow& flow : application_.flows)
            cost += cost_of(flow);
        CoreMapping best = places_;
        double best_cost = cost;
        // From changes of a few mean flows by a hop down to where none of them is taken any more.
        for (double temperature = 4 * mean_rate; temperature > 0.01 * mean_rate; temperature *= 0.9)
            for (std::size_t move = 0; move < moves; ++move) {
                const std::uint32_t core = random_.below(cores);
                const ProcessorId to = random_.below(processors);
                if (to == places_[core])
                    continue;
                const double change = change_of(core, to);
                if (change > 0 && random_.uniform() >= std::exp(-change / temperature)) {
                    exchange(core, previous_);
                    continue;
                }
                cost += change;
                if (cost < best_cost - 1e-9 * mean_rate) {
                    best_cost = cost;
                    best = places_;
                }
            }
        return best;
    }

private:
    static constexpr std::uint32_t none = ~0u;

    double cost_of(const Application::Flow& flow)
    {
        return flow.mbytes_per_s * hops_.hops(places_[flow.source], places_[flow.destination]);
    }

    /// Of the flows of one core and, if there is one, of another; those between them once.
    double cost_of(std::uint32_t core, std::uint32_t other)
    {
        double cost = 0;
        for (const std::uint32_t flow : flows_of_[core])
            cost += cost_of(application_.flows[flow]);
        if (other != none)
            for (const std::uint32_t flow : flows_of_[other])
                if (application_.flows[flow].source != core && application_.flows[flow].destination != core)
                    cost += cost_of(application_.flows[flow]);
        return cost;
    }

    void exchange(std::uint32_t core, ProcessorId to)
    {
        const ProcessorId from = places_[core];
        const std::uint32_t other = core_at_[to];
        places_[core] = to;
        core_at_[to] = core;
        core_at_[from] = other;
        if (other != none)
            places_[other] = from;
    }

    /// The core goes there, who is there comes here.
    double change_of(std::uint32_t core, ProcessorId to)
    {
        const std::uint32_t other = core_at_[to];
        previous_ = places_[core];
        const double before = cost_of(core, other);
        exchange(core, to);
        return cost_of(core, other) - before;
    }

    const Application& application_;
    HopTable& hops_;
    SplitMix64 random_;
    std::vector<std::vector<std::uint32_t>> flows_of_; ///< by core
    CoreMapping places_;
    std::vector<std::uint32_t> core_at_; ///< by processor
    ProcessorId previous_ = 0;           ///< place of the core that was moved last
};

double cost_with(const Application& application, HopTable& hops, const CoreMapping& mapping)
{
    double cost = 0;
    for (const Application::Flow& flow : application.flows)
        cost += flow.mbytes_per_s * hops.hops(mapping[flow.source], mapping[flow.destination]);
    return cost;
}

} // namespace

double Application::mbytes_per_s() const
{
    return std::accumulate(flows.begin(), flows.end(), 0.0,
                           [](double sum, const Flow& flow) { return sum + flow.mbytes_per_s; });
}

Application read_application(const std::string& path)
{
    Application application;
    std::map<std::string, std::uint32_t> numbers;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    const auto core = [&](const std::string& name) {
        if (name.empty())
            throw std::invalid_argument("a core without a name");
        const auto [at, is_new] = numbers.emplace(name, static_cast<std::uint32_t>(numbers.size()));
        if (is_new)
            application.cores.push_back(name);
        return at->second;
    };
    read_rows(path, "source,destination,mbytes_per_s", [&](const std::vector<std::string>& fields) {
        const std::uint32_t source = core(fields[0]), destination = core(fields[1]);
        const auto rate = number_of<double>(fields[2]);
        if (!rate || !(*rate > 0) || !std::isfinite(*rate))
            throw std::invalid_argument(fmt::format("rate '{}': a number above 0", fields[2]));
        if (source == destination)
            throw std::invalid_argument(fmt::format("core {} sends to itself", fields[0]));
        if (!seen.emplace(source, destination).second)
            throw std::invalid_argument(fmt::format("a second flow from {} to {}", fields[0], fields[1]));
        application.flows.push_back({source, destination, *rate});
    });
    if (application.flows.empty())
        throw std::runtime_error(fmt::format("{}: no flow", path));
    return application;
}

CoreMapping read_mapping(const Topology& topology, const Application& application, const std::string& path)
{
    constexpr ProcessorId nowhere = ~0u;
    CoreMapping mapping(application.cores.size(), nowhere);
    PlainNumbers numbers(topology, "processors");
    read_rows(path, "core,processor", [&](const std::vector<std::string>& fields) {
        const auto core = std::ranges::find(application.cores, fields[0]);
        if (core == application.cores.end())
            throw std::invalid_argument(fmt::format("the application has no core '{}'", fields[0]));
        const auto processor = numbers.find_processor(fields[1]);
        if (!processor)
            throw std::invalid_argument(fmt::format("{} has no processor '{}'", topology.name(), fields[1]));
        if (std::ranges::find(mapping, *processor) != mapping.end())
            throw std::invalid_argument(fmt::format("processor {} has a core already", fields[1]));
        ProcessorId& place = mapping[static_cast<std::size_t>(core - application.cores.begin())];
        if (place != nowhere)
            throw std::invalid_argument(fmt::format("core {} has a processor already", fields[0]));
        place = *processor;
    });
    for (std::size_t core = 0; core < mapping.size(); ++core)
        if (mapping[core] == nowhere)
            throw std::runtime_error(fmt::format("{}: core {} is missing", path, application.cores[core]));
    return mapping;
}

double mapping_cost(const Application& application, const Topology& topology, const CoreMapping& mapping)
{
    HopTable hops(topology);
    return cost_with(application, hops, mapping);
}

CoreMapping anneal_mapping(const Application& application, const Topology& topology, std::uint64_t seed)
{
    constexpr unsigned starts = 3;
    constexpr std::size_t most_routers = 4096;
    if (application.cores.size() > topology.processor_count())
        throw std::invalid_argument(fmt::format("{} cores for the {} processors of {}",
                                                application.cores.size(), topology.processor_count(),
                                                topology.name()));
    if (topology.router_count() > most_routers)
        throw std::invalid_argument(fmt::format("{}: cores are mapped on up to {} routers, there are {}",
                                                topology.name(), most_routers, topology.router_count()));
    HopTable hops(topology);
    SplitMix64 seeds(seed);
    CoreMapping best;
    double best_cost = 0;
    for (unsigned start = 0; start < starts; ++start) {
        CoreMapping found = Annealing(application, topology, hops, seeds()).run();
        const double cost = cost_with(application, hops, found);
        if (best.empty() || cost < best_cost) {
            best = std::move(found);
            best_cost = cost;
        }
    }
    return best;
}

MappedApplication map_application(const Topology& topology, std::string_view text, std::uint64_t seed)
{
    const std::size_t comma = text.find(',');
    MappedApplication mapped{read_application(std::string(text.substr(0, comma))), {}, {}};
    if (comma == std::string_view::npos) {
        mapped.mapping = anneal_mapping(mapped.application, topology, seed);
    } else {
        mapped.mapping_file = text.substr(comma + 1);
        mapped.mapping = read_mapping(topology, mapped.application, mapped.mapping_file);
    }
    return mapped;
}

TrafficPattern pattern_of(const Topology& topology, const MappedApplication& mapped)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    std::vector<double> weights(std::size_t{processors} * processors);
    for (const Application::Flow& flow : mapped.application.flows)
        weights[std::size_t{mapped.mapping[flow.source]} * processors + mapped.mapping[flow.destination]] =
            flow.mbytes_per_s;
    return TrafficPattern::matrix(processors, weights);
}

double load_of(const Topology& topology, const Application& application, double flit_bytes, double cycle_ns)
{
    constexpr double bytes_per_ns = 1e-3; // of a megabyte a second
    return application.mbytes_per_s() * bytes_per_ns * cycle_ns / flit_bytes /
           static_cast<double>(topology.processor_count());
}

} // namespace nocturne
