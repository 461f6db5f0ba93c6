#include "testbenches/topology_design/designs.hpp"

#include "models/measures/latency.hpp"
#include "models/measures/moore_bound.hpp"
#include "models/measures/wires.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "schedules/design/edge_exchange.hpp"
#include "schedules/workers/workers.hpp"
#include "testbenches/driver/measured.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace nocturne::topology_design {
namespace {

using Clock = std::chrono::steady_clock;
using design::GappinGeneration;
using design::LinkEnds;
using design::Term;

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double real_of(const std::string& text)
{
    const auto number = number_of<double>(text);
    if (!number)
        throw std::invalid_argument(fmt::format("'{}' is no number", text));
    return *number;
}

void set_weight(design::Objective& objective, const std::string& name, double weight)
{
    std::vector<std::string> names;
    for (const design::WeightName& each : design::weight_names()) {
        if (each.name == name) {
            objective.*each.weight = weight;
            return;
        }
        names.emplace_back(each.name);
    }
    throw std::invalid_argument(unknown_name("weight", name, names));
}

nlohmann::json json_of(const std::vector<Term>& terms)
{
    nlohmann::json values = nlohmann::json::array();
    for (const Term& term : terms)
        values.push_back(term.value);
    return values;
}

/// What a worker process sends back.
nlohmann::json design_by_gappin(const DesignCell& cell)
{
    const auto begin = Clock::now();
    const design::GappinResult result = gappin(cell.request, cell.objective, cell.gappin);
    nlohmann::json links = nlohmann::json::array();
    for (const LinkEnds& link : result.design.links)
        links.push_back({link.a, link.b});
    nlohmann::json history = nlohmann::json::array();
    for (const GappinGeneration& each : result.history)
        history.push_back({{"number", each.number},
                           {"best", each.best_cost},
                           {"median", each.median_cost},
                           {"best_terms", json_of(each.best_terms)},
                           {"median_terms", json_of(each.median_terms)},
                           {"mean_age", each.mean_age},
                           {"maximum_age", each.maximum_age}});
    return {{"links", std::move(links)}, {"history", std::move(history)}, {"seconds", seconds_since(begin)}};
}

/// Names and weights are those of the design.
std::vector<Term> terms_from(const nlohmann::json& values, std::vector<Term> terms)
{
    for (std::size_t i = 0; i < terms.size(); ++i)
        terms[i].value = values.at(i).get<double>();
    return terms;
}

Designed designed_from(const nlohmann::json& json, const DesignCell& cell)
{
    std::vector<LinkEnds> links;
    for (const nlohmann::json& link : json.at("links"))
        links.push_back({link.at(0).get<std::uint32_t>(), link.at(1).get<std::uint32_t>()});
    Designed result{cell, "gappin", make_design(cell.request, cell.objective, std::move(links))};
    result.seconds = json.at("seconds").get<double>();
    for (const nlohmann::json& each : json.at("history"))
        result.history.push_back({.number = each.at("number").get<unsigned>(),
                                  .best_cost = each.at("best").get<double>(),
                                  .median_cost = each.at("median").get<double>(),
                                  .best_terms = terms_from(each.at("best_terms"), result.design.terms),
                                  .median_terms = terms_from(each.at("median_terms"), result.design.terms),
                                  .mean_age = each.at("mean_age").get<double>(),
                                  .maximum_age = each.at("maximum_age").get<unsigned>()});
    result.evaluations = std::uint64_t{cell.gappin.population} * (cell.gappin.generations + 1);
    return result;
}

Designed design_by_exchange(const DesignCell& cell, const DesignOptions& options)
{
    const auto begin = Clock::now();
    design::Design found =
        exchange_links(cell.request, cell.objective,
                       {.seed = options.seed, .exchanges = cell.exchanges, .workers = options.workers});
    Designed result{cell, "exchange", std::move(found)};
    result.evaluations = cell.exchanges;
    result.seconds = seconds_since(begin);
    return result;
}

/// Those of this engine, with the seed.
std::vector<DesignCell> gappin_cells(std::span<const DesignCell> cells, const DesignOptions& options)
{
    std::vector<DesignCell> chosen;
    for (DesignCell cell : cells) {
        cell.gappin.seed = options.seed;
        if (cell.gappin.population > 0)
            chosen.push_back(std::move(cell));
    }
    return chosen;
}

} // namespace

design::Request request_of(unsigned nodes, unsigned links, const std::string& arrangement,
                           const std::string& longest_wire)
{
    design::Request request{.nodes = nodes, .degrees = {links}};
    if (!arrangement.empty())
        request.positions = measures::arrange(measures::parse_arrangement(arrangement), nodes);
    if (!longest_wire.empty())
        request.longest_wire = real_of(longest_wire);
    check_request(request);
    return request;
}

design::Objective objective_of(std::string_view weights)
{
    design::Objective objective{.average_latency = 0, .maximum_latency = 0};
    std::istringstream words{std::string(weights)};
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos)
            throw std::invalid_argument(fmt::format("weight {}: expected NAME=NUMBER", word));
        set_weight(objective, word.substr(0, equals), real_of(word.substr(equals + 1)));
    }
    return objective;
}

std::vector<DesignCell> design_cells(const nlohmann::json& rows)
{
    using testbench::number_in;
    using testbench::text_in;
    std::vector<DesignCell> cells;
    for (const nlohmann::json& row : rows)
        cells.push_back(
            {.name = text_in(row, "name"),
             .request = request_of(number_in<unsigned>(row, "nodes"), number_in<unsigned>(row, "links"),
                                   text_in(row, "arrangement"), text_in(row, "longest_wire")),
             .weights = text_in(row, "weights"),
             .objective = objective_of(text_in(row, "weights")),
             .gappin = {.population = number_in<unsigned>(row, "population"),
                        .generations = number_in<unsigned>(row, "generations"),
                        .mutation = number_in<double>(row, "mutation")},
             .exchanges = number_in<std::uint64_t>(row, "exchanges")});
    return cells;
}

Topology Designed::topology() const
{
    return to_topology(cell.request, design, fmt::format("{} {}", engine, cell.name));
}

std::vector<Designed> run_designs(std::span<const DesignCell> cells, const DesignOptions& options)
{
    const std::vector<DesignCell> by_gappin = gappin_cells(cells, options);
    std::vector<Job> jobs;
    for (const DesignCell& cell : by_gappin)
        jobs.emplace_back([&cell] { return design_by_gappin(cell); });
    WorkerOptions workers{.workers = options.workers};
    workers.on_progress = [&](std::size_t done, std::size_t total) {
        if (options.on_progress)
            options.on_progress(fmt::format("gappin, {} of {} networks", done, total));
    };
    const std::vector<nlohmann::json> results = run_jobs(jobs, workers);
    std::vector<Designed> designs;
    for (std::size_t i = 0; i < by_gappin.size(); ++i)
        designs.push_back(designed_from(results[i], by_gappin[i]));
    for (const DesignCell& cell : cells) {
        if (cell.exchanges == 0)
            continue;
        if (options.on_progress)
            options.on_progress(fmt::format("exchange, {}", cell.name));
        designs.push_back(design_by_exchange(cell, options));
    }
    return designs;
}

namespace {

/// What is printed for the deviation of messages is half the population deviation; the term is the sample
/// deviation over `channels`.
double printed_value_of(const Term& term, double channels)
{
    constexpr std::string_view halved = "deviation of messages on links";
    return term.name == halved ? term.value / 2 * std::sqrt((channels - 1) / channels) : term.value;
}

std::string wires_of(const Designed& designed, double measures::WireLengths::*which)
{
    const auto& places = designed.cell.request.positions;
    if (places.empty())
        return "";
    return fmt::format("{:.0f}",
                       measures::wire_lengths(measures::graph_of(designed.topology()), places).*which);
}

} // namespace

std::optional<std::uint64_t> evaluations_to_print(const Designed& designed,
                                                  std::span<const PrintedFigure> figures)
{
    std::vector<const PrintedFigure*> terms;
    for (const PrintedFigure& figure : figures)
        if (figure.network == designed.cell.name &&
            std::ranges::find(designed.design.terms, figure.figure, &Term::name) !=
                designed.design.terms.end())
            terms.push_back(&figure);
    if (terms.empty())
        return std::nullopt;
    const auto channels = 2 * static_cast<double>(designed.design.links.size());
    for (const GappinGeneration& each : designed.history)
        if (std::ranges::all_of(terms, [&](const PrintedFigure* figure) {
                const auto term = std::ranges::find(each.best_terms, figure->figure, &Term::name);
                return reaches(*figure, printed_value_of(*term, channels));
            }))
            return std::uint64_t{designed.cell.gappin.population} * (each.number + 1);
    return std::nullopt;
}

Table design_table(std::span<const Designed> designs, std::span<const PrintedFigure> figures)
{
    Table table{"Designs",
                {{"network", "", Align::left},
                 {"engine", "", Align::left},
                 {"weights", "", Align::left},
                 {"population", ""},
                 {"mutation", ""},
                 {"evaluations", ""},
                 {"as printed after", ""},
                 {"time", "s"},
                 {"cost", ""},
                 {"average", "hops"},
                 {"its bound", "hops"},
                 {"maximum", "hops"},
                 {"its bound", "hops"},
                 {"longest wire", ""},
                 {"all wires", ""}},
                {}};
    for (const Designed& each : designs) {
        const bool is_gappin = each.engine == "gappin";
        const measures::HopLatency latency = measures::hop_latency(measures::graph_of(each.topology()));
        const auto bound = measures::moore_bound(each.cell.request.nodes, each.cell.request.degree(0));
        const auto to_print = evaluations_to_print(each, figures);
        table.add_row({each.cell.name, each.engine, each.cell.weights,
                       is_gappin ? Cell(std::uint64_t{each.cell.gappin.population}) : Cell(),
                       is_gappin ? Cell(Real{each.cell.gappin.mutation, 3}) : Cell(), each.evaluations,
                       to_print ? Cell(*to_print) : Cell(), Real{each.seconds, 1}, Real{each.design.cost, 4},
                       Real{latency.average_with_self, 4}, Real{bound.average_with_self, 4},
                       Real{latency.maximum, 0}, Real{bound.maximum, 0},
                       wires_of(each, &measures::WireLengths::maximum),
                       wires_of(each, &measures::WireLengths::total)});
    }
    return table;
}

} // namespace nocturne::topology_design
