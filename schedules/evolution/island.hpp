// What the three evolutionary engines have in common: islands that evolve for a while, report, and exchange
// solutions.
#pragma once

#include "models/routing/random.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/search/engine.hpp"
#include "schedules/workers/job_transport.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// How an island stands after a generation (UMDA, MBOA) or after one Metropolis chain between exchanges
/// (HGSA).
struct Generation {
    std::uint32_t island = 0;
    std::uint64_t number = 0;      ///< from 0: the initial population
    std::uint64_t evaluations = 0; ///< fitness evaluations of this island so far (fitness_count.hpp)
    std::uint64_t best = 0;        ///< conflicts of its best solution
    double mean = 0;               ///< conflicts of its solutions
    /// Mean share of genes in which two solutions of the population differ, estimated from the marginal
    /// frequencies of whole genes: 0 all alike, towards 1 nothing in common. For a single chain the share of
    /// genes that differ from those at the exchange before.
    double diversity = 0;

    friend bool operator==(const Generation&, const Generation&) = default;
};

/// A solution on its way between islands or processes: bytes that the islands of one engine understand.
using SolutionBytes = std::vector<std::uint8_t>;

struct EpochReport {
    std::vector<Generation> generations; ///< of this epoch, in order
    SolutionBytes emigrant; ///< the solution that the island offers: its best one, HGSA its current one
    std::uint64_t emigrant_conflicts = 0;
    std::uint64_t best = 0; ///< conflicts of its best solution ever; 0 = solved
    /// Not null once solved.
    std::optional<std::vector<Step>> schedule = std::nullopt;
};

/// A population or chain with its random numbers. Its future depends only on its state and the immigrants, so
/// that it can be saved and moved between processes.
class Island {
public:
    Island() = default;
    Island(const Island&) = delete;
    Island& operator=(const Island&) = delete;
    virtual ~Island() = default;

    /// Takes in a solution that another island offered (empty: none), then evolves to the end of the epoch,
    /// or until it is solved, or `control` says stop (deadline and stop flag only; effort is the driver's).
    virtual EpochReport advance(std::span<const std::uint8_t> immigrant, const SearchControl& control) = 0;
    /// All that the future depends on.
    virtual std::vector<std::uint8_t> save() const = 0;
    /// Takes over what save() returned for the same problem, steps and parameters. Throws std::runtime_error
    /// if it is not that.
    virtual void load(std::span<const std::uint8_t> state) = 0;
};

/// An engine, ready to be run by evolve_islands().
struct IslandModel {
    std::string_view engine; ///< `umda`
    /// `population 60, mutation probability 0.9, …`: all that makes one model of an engine behave unlike
    /// another. A checkpoint must agree with it.
    std::string parameters;
    std::uint32_t islands = 1;
    /// Called in the process in which the island will live. Seeds differ from island to island.
    std::function<std::unique_ptr<Island>(std::uint32_t island, std::uint64_t seed)> make;
    /// Who gets what between two epochs: one solution for each island, empty for none. `random` is the
    /// master's.
    std::function<std::vector<SolutionBytes>(std::span<const EpochReport> reports, SplitMix64& random)>
        exchange;
};

/// Each island's emigrant goes to the next one; none with a single island.
std::vector<SolutionBytes> ring_exchange(std::span<const EpochReport> reports, SplitMix64& random);

struct EvolutionOptions {
    std::uint64_t seed = 1;
    std::uint64_t evaluations = 0; ///< of all islands; no epoch begins beyond that; 0 = no limit
    std::uint64_t generations = 0; ///< Generation::number; no epoch begins at or beyond that; 0 = no limit
    unsigned workers =
        1; ///< processes that the islands live in; 0 = one for each core; never changes the result
    /// To processes that run visit_island() for this model, instead of `workers`.
    const JobTransport* transport = nullptr;
    SearchEnd end = {}; ///< its flag is looked at between epochs where there is a transport
    std::filesystem::path checkpoint =
        {}; ///< the state of all islands, written every few seconds and at the end
    std::function<void(const Generation&)> on_generation = {}; ///< in order of epoch, island, number
};

struct EvolutionResult {
    std::optional<Schedule> schedule = std::nullopt; ///< without conflicts, or nothing
    std::uint64_t best =
        0; ///< conflicts of the best solution ever; 0 if there is a schedule, 2^64 - 1 if there was no time
    std::uint64_t generations = 0; ///< Generation::number of the island that went furthest
    std::uint64_t evaluations = 0; ///< of all islands
};

/// Runs the islands epoch by epoch until one has solved the problem (the first in the list of those that did
/// in that epoch), or evaluations, generations or time are spent. The result depends on problem, steps,
/// model, seed and these two only. With a checkpoint that exists it goes on from there and ends as it would
/// have without the interruption; an epoch that was cut short, or that found the solution, is repeated.
///
/// Throws std::invalid_argument for no islands, std::runtime_error for a checkpoint that cannot be read or
/// written or that is of another problem, engine, seed, number of steps or islands, or of other parameters,
/// what an island throws as Team::round() does, and, with more than one worker, Interrupted for SIGINT,
/// SIGTERM or SIGHUP: the checkpoint is then a few seconds old.
EvolutionResult evolve_islands(const Problem& problem, unsigned steps, const IslandModel& model,
                               const EvolutionOptions& options);

/// What the processes behind EvolutionOptions::transport do with a job: an epoch of an island, whose state
/// comes along and goes back. The result is the same as without a transport.
nlohmann::json visit_island(const IslandModel& model, const nlohmann::json& description);

/// evolve_islands() as the search of an Engine: effort are fitness evaluations, and so is
/// SearchProgress::tried. Throws what evolve_islands() does.
SearchResult search_islands(const Problem& problem, unsigned steps, const IslandModel& model,
                            const SearchControl& control);

} // namespace nocturne
