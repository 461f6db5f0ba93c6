#include "sim/recovery/fault_report.hpp"

#include "models/topology/drawing.hpp"
#include "models/topology/faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace nocturne {
namespace {

/// From bearable to bad, as in ColorBrewer's sequential scheme YlOrRd; also in grey they differ.
constexpr std::array<std::string_view, 6> shades{"#fed976", "#feb24c", "#fd8d3c",
                                                 "#fc4e2a", "#e31a1c", "#99000d"};
constexpr std::string_view no_loss = "#a6bddb";
constexpr std::string_view cut_off = "#000000";

/// What losing a part of the network comes to; the worst of several sorts last.
struct Cost {
    enum class Kind { none, steps, refused, disconnected } kind = Kind::none;
    std::size_t steps = 0;

    friend bool operator<(const Cost& a, const Cost& b)
    {
        return std::pair(a.kind, a.steps) < std::pair(b.kind, b.steps);
    }
};

Cost cost_of(const FaultRow& row, std::size_t problem)
{
    if (!row.disconnection.empty())
        return {Cost::Kind::disconnected};
    const FaultCell& cell = row.cells[problem];
    return cell.steps ? Cost{Cost::Kind::steps, *cell.steps} : Cost{Cost::Kind::refused};
}

std::string fault_name(const FaultRow& row)
{
    return fmt::format("{}", fmt::join(row.faults, " "));
}

/// Why a row or cell has no schedule, without the network's name, which every row would have.
std::string note_of(const FaultRow& row)
{
    if (!row.disconnection.empty())
        return "disconnects the network";
    std::vector<std::string> notes;
    for (const FaultCell& cell : row.cells)
        if (!cell.refusal.empty())
            notes.push_back(cell.refusal.substr(cell.refusal.rfind(": ") + 2));
        else if (!cell.steps)
            notes.emplace_back("no schedule in time");
    std::sort(notes.begin(), notes.end());
    notes.erase(std::unique(notes.begin(), notes.end()), notes.end());
    return fmt::format("{}", fmt::join(notes, "; "));
}

std::string histogram(const FaultSummary& summary)
{
    std::vector<std::string> parts;
    for (const auto& [steps, cells] : summary.cells_by_steps)
        parts.push_back(fmt::format("{}: {}", steps, cells));
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// The colours of a picture: those of the numbers of steps that occur, fewest first.
class Palette {
public:
    Palette(std::size_t before, const std::vector<Cost>& costs) : before_(before)
    {
        for (const Cost& cost : costs)
            if (cost.kind == Cost::Kind::steps && cost.steps > before)
                steps_.insert(cost.steps);
        std::set<Cost> all(costs.begin(), costs.end());
        for (const Cost& cost : all)
            if (const std::string text = text_of(cost);
                cost.kind != Cost::Kind::none && (legend_.empty() || legend_.back().text != text))
                legend_.push_back({colour_of(cost), text});
    }

    std::string colour_of(const Cost& cost) const
    {
        switch (cost.kind) {
        case Cost::Kind::none:
            return {};
        case Cost::Kind::refused:
        case Cost::Kind::disconnected:
            return std::string(cut_off);
        case Cost::Kind::steps:
            break;
        }
        if (cost.steps <= before_)
            return std::string(no_loss);
        const auto place = static_cast<std::size_t>(std::distance(steps_.begin(), steps_.find(cost.steps)));
        const std::size_t last = std::max<std::size_t>(steps_.size(), 2) - 1;
        return std::string(
            shades[steps_.size() == 1 ? shades.size() / 2 : place * (shades.size() - 1) / last]);
    }

    const std::vector<LegendEntry>& legend() const { return legend_; }

private:
    std::string text_of(const Cost& cost) const
    {
        switch (cost.kind) {
        case Cost::Kind::none:
            return {};
        case Cost::Kind::refused:
            return "none left to schedule";
        case Cost::Kind::disconnected:
            return "disconnects";
        case Cost::Kind::steps:
            break;
        }
        return cost.steps == before_ ? fmt::format("{} as before", before_) : fmt::format("{}", cost.steps);
    }

    std::size_t before_;
    std::set<std::size_t> steps_; ///< more than before
    std::vector<LegendEntry> legend_;
};

} // namespace

std::string collective_label(const Problem& problem)
{
    const CollectiveKind kind = problem.collective.kind;
    const auto participants = participants_of(problem.collective);
    if (!participants || !participants->source)
        return std::string(to_string(kind));
    return fmt::format("{} {} {}", to_string(kind), is_to_one(kind) ? "to" : "from",
                       problem.topology.processor(*participants->source).name);
}

Table fault_table_of(const FaultTable& table)
{
    Table result{fmt::format("{}: steps after each {} fault", table.topology.name(), to_string(table.kind)),
                 {{"fault", "", Align::left}},
                 {}};
    for (const Problem& problem : table.problems) {
        result.columns.push_back({collective_label(problem), ""});
        result.columns.push_back({collective_label(problem) + " bound", ""});
    }
    result.columns.push_back({"note", "", Align::left});
    std::vector<Cell> none{std::string("none")};
    for (const PortfolioResult& before : table.before)
        none.insert(none.end(),
                    {std::uint64_t{before.schedule->steps.size()}, std::uint64_t{before.bound().steps}});
    none.emplace_back(std::string());
    result.add_row(std::move(none));
    for (const FaultRow& row : table.rows) {
        std::vector<Cell> cells{fault_name(row)};
        for (const FaultCell& cell : row.cells)
            cells.insert(cells.end(),
                         {cell.steps ? Cell{std::uint64_t{*cell.steps}} : Cell{},
                          cell.lower_bound == 0 ? Cell{} : Cell{std::uint64_t{cell.lower_bound}}});
        cells.resize(result.columns.size() - 1);
        cells.emplace_back(note_of(row));
        result.add_row(std::move(cells));
    }
    return result;
}

FaultReport fault_report(const FaultTable& table)
{
    FaultReport report{table.topology.name(), to_string(table.kind), {}, {}, {}};
    for (std::size_t i = 0; i < table.problems.size(); ++i)
        report.summary.push_back({collective_label(table.problems[i]), table.before[i].schedule->steps.size(),
                                  summarize(table, i)});
    for (const FaultRow& row : table.rows) {
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            report.cells.push_back({fault_name(row), report.summary[i].collective,
                                    report.summary[i].steps_before, row.cells[i]});
        if (!row.disconnection.empty())
            report.disconnections.push_back({fault_name(row), row.disconnection});
    }
    return report;
}

Fields<ReportedFault> fields_of(const ReportedFault*)
{
    using Row = ReportedFault;
    const auto if_found = [](auto get) {
        return [get](const Row& row) {
            return row.cell.steps ? std::optional(std::invoke(get, row.cell)) : std::nullopt;
        };
    };
    const auto changed = [=](auto member) {
        return if_found([=](const FaultCell& cell) { return cell.changes.*member; });
    };
    return {
        "fault and collective",
        "One fault and the schedule after it; null without a schedule.",
        {{"fault", "", "Failed part.", &Row::fault},
         {"collective", "", "Name and root of the collective.", &Row::collective},
         {"steps_before", "", "Steps without the fault.", &Row::steps_before},
         {"steps", "", "Steps after the fault.", [](const Row& row) { return row.cell.steps; }},
         {"lower_bound", "steps", "Proven lower bound on the steps of any schedule.",
          if_found(&FaultCell::lower_bound)},
         {"optimal", "", "Whether no schedule has fewer steps (proven).", if_found(&FaultCell::is_optimal)},
         {"kept", "transfers", "Unchanged transfers.", changed(&ScheduleChanges::kept)},
         {"changed", "transfers", "Transfers with another step or path.", changed(&ScheduleChanges::changed)},
         {"dropped", "transfers", "Transfers that are no longer needed.", changed(&ScheduleChanges::dropped)},
         {"added", "transfers", "New transfers.", changed(&ScheduleChanges::added)},
         {"engine", "", "Engine that found it.", [](const Row& row) { return row.cell.engine; }},
         {"seconds", "s", "Wall-clock time.", if_found(&FaultCell::seconds)},
         {"refusal", "", "Why nothing is left to schedule.",
          [](const Row& row) { return row.cell.refusal; }}}};
}

Fields<ReportedCollective> fields_of(const ReportedCollective*)
{
    using Row = ReportedCollective;
    const auto all = [](auto member) { return [=](const Row& row) { return row.summary.*member; }; };
    const auto of_scheduled = [](auto member) {
        return [=](const Row& row) {
            return row.summary.scheduled == 0 ? std::nullopt : std::optional(row.summary.*member);
        };
    };
    const auto kept = [](const Row& row) {
        return row.summary.scheduled == 0 ? std::nullopt : std::optional(100 * row.summary.kept);
    };
    return {
        "faults of a collective",
        "All faults of one kind, for one collective; null if no fault leaves anything to schedule.",
        {{"collective", "", "Name and root of the collective.", &Row::collective},
         {"steps_before", "", "Steps without a fault.", &Row::steps_before},
         {"maximum_steps", "", "Steps after the worst fault.", of_scheduled(&FaultSummary::worst)},
         {"mean_steps", "", "Mean steps over the faults.", of_scheduled(&FaultSummary::mean)},
         {"faults_by_steps", "", "`5: 3, 6: 1`: after three faults the schedule has 5 steps, after one 6.",
          [](const Row& row) { return histogram(row.summary); }},
         {"optimal_faults", "", "Faults after which the schedule is optimal (proven).",
          all(&FaultSummary::optimal)},
         {"disconnected", "", "Faults that disconnect the network.", all(&FaultSummary::disconnected)},
         {"refused", "", "Faults that leave nothing to schedule.", all(&FaultSummary::refused)},
         {"unsolved", "", "Faults without a schedule within the budget.", all(&FaultSummary::unsolved)},
         {"kept_percent", "%", "Mean share of unchanged transfers.", kept},
         {"mean_seconds", "s", "Mean wall-clock time.", of_scheduled(&FaultSummary::mean_seconds)},
         {"maximum_seconds", "s", "Longest wall-clock time.", of_scheduled(&FaultSummary::worst_seconds)}}};
}

Fields<Disconnection> fields_of(const Disconnection*)
{
    return {"disconnection",
            "A fault that disconnects the network.",
            {{"fault", "", "Failed part.", &Disconnection::fault},
             {"reason", "", "Processors that no longer reach each other.", &Disconnection::reason}}};
}

Fields<FaultReport> fields_of(const FaultReport*)
{
    return {
        "faults",
        "Schedules after every single fault of one kind.",
        {{"topology", "", "The network.", &FaultReport::topology},
         {"faults", "", "Kind of fault: `link`, `channel`, `node` or `link-pairs`.", &FaultReport::kind},
         {"summary", "", "One row per collective.", [](const FaultReport& report) { return report.summary; }},
         {"cells", "", "One row per fault and collective.",
          [](const FaultReport& report) { return report.cells; }, Shown::as_rows},
         {"disconnections", "", "Faults that disconnect the network.",
          [](const FaultReport& report) { return report.disconnections; }}}};
}

std::string fault_picture(const FaultTable& table, std::size_t problem)
{
    std::vector<Cost> routers(table.topology.router_count());
    std::vector<Cost> channels(table.topology.channel_count());
    for (const FaultRow& row : table.rows) {
        const Faults faults = parse_faults(table.topology, row.faults);
        const Cost cost = cost_of(row, problem);
        for (const RouterId id : faults.routers)
            routers[id] = std::max(routers[id], cost);
        for (const ChannelId id : faults.channels)
            channels[id] = std::max(channels[id], cost);
    }
    std::vector<Cost> all = routers;
    all.insert(all.end(), channels.begin(), channels.end());
    const std::size_t before = table.before[problem].schedule->steps.size();
    const Palette palette(before, all);

    DrawingMarks marks;
    marks.title = fmt::format("{} on {}: steps after losing a {}{}",
                              collective_label(table.problems[problem]), table.topology.name(),
                              table.kind == FaultKind::link_pairs ? "link" : to_string(table.kind),
                              table.kind == FaultKind::link_pairs ? " and, at worst, another one" : "");
    marks.legend = palette.legend();
    // Numbers on lines only where the loss costs something: in between they would be too many to read.
    const auto mark = [&](const std::vector<Cost>& costs, std::vector<DrawingMark>& result,
                          std::size_t least) {
        for (const Cost& cost : costs)
            result.push_back({palette.colour_of(cost), cost.kind == Cost::Kind::steps && cost.steps >= least
                                                           ? fmt::format("{}", cost.steps)
                                                           : ""});
    };
    mark(routers, marks.routers, 0);
    mark(channels, marks.channels, before + 1);
    return draw_topology(table.topology, "svg", marks);
}

} // namespace nocturne
