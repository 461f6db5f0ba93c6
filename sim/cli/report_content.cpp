#include "sim/cli/report_content.hpp"

#include "models/text/json_text.hpp"
#include "models/topology/files.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/formats/foreign_schedule.hpp"
#include "schedules/problem/chunk_problem.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/certify_output.hpp"
#include "sim/cli/chunk_input.hpp"
#include "sim/cli/chunk_request.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/network_output.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/schedule_input.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/page/bottleneck.hpp"
#include "sim/page/csv_table.hpp"
#include "sim/page/network_json.hpp"
#include "sim/page/recording.hpp"
#include "sim/page/violation_marks.hpp"
#include "sim/sweep/stored_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <stdexcept>

namespace nocturne::cli {

namespace {

/// Tables inside the rows of a table are shown of so many rows, and of more are not in the page.
constexpr std::size_t most_rows_with_tables = 12;

void drop_inner_tables(const ResultDescription& kind, nlohmann::ordered_json& fields, bool drops_tables)
{
    for (const FieldDescription& field : kind.fields) {
        const auto found = fields.find(field.name);
        if (found == fields.end() || field.parts == nullptr)
            continue;
        if (field.kind == FieldKind::rows && drops_tables) {
            fields.erase(found);
        } else if (field.kind == FieldKind::rows) {
            const bool is_long = found->size() > most_rows_with_tables;
            for (nlohmann::ordered_json& row : *found)
                drop_inner_tables(field.parts(), row, is_long);
        } else if (found->is_object()) {
            drop_inner_tables(field.parts(), *found, drops_tables);
        }
    }
}

} // namespace

void ReportContent::add_result(const std::string& file, const ResultDescription& kind,
                               nlohmann::ordered_json fields, nlohmann::ordered_json made_by,
                               const nlohmann::ordered_json& facts)
{
    if (std::ranges::find(kinds_, &kind) == kinds_.end())
        kinds_.push_back(&kind);
    nlohmann::ordered_json all = facts;
    for (const auto& [name, value] : fields.items())
        if (!value.is_null() || !all.contains(name))
            all[name] = value;
    const std::optional<Summary> summary = summary_of(kind.name, all);
    if (summary && &kind == &description_of<Comparison>())
        comparisons_.push_back(comparison_of(fields));
    drop_inner_tables(kind, fields, false);
    results_.push_back({{"file", std::filesystem::path(file).filename().string()},
                        {"kind", kind.name},
                        {"summary", summary ? to_json(*summary) : nlohmann::ordered_json()},
                        {"fields", std::move(fields)},
                        {"made_by", without_temporary_folders(std::move(made_by))}});
}

std::vector<std::string> ReportContent::headlines() const
{
    std::vector<std::string> lines;
    if (comparisons_.size() > 1)
        lines.push_back(headline_of(comparisons_));
    for (const nlohmann::ordered_json& result : results_)
        if (const auto summary = result.find("summary"); summary != result.end() && summary->is_object())
            lines.push_back(fmt::format("{}: {}", (*summary)["subject"].get<std::string>(),
                                        (*summary)["headline"].get<std::string>()));
    return lines;
}

std::size_t ReportContent::network_number(const Topology& topology)
{
    const nlohmann::ordered_json network = network_json(topology);
    const std::string text = json_text(network);
    const auto found = std::ranges::find(network_texts_, text);
    if (found == network_texts_.end()) {
        networks_.push_back(network);
        network_texts_.push_back(text);
        return networks_.size() - 1;
    }
    return static_cast<std::size_t>(found - network_texts_.begin());
}

void ReportContent::add_movie(const std::string& file, Movie movie, const Topology& topology)
{
    if (movie.name.empty())
        movie.name = std::filesystem::path(file).stem().string();
    const std::size_t network = network_number(topology);
    const std::size_t left = largest_page_movies - std::min(largest_page_movies, movie_characters_);
    movies_.push_back(movie_json(movie, network, left));
    movies_.back()["file"] = std::filesystem::path(file).filename().string();
    for (const char* const part : {"transfers", "paths"})
        movie_characters_ += json_text(movies_.back().at(part)).size();
}

namespace {

/// The first circular wait in a result, or null.
const nlohmann::ordered_json* circular_wait_in(const nlohmann::ordered_json& json)
{
    if (!json.is_structured())
        return nullptr;
    if (json.is_object() && json.contains("cycle") && json["cycle"].is_array() && !json["cycle"].empty() &&
        json.contains("reason"))
        return &json;
    for (const nlohmann::ordered_json& part : json)
        if (const auto* const found = circular_wait_in(part))
            return found;
    return nullptr;
}

/// The first network that a result names, if it is a specification.
std::optional<Topology> network_in(const nlohmann::ordered_json& json)
{
    if (json.is_object() && json.contains("topology") && json["topology"].is_string()) {
        try {
            return make_topology(json["topology"].get<std::string>());
        } catch (const std::exception&) {
            return std::nullopt; // of a file, which is not here
        }
    }
    if (json.is_structured())
        for (const nlohmann::ordered_json& part : json)
            if (std::optional<Topology> found = network_in(part))
                return found;
    return std::nullopt;
}

} // namespace

void ReportContent::add_json(const std::string& file)
{
    const auto document = ordered_json_or_discarded(read_file(file));
    const bool is_result =
        document.is_object() && document.contains("result") && document["result"].is_string();
    const ResultDescription* const kind =
        is_result ? find_result(document["result"].get<std::string>()) : nullptr;
    if (kind == nullptr)
        throw std::runtime_error(
            fmt::format("{}: {}; expected a result (--json), a schedule, a bound, a network or a table", file,
                        document.is_discarded() ? "this is no JSON" : "this is no result"));
    add_result(file, *kind, in_order(*kind, document),
               document.contains("made_by") ? document["made_by"] : nlohmann::ordered_json());
    if (document.contains("recording")) {
        Recording recording = read_recording(document["recording"], file);
        for (Movie& movie : recording.movies)
            add_movie(file, std::move(movie), recording.topology);
    } else if (const nlohmann::ordered_json* const stall = circular_wait_in(document)) {
        // Of such a run nothing moves, but who waits for whom is to be seen.
        if (const std::optional<Topology> topology = network_in(document)) {
            Movie movie;
            movie.name = "the circular wait";
            movie.extra["stall"] = *stall;
            add_movie(file, std::move(movie), *topology);
        }
    } else if (results_.back()["summary"].is_object() && results_.back()["summary"]["picture"].is_null()) {
        // Without a picture of its own it has that of its network.
        if (const std::optional<Topology> topology = network_in(document))
            add_movie(file, {}, *topology);
    }
}

namespace {

nlohmann::ordered_json origin_in(const nlohmann::ordered_json& claims)
{
    return claims.contains("made_by") ? claims["made_by"] : nlohmann::ordered_json();
}

} // namespace

void ReportContent::add_messages(const std::string& file)
{
    ResultFile result = load_result(file);
    LoadedSchedule loaded = load_schedule_or_bound(file);
    require_topology(given_, file, loaded.topology);
    if (result.schedule) { // with the paths that the file leaves out
        InputSchedule input = schedule_from(file, given_);
        result.schedule = input.schedule;
        loaded.schedule = std::move(input.schedule);
    }
    add_result(file, *find_result("certify"), certification_of_messages(result), origin_in(loaded.claims));
    Movie movie;
    if (result.schedule) {
        const std::vector<Violation> violations = validate(*result.schedule, loaded.topology);
        if (violations.empty())
            movie = movie_of(loaded, {});
        else
            movie.extra["violations"] = violation_marks(violations, *result.schedule, loaded.topology);
    }
    if (result.bound)
        movie.extra["bottleneck"] = bottleneck_of_messages(*result.bound, loaded.topology);
    add_movie(file, std::move(movie), loaded.topology);
}

namespace {

/// The bound that says most of where time goes, if there is one.
const Bound* telling_bound(const Bounds& bounds)
{
    for (const std::optional<Bound>* const bound : {&bounds.cycles, &bounds.rounds, &bounds.steps})
        if (*bound)
            return &**bound;
    return nullptr;
}

/// Orders the transfers on links where the file leaves that open; the time too, if it was made for a size.
void add_time(JudgedChunks& judged)
{
    if (!judged.violations.empty())
        return;
    const MadeFor& made_for = judged.schedule.made_for;
    const AlphaBeta cost = cost_in(made_for, judged.schedule.collective);
    if (judged.order_is_open)
        order_links(judged.schedule, judged.network, cost);
    if (!made_for.bytes)
        return;
    judged.setting = made_for;
    judged.cycles = time_of(judged.schedule, judged.network, cost);
}

/// What `validate` says of it.
nlohmann::ordered_json facts_of_chunks(const LoadedSchedule& loaded)
{
    JudgedChunks judged = judged_chunks(loaded);
    add_time(judged);
    nlohmann::ordered_json facts = verdict_on(judged);
    if (judged.setting.cycle_ns)
        facts["links"] = link_rates_text(judged.network, *judged.setting.cycle_ns);
    return facts;
}

} // namespace

void ReportContent::add_chunks(const std::string& file)
{
    const LoadedSchedule loaded = chunk_file_of(given_, file);
    add_result(file, *find_result("certify"), certification_of_chunks(given_, file), origin_in(loaded.claims),
               loaded.is_bound ? nlohmann::ordered_json() : facts_of_chunks(loaded));
    const LinkNetwork network = loaded.network();
    Movie movie;
    if (!loaded.is_bound) {
        const std::vector<Violation> violations = validate(loaded.schedule, network);
        if (violations.empty())
            movie = movie_of(loaded, cost_in(loaded.schedule.made_for, loaded.schedule.collective));
        else
            movie.extra["violations"] = violation_marks(violations, loaded.schedule, loaded.topology,
                                                        page_nodes(loaded.topology, network));
    }
    if (loaded.claims.contains("lower_bounds")) {
        const nlohmann::json json = loaded.claims["lower_bounds"];
        const Bounds bounds = read_bounds(JsonPlace(json, file, "/lower_bounds"));
        if (const Bound* const bound = telling_bound(bounds))
            movie.extra["bottleneck"] = bottleneck_of_chunks(*bound, loaded.topology, network);
    }
    add_movie(file, std::move(movie), loaded.topology);
}

void ReportContent::add_foreign(const std::string& file)
{
    JudgedChunks judged = judged_chunks(given_, file);
    assume_size(judged.schedule.made_for, file);
    add_time(judged);
    add_result(file, *find_result("validate"), verdict_on(judged), nullptr);
    LoadedSchedule loaded{std::move(judged.schedule),
                          judged.topology ? std::move(*judged.topology) : topology_of(judged.network)};
    loaded.defaults = judged.defaults;
    Movie movie;
    if (judged.violations.empty())
        movie = movie_of(loaded, cost_in(loaded.schedule.made_for, loaded.schedule.collective));
    else
        movie.extra["violations"] = violation_marks(judged.violations, loaded.schedule, loaded.topology,
                                                    page_nodes(loaded.topology, judged.network));
    add_movie(file, std::move(movie), loaded.topology);
}

void ReportContent::add_network(const std::string& file)
{
    const Topology topology = load_topology(file);
    add_result(file, *find_result("topology"), facts_of(topology), nullptr);
    add_movie(file, {}, topology);
}

void ReportContent::add_table(const std::string& file, nlohmann::ordered_json table)
{
    nlohmann::ordered_json made_by = std::move(table["made_by"]);
    table.erase("made_by");
    for (const ResultDescription* const kind : all_results())
        if (const auto result = result_of_table(table, *kind); result && summary_of(kind->name, *result))
            return add_result(file, *kind, *result, made_by);
    const std::optional<Summary> summary = summary_of_table(table);
    results_.push_back({{"file", std::filesystem::path(file).filename().string()},
                        {"summary", summary ? to_json(*summary) : nlohmann::ordered_json()},
                        {"table", std::move(table)},
                        {"made_by", without_temporary_folders(std::move(made_by))}});
}

void ReportContent::add_file(const std::string& file)
{
    const FileKind kind = kind_of_file(file);
    constexpr std::array schedules{FileKind::schedule, FileKind::bound, FileKind::chunks, FileKind::foreign};
    has_schedules_ = has_schedules_ || std::ranges::find(schedules, kind) != schedules.end();
    switch (kind) {
    case FileKind::schedule:
    case FileKind::bound:
        return add_messages(file);
    case FileKind::chunks:
        return add_chunks(file);
    case FileKind::foreign:
        return add_foreign(file);
    case FileKind::topology:
        return add_network(file);
    case FileKind::sqlite:
        return add_table(file, table_json(stored_results(file), all_results()));
    case FileKind::result:
    case FileKind::json: // broken: its reader says where
        return add_json(file);
    case FileKind::other:
        if (std::filesystem::path(file).extension() == ".csv")
            return add_table(file, csv_json(read_file(file), file, all_results()));
        [[fallthrough]];
    default:
        throw std::runtime_error(fmt::format(
            "{}: a report is of results (JSON, CSV, or a sweep's database), schedules, bounds and networks",
            file));
    }
}

nlohmann::ordered_json ReportContent::finished() &&
{
    nlohmann::ordered_json descriptions = nlohmann::ordered_json::object();
    nlohmann::ordered_json kinds = results_json(kinds_);
    for (const nlohmann::ordered_json& result : kinds["results"])
        descriptions[result["name"].get<std::string>()] = result;
    return {{"title", given_.text("title")},
            {"headline", comparisons_.size() > 1 && comparisons_.size() == results_.size()
                             ? headline_of(comparisons_)
                             : std::string()},
            {"made_by", without_temporary_folders(to_json(origin_of(given_)))},
            {"results", std::move(results_)},
            {"descriptions", std::move(descriptions)},
            {"networks", std::move(networks_)},
            {"movies", std::move(movies_)}};
}

} // namespace nocturne::cli
