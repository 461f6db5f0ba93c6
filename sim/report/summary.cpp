#include "sim/report/summary.hpp"

#include "sim/report/summaries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace nocturne {

namespace {

struct SummaryOfKind {
    std::string_view kind;
    Summary (*summary)(const nlohmann::ordered_json& result);
};

constexpr std::array summaries{SummaryOfKind{"certify", summary_of_certificate},
                               SummaryOfKind{"validate", summary_of_certificate},
                               SummaryOfKind{"validate program", summary_of_program},
                               SummaryOfKind{"schedule", summary_of_certificate},
                               SummaryOfKind{"bound", summary_of_certificate},
                               SummaryOfKind{"reschedule", summary_of_reschedule},
                               SummaryOfKind{"evolve", summary_of_evolution},
                               SummaryOfKind{"front", summary_of_front},
                               SummaryOfKind{"faults", summary_of_faults},
                               SummaryOfKind{"compare", summary_of_comparison},
                               SummaryOfKind{"traffic", summary_of_traffic},
                               SummaryOfKind{"replay", summary_of_replay},
                               SummaryOfKind{"recover", summary_of_recovery},
                               SummaryOfKind{"contracts", summary_of_contracts},
                               SummaryOfKind{"benes", summary_of_benes},
                               SummaryOfKind{"closed loops", summary_of_closed_loop},
                               SummaryOfKind{"trace", summary_of_trace},
                               SummaryOfKind{"audit", summary_of_audit},
                               SummaryOfKind{"topology", summary_of_network},
                               SummaryOfKind{"design", summary_of_design}};

nlohmann::ordered_json axis_json(const Axis& axis)
{
    constexpr std::array scales{"linear", "log2", "log10"};
    nlohmann::ordered_json json{{"label", axis.label},
                                {"scale", scales.at(static_cast<std::size_t>(axis.scale))}};
    for (const auto& [name, end] : {std::pair{"from", axis.from}, std::pair{"to", axis.to}})
        json[name] = end ? nlohmann::ordered_json(*end) : nlohmann::ordered_json();
    return json;
}

nlohmann::ordered_json picture_json(std::monostate /*nothing*/)
{
    return nullptr;
}

nlohmann::ordered_json picture_json(const LinePlot& plot)
{
    nlohmann::ordered_json curves = nlohmann::ordered_json::array();
    for (const Curve& curve : plot.curves)
        curves.push_back(
            {{"label", curve.label},
             {"is_model", curve.stroke == Stroke::model},
             {"points", curve.points},
             {"ends_at", curve.ends_at ? nlohmann::ordered_json(*curve.ends_at) : nlohmann::ordered_json()}});
    return {{"kind", "lines"},        {"title", plot.title}, {"x", axis_json(plot.x)},
            {"y", axis_json(plot.y)}, {"curves", curves},    {"end_meaning", plot.end_meaning}};
}

nlohmann::ordered_json picture_json(const SmallMultiples& multiples)
{
    nlohmann::ordered_json plots = nlohmann::ordered_json::array();
    for (const LinePlot& plot : multiples.plots)
        plots.push_back(picture_json(plot));
    return {{"kind", "multiples"}, {"plots", plots}};
}

nlohmann::ordered_json picture_json(const GanttPlot& plot)
{
    nlohmann::ordered_json boxes = nlohmann::ordered_json::array();
    for (const GanttBox& box : plot.boxes)
        boxes.push_back({{"row", box.row}, {"begin", box.begin}, {"end", box.end}, {"group", box.group}});
    return {{"kind", "boxes"},   {"title", plot.title},   {"x", axis_json(plot.x)},
            {"rows", plot.rows}, {"groups", plot.groups}, {"boxes", boxes}};
}

nlohmann::ordered_json cell_json(const Cell& cell)
{
    return std::visit(
        [](const auto& value) -> nlohmann::ordered_json {
            using Value = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, std::monostate>)
                return nullptr;
            else if constexpr (std::is_same_v<Value, Real>) {
                const double unit = std::pow(10, value.digits);
                return std::round(value.value * unit) / unit;
            } else
                return value;
        },
        cell);
}

nlohmann::ordered_json page_table(std::monostate /*nothing*/)
{
    return nullptr;
}

nlohmann::ordered_json page_table(const FieldTable& table)
{
    return {{"rows", table.rows}, {"fields", table.fields}};
}

nlohmann::ordered_json page_table(const Table& table)
{
    nlohmann::ordered_json columns = nlohmann::ordered_json::array(), rows = columns;
    for (const Column& column : table.columns)
        columns.push_back({{"name", column_key(column)}, {"title", column.name}, {"unit", column.unit}});
    for (const auto& row : table.rows) {
        nlohmann::ordered_json& cells = rows.emplace_back(nlohmann::ordered_json::array());
        for (const Cell& cell : row)
            cells.push_back(cell_json(cell));
    }
    return {{"title", table.title}, {"columns", columns}, {"rows", rows}};
}

} // namespace

std::optional<Summary> summary_of(std::string_view kind, const nlohmann::ordered_json& result)
{
    const auto* const found = std::ranges::find(summaries, kind, &SummaryOfKind::kind);
    if (found == summaries.end())
        return std::nullopt;
    try {
        return found->summary(result);
    } catch (const nlohmann::json::exception&) {
        return std::nullopt; // of another version: its fields are shown all the same
    }
}

nlohmann::ordered_json to_json(const Summary& summary)
{
    return {{"subject", summary.subject},
            {"headline", summary.headline},
            {"is_bad", summary.is_bad},
            {"reasons", summary.reasons},
            {"picture", std::visit([](const auto& plot) { return picture_json(plot); }, summary.picture)},
            {"table", std::visit([](const auto& table) { return page_table(table); }, summary.table)},
            {"is_matrix", summary.is_matrix}};
}

std::optional<double> number_in(const nlohmann::ordered_json& result, const char* member)
{
    const auto found = result.find(member);
    return found != result.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::string number_text(const nlohmann::ordered_json& result, const char* member)
{
    return short_number(number_in(result, member).value_or(0));
}

std::string text_in(const nlohmann::ordered_json& result, const char* member)
{
    const auto found = result.find(member);
    return found != result.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<bool> flag_in(const nlohmann::ordered_json& result, const char* member)
{
    const auto found = result.find(member);
    return found != result.end() && found->is_boolean() ? std::optional(found->get<bool>()) : std::nullopt;
}

const nlohmann::ordered_json& list_in(const nlohmann::ordered_json& result, const char* member)
{
    static const nlohmann::ordered_json nothing = nlohmann::ordered_json::array();
    const auto found = result.find(member);
    return found != result.end() && found->is_array() ? *found : nothing;
}

} // namespace nocturne
