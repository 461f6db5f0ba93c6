#include "schedules/evolution/hgsa.hpp"

#include "schedules/evolution/hgsa_chain.hpp"
#include "schedules/evolution/parameters.hpp"
#include "schedules/problem/transfer_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace nocturne {
namespace {

constexpr std::string_view hgsa_name = "hgsa";
/// Places in a chain's table of transfers: half a gigabyte.
constexpr double most_transfers = 0x1p28;

void check(const HgsaParameters& parameters)
{
    const auto& [slaves, exchange, temperature, plateau, cooling, child_mutation, most_paths, slack,
                 first_hop_at_once, conflict_energy, final_temperature, hold, reheat, reheat_plateau, moves] =
        parameters;
    const ParameterCheck check(hgsa_name);
    const auto is_positive = [](double value) { return value > 0 && std::isfinite(value); };
    check.require(slaves >= 1, "slaves", slaves, "1 or more anneal");
    check.require(exchange >= 1, "exchange", exchange, "1 or more iterations between two exchanges");
    check.require(is_positive(temperature), "temperature", temperature, "above 0");
    check.require(plateau >= 1, "plateau", plateau, "1 or more iterations at a temperature");
    check.require(cooling > 0 && cooling < 1, "cooling", cooling, "above 0 and below 1");
    check.probability("child mutation", child_mutation);
    check.require(most_paths >= 1, "most paths", static_cast<double>(most_paths), "1 or more to choose from");
    check.require(is_positive(conflict_energy), "conflict energy", conflict_energy, "above 0");
    check.require(is_positive(final_temperature), "final temperature", final_temperature, "above 0");
    check.require(is_positive(reheat), "reheat", reheat, "above 0");
    check.require(reheat_plateau >= 1, "reheat plateau", reheat_plateau,
                  "1 or more iterations at a temperature");
    check.probability("redraw", moves.redraw);
    check.require(moves.graft >= 0 && moves.redraw + moves.graft <= 1, "graft", moves.graft,
                  "with redraw, shares are at most 1");
    check.probability("swap", moves.swap);
    check.probability("focus", moves.focus);
}

/// The master: for each slave a solution drawn by roulette wheel.
std::vector<SolutionBytes> roulette(std::span<const EpochReport> reports, SplitMix64& random)
{
    std::uint64_t worst = 0;
    for (const EpochReport& report : reports)
        worst = std::max(worst, report.emigrant_conflicts);
    std::vector<double> up_to; // sums of shares
    double sum = 0;
    for (const EpochReport& report : reports)
        up_to.push_back(sum += static_cast<double>(worst - report.emigrant_conflicts + 1));
    std::vector<SolutionBytes> drawn;
    for (std::size_t slave = 0; slave < reports.size(); ++slave) {
        const auto hit = std::upper_bound(up_to.begin(), up_to.end() - 1, random.uniform() * sum);
        drawn.push_back(reports[static_cast<std::size_t>(hit - up_to.begin())].emigrant);
    }
    return drawn;
}

} // namespace

std::string describe(const HgsaParameters& parameters)
{
    const auto& [slaves, exchange, temperature, plateau, cooling, child_mutation, most_paths, slack,
                 first_hop_at_once, conflict_energy, final_temperature, hold, reheat, reheat_plateau, moves] =
        parameters;
    const auto& [redraw, graft, swap, focus, follow] = moves;
    return fmt::format("slaves {}, exchange {}, temperature {}, plateau {}, cooling {}, child mutation {}, "
                       "most paths {}, slack {}, first hop at once {}, conflict energy {}, final temperature "
                       "{}, hold {}, reheat {}, "
                       "slow plateau {}, redraw {}, graft {}, swap {}, focus {}, follow {}",
                       slaves, exchange, temperature, plateau, cooling, child_mutation, most_paths, slack,
                       first_hop_at_once, conflict_energy, final_temperature, hold, reheat, reheat_plateau,
                       redraw, graft, swap, focus, follow);
}

bool suits_hgsa(const Problem& problem)
{
    return is_broadcast(problem.collective) && !forbids_relays(problem) && !mixes_relays(problem);
}

IslandModel hgsa_model(const Problem& problem, unsigned steps, const HgsaParameters& parameters,
                       const Schedule* start)
{
    check(parameters);
    if (!suits_hgsa(problem))
        throw std::invalid_argument(fmt::format("hgsa is for broadcasts, not for {}", describe(problem)));
    const auto encoding = std::make_shared<const TimedPathEncoding>(
        problem, steps, PathLists{.slack = parameters.slack, .most_paths = parameters.most_paths},
        parameters.first_hop_at_once && problem.ports.is_all_port() ? FirstHop::at_once : FirstHop::any_step);
    const double transfers = static_cast<double>(problem.collective.messages().size()) *
                             static_cast<double>(encoding->arcs().size()) * steps;
    if (transfers > most_transfers)
        throw std::invalid_argument(
            fmt::format("hgsa: {} has too many messages, hops and steps for its tables", describe(problem)));
    const auto make = [=](std::uint32_t island, std::uint64_t seed) -> std::unique_ptr<Island> {
        return std::make_unique<HgsaChain>(encoding, parameters, start, island, seed);
    };
    return {hgsa_name, fmt::format("{}, {}", describe(parameters), describe_start(start)), parameters.slaves,
            make, roulette};
}

SearchResult search_hgsa(const Problem& problem, unsigned steps, const SearchControl& control)
{
    if (!suits_hgsa(problem))
        throw std::invalid_argument(fmt::format("hgsa is for broadcasts, not for {}", describe(problem)));
    if (farthest_hops(problem) > steps || control.end.has_come())
        return {};
    const HgsaParameters parameters;
    return search_islands(problem, steps, hgsa_model(problem, steps, parameters, control.start), control);
}

} // namespace nocturne
