#include "sim/cli/evolution_options.hpp"

#include "schedules/evolution/presets.hpp"
#include "sim/cli/command.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

constexpr std::uint64_t most_individuals = 1'000'000;

/// A number of the parameters: the option that sets it, and where it is in each engine's.
template <class Value>
struct Setting {
    const char* option;
    Value UmdaParameters::*umda;
    Value MboaParameters::*mboa;
    Value HgsaParameters::*hgsa;
};

constexpr std::array counts{
    Setting<std::uint32_t>{"population", &UmdaParameters::population, &MboaParameters::population, nullptr},
    Setting<std::uint32_t>{"islands", &UmdaParameters::islands, &MboaParameters::islands, nullptr},
    Setting<std::uint32_t>{"epoch", &UmdaParameters::generations_per_epoch,
                           &MboaParameters::generations_per_epoch, &HgsaParameters::exchange},
    Setting<std::uint32_t>{"slaves", nullptr, nullptr, &HgsaParameters::slaves},
    Setting<std::uint32_t>{"slots-tested", &UmdaParameters::slots_tested, &MboaParameters::slots_tested,
                           nullptr},
    Setting<std::uint32_t>{"tournament", nullptr, &MboaParameters::tournament, nullptr},
    Setting<std::uint32_t>{"stagnation-limit", &UmdaParameters::stagnation_limit,
                           &MboaParameters::stagnation_limit, nullptr},
    Setting<std::uint32_t>{"plateau", nullptr, nullptr, &HgsaParameters::plateau},
};

constexpr std::array reals{
    Setting<double>{"mutation", &UmdaParameters::mutation_probability, &MboaParameters::mutation_probability,
                    &HgsaParameters::child_mutation},
    Setting<double>{"conflicting-mutation", &UmdaParameters::conflicting_mutation,
                    &MboaParameters::conflicting_mutation, nullptr},
    Setting<double>{"temperature", nullptr, nullptr, &HgsaParameters::temperature},
    Setting<double>{"cooling", nullptr, nullptr, &HgsaParameters::cooling},
    Setting<double>{"final-temperature", nullptr, nullptr, &HgsaParameters::final_temperature},
    Setting<double>{"reheat", nullptr, nullptr, &HgsaParameters::reheat},
};

/// Where the setting is in these parameters; null if they do not have it.
template <class Value>
Value* place_of(const Setting<Value>& setting, EvolutionParameters& parameters)
{
    if (auto* const umda = std::get_if<UmdaParameters>(&parameters))
        return setting.umda != nullptr ? &(umda->*setting.umda) : nullptr;
    if (auto* const mboa = std::get_if<MboaParameters>(&parameters))
        return setting.mboa != nullptr ? &(mboa->*setting.mboa) : nullptr;
    return setting.hgsa != nullptr ? &(std::get<HgsaParameters>(parameters).*setting.hgsa) : nullptr;
}

[[noreturn]] void refuse(const std::string& option, const EvolutionParameters& parameters)
{
    throw std::invalid_argument(fmt::format("engine {} has no {}", engine_name(parameters), option));
}

template <class Value>
Value& require(const Setting<Value>& setting, EvolutionParameters& parameters)
{
    Value* const place = place_of(setting, parameters);
    if (place == nullptr)
        refuse(fmt::format("--{}", setting.option), parameters);
    return *place;
}

void leave_out_all(const std::string& names, EvolutionParameters& parameters)
{
    std::vector<std::string> parts;
    boost::split(parts, names, [](char c) { return c == ','; });
    for (const std::string& part : parts)
        leave_out(part, parameters);
}

/// `umda: acceleration, slot-swap; mboa: restoration`
std::string names_of_parts()
{
    std::string text;
    std::string_view engine;
    for (const EnginePart& part : engine_parts()) {
        text += part.engine != engine ? fmt::format("{}{}: ", engine.empty() ? "" : "; ", part.engine) : ", ";
        text += part.name;
        engine = part.engine;
    }
    return text;
}

struct SetPaths {
    unsigned slack;
    std::optional<std::size_t> most_paths;

    void operator()(UmdaParameters& umda) const { set(umda.paths); }
    void operator()(MboaParameters& mboa) const { set(mboa.paths); }
    void operator()(HgsaParameters& hgsa) const
    {
        hgsa.slack = slack;
        hgsa.most_paths = most_paths.value_or(hgsa.most_paths);
    }

private:
    void set(PathLists& paths) const
    {
        paths.slack = slack;
        paths.most_paths = most_paths.value_or(paths.most_paths);
    }
};

} // namespace

po::options_description evolution_options()
{
    po::options_description options("Engine");
    const auto count = [] { return po::value<Count>()->value_name("N"); };
    const std::string without =
        fmt::format("heuristics of the papers and additions of ours to leave out, separated by commas; {}",
                    names_of_parts());
    const auto real = [] { return po::value<double>()->value_name("X"); };
    options.add_options()("engine", po::value<std::string>()->value_name("E")->default_value("umda"),
                          "umda, mboa or hgsa (broadcasts of many)")("population", count(),
                                                                     "umda, mboa: solutions of an island")(
        "mutation", real(), "probability that a new solution is mutated; hgsa: a child")(
        "conflicting-mutation", real(), "umda, mboa: probability that it hits a delivery in conflict")(
        "slots-tested", count(),
        "steps that a mutation tests; umda: 0 = all; mboa: 0 = none, one item drawn anew")(
        "tournament", count(), "mboa: solutions among which a parent wins")(
        "stagnation-limit", count(),
        "umda, mboa: generations without progress before an island begins anew; 0 = never")(
        "islands", count(), "umda, mboa: populations that exchange their best solutions")(
        "epoch", count(), "generations between two exchanges; hgsa: Metropolis iterations")(
        "as-printed", po::bool_switch(),
        "the algorithm of the engine's paper and nothing else; the options here change that instead")(
        "without", po::value<std::string>()->value_name("LIST"),
        without.c_str())("slaves", count(), "hgsa: chains of simulated annealing")(
        "temperature", real(), "hgsa: at the start")("plateau", count(),
                                                     "hgsa: iterations at one temperature")(
        "cooling", real(), "hgsa: factor from one temperature to the next")("final-temperature", real(),
                                                                            "hgsa: where cooling ends")(
        "reheat", real(), "hgsa: temperature to which frozen chains are heated")(
        "most-paths", count(), "paths of a pair of processors that genes choose from");
    return options;
}

EvolutionParameters evolution_parameters(const po::variables_map& map, unsigned slack)
{
    const auto& engine = map["engine"].as<std::string>();
    EvolutionParameters parameters =
        map["as-printed"].as<bool>() ? as_printed(engine) : default_parameters(engine);
    for (const auto& setting : counts)
        if (map.count(setting.option) != 0)
            require(setting, parameters) =
                static_cast<std::uint32_t>(count_in_range(map, setting.option, 0, most_individuals));
    for (const auto& setting : reals)
        if (map.count(setting.option) != 0)
            require(setting, parameters) = map[setting.option].as<double>();
    if (map.count("without") != 0)
        leave_out_all(map["without"].as<std::string>(), parameters);
    std::optional<std::size_t> most_paths;
    if (map.count("most-paths") != 0)
        most_paths = count_in_range(map, "most-paths", 1, 65'535);
    std::visit(SetPaths{slack, most_paths}, parameters);
    return parameters;
}

} // namespace nocturne::cli
