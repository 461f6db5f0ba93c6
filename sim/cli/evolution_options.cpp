#include "sim/cli/evolution_options.hpp"

#include "schedules/evolution/presets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace nocturne::cli {

namespace {

constexpr CountRange individuals{0, 1'000'000};

/// A number of the parameters: the option that sets it, and where it is in each engine's.
template <class Value>
struct Setting {
    const char* option;
    Value UmdaParameters::* umda;
    Value MboaParameters::* mboa;
    Value HgsaParameters::* hgsa;
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
    for (const std::string& part : parts_of(names))
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

/// Throws for a name that no engine has among its parts.
void require_parts(const std::string& names)
{
    std::vector<std::string> known;
    for (const EnginePart& part : engine_parts())
        if (std::ranges::find(known, part.name) == known.end())
            known.emplace_back(part.name);
    for (const std::string& name : parts_of(names))
        if (std::ranges::find(known, name) == known.end())
            throw std::invalid_argument(fmt::format("no engine has a part '{}'; {}", name, names_of_parts()));
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

OptionTable evolution_options()
{
    const std::string without =
        fmt::format("heuristics to switch off, separated by commas; {}", names_of_parts());
    return option_table(
        "Engine",
        {{"engine", choice_value("E", {"umda", "mboa", "hgsa"}, "umda"),
          "umda, mboa or hgsa (many-source broadcasts)"},
         {"population", count_value("N", individuals), "umda, mboa: population size per island"},
         {"mutation", real_value("X", {0, 1}), "probability of mutating a new solution, with hgsa a child"},
         {"conflicting-mutation", real_value("X", {0, 1}),
          "umda, mboa: probability that a mutation picks a conflicting delivery"},
         {"slots-tested", count_value("N", individuals),
          "steps that a mutation tests; umda: 0 = all; mboa: 0 = redraw one gene"},
         {"tournament", count_value("N", individuals), "mboa: tournament size"},
         {"stagnation-limit", count_value("N", individuals),
          "umda, mboa: generations without progress before an island restarts; 0 = never"},
         {"islands", count_value("N", individuals),
          "umda, mboa: populations that exchange their best solutions"},
         {"epoch", count_value("N", individuals),
          "generations between two exchanges; hgsa: Metropolis iterations"},
         {"as-printed", switch_value(),
          "start from the algorithm as printed, without this project's additions"},
         {"without", text_value("LIST").parsed_by(require_parts), without},
         {"slaves", count_value("N", individuals), "hgsa: chains of simulated annealing"},
         {"temperature", real_value("X", {.least = 0}), "hgsa: initial temperature"},
         {"plateau", count_value("N", individuals), "hgsa: iterations at one temperature"},
         {"cooling", real_value("X", {.least = 0}), "hgsa: factor from one temperature to the next"},
         {"final-temperature", real_value("X", {.least = 0}), "hgsa: final temperature"},
         {"reheat", real_value("X", {.least = 0}), "hgsa: temperature to which frozen chains are heated"},
         {"most-paths", count_value("N", {1, 65'535}), "candidate paths per pair of processors"}});
}

EvolutionParameters evolution_parameters(const OptionValues& given, unsigned slack)
{
    const auto& engine = given.text("engine");
    EvolutionParameters parameters =
        given.is_on("as-printed") ? as_printed(engine) : default_parameters(engine);
    for (const auto& setting : counts)
        if (given.has(setting.option))
            require(setting, parameters) = given.small_count(setting.option);
    for (const auto& setting : reals)
        if (given.has(setting.option))
            require(setting, parameters) = given.real(setting.option);
    if (given.has("without"))
        leave_out_all(given.text("without"), parameters);
    std::optional<std::size_t> most_paths;
    if (given.has("most-paths"))
        most_paths = given.count("most-paths");
    std::visit(SetPaths{slack, most_paths}, parameters);
    return parameters;
}

} // namespace nocturne::cli
