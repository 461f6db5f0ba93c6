#include "testbenches/benes_design_space/design_map.hpp"

#include "sim/report/columns.hpp"

#include <stdexcept>

namespace nocturne::benes_design_space {
namespace {

/// The fastest of the choices that `is_eligible` takes.
template <typename Predicate>
std::optional<Choice> fastest(std::span<const Choice> choices, Predicate is_eligible)
{
    std::optional<Choice> best;
    for (const Choice& choice : choices)
        if (is_eligible(choice) && (!best || choice.latency.clocks < best->latency.clocks))
            best = choice;
    return best;
}

} // namespace

const std::vector<Reading>& readings()
{
    static const std::vector<Reading> all{
        {"circuit a message, set-up 1", CircuitUse::message, 1, 0},
        {"circuit a message, set-up 0", CircuitUse::message, 0, 0},
        {"circuit a message, set-up 2", CircuitUse::message, 2, 0},
        {"circuit a message, set-up 1, release n", CircuitUse::message, 1, 1},
        {"circuit a word, set-up 0", CircuitUse::word, 0, 0},
        {"circuit a word, set-up 1", CircuitUse::word, 1, 0},
        {"circuit a word, set-up 1, release n", CircuitUse::word, 1, 1},
    };
    return all;
}

Latency latency(const BenesPoint& point, const Reading& reading, std::uint64_t message_bits)
{
    BenesOptions options;
    options.message_bits = message_bits;
    options.circuit = reading.circuit;
    options.setup_clocks = reading.setup_clocks;
    options.release_clocks = reading.release_clocks * point.digits;
    const CircuitCost cost =
        circuit_cost({point.switch_size, point.digits, point.truncated, point.link_bits}, options);
    const auto clocks = static_cast<double>(cost.network_cycle_clocks * cost.rounds);
    return {point.mean_delay * clocks, point.delay_error * clocks};
}

std::uint32_t randomizing_columns(const BenesPoint& point)
{
    return point.digits - 1 - point.truncated;
}

std::optional<std::uint32_t> claimed_switch_size(std::uint32_t processors)
{
    if (processors == 1024)
        return 4;
    if (processors == 4096)
        return 8;
    return std::nullopt;
}

std::vector<MapCell> map_of(std::uint32_t processors, const std::string& traffic,
                            std::span<const BenesPoint> points, std::span<const std::uint64_t> message_bits)
{
    const std::optional<std::uint32_t> claimed = claimed_switch_size(processors);
    std::vector<MapCell> cells;
    for (const Reading& reading : readings())
        for (const std::uint64_t bits : message_bits) {
            std::vector<Choice> choices;
            for (const BenesPoint& point : points)
                if (point.randomization == "multiple")
                    choices.push_back(
                        {point.switch_size, randomizing_columns(point), latency(point, reading, bits)});
            if (choices.empty())
                throw std::invalid_argument("a map of no designs");
            cells.push_back(
                {processors, traffic, reading.name, bits,
                 *fastest(choices, [](const Choice&) { return true; }),
                 fastest(choices, [&](const Choice& choice) { return choice.switch_size == claimed; }),
                 fastest(choices, [](const Choice& choice) {
                     return choice.randomizing_columns == claimed_randomizing_columns;
                 })});
        }
    return cells;
}

Table map_table(std::span<const MapCell> cells)
{
    const auto best = [](auto member) { return [=](const MapCell& cell) { return cell.best.*member; }; };
    const auto latency = [](auto member) {
        return [=](const MapCell& cell) { return cell.best.latency.*member; };
    };
    const auto clocks = [](auto choice) {
        return [=](const MapCell& cell) {
            return cell.*choice ? std::optional((cell.*choice)->latency.clocks) : std::nullopt;
        };
    };
    return table_of("The best design", cells,
                    {{"processors", "", &MapCell::processors},
                     {"permutations", "", &MapCell::traffic},
                     {"reading", "", &MapCell::reading},
                     {"message", "bits", &MapCell::message_bits},
                     {"switch size", "", best(&Choice::switch_size)},
                     {"randomizing columns", "", best(&Choice::randomizing_columns)},
                     {"mean latency", "clocks", latency(&Latency::clocks), 1},
                     {"error", "clocks", latency(&Latency::error), 1},
                     {"claimed switch size", "clocks", clocks(&MapCell::best_of_claimed_size), 1},
                     {"one randomizing column", "clocks", clocks(&MapCell::best_of_claimed_columns), 1}});
}

} // namespace nocturne::benes_design_space
