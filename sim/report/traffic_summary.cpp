// What load curves say at first sight.
#include "sim/report/summaries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace nocturne {

namespace {

Cell cell_of(std::optional<double> value, int digits)
{
    return value ? Cell(Real{*value, digits}) : Cell();
}

/// Between which loads a curve saturates.
struct Saturation {
    double steady = 0;                    ///< the highest load that is known to be steady; 0 without one
    std::optional<double> saturated = {}; ///< the lowest that is known not to be; nothing if none was tried

    friend bool operator==(const Saturation&, const Saturation&) = default;
};

Saturation saturation_of(const TrafficCurve& curve)
{
    Saturation found{curve.highest_steady_load.value_or(0), saturated_from(curve)};
    for (const TrafficPoint& point : curve.points)
        if (!point.saturated && !point.stall && (!found.saturated || point.load < *found.saturated))
            found.steady = std::max(found.steady, point.load);
    return found;
}

/// `at 0.41`, where the ends are as close as a search has them, or `between 0.4 and 0.5`.
std::string place_of(const Saturation& saturation)
{
    constexpr double close = 0.02;
    if (!saturation.saturated)
        return "above " + short_number(saturation.steady);
    if (saturation.steady == 0)
        return "at or below " + short_number(*saturation.saturated);
    if (*saturation.saturated - saturation.steady <= close * saturation.steady)
        return "at " + short_number(saturation.steady);
    return fmt::format("between {} and {}", short_number(saturation.steady),
                       short_number(*saturation.saturated));
}

/// Of the lowest load that is measured: about that of a network without load.
std::optional<double> lowest_latency(const TrafficCurve& curve)
{
    for (const TrafficPoint& point : curve.points)
        if (point.latency.average_packet_latency_cycles)
            return point.latency.average_packet_latency_cycles;
    return std::nullopt;
}

/// At that load; nothing if it was not measured, or the network is saturated there.
std::optional<double> latency_at(const TrafficCurve& curve, double load)
{
    for (const TrafficPoint& point : curve.points)
        if (point.load == load && point.latency.average_packet_latency_cycles)
            return point.latency.average_packet_latency_cycles;
    return std::nullopt;
}

/// At the lowest load at which all curves have a latency: about that of networks without load.
std::string latency_text(std::span<const TrafficCurve> curves)
{
    std::optional<double> load;
    for (const TrafficPoint& point : curves.front().points)
        if ((!load || point.load < *load) && std::ranges::all_of(curves, [&](const TrafficCurve& curve) {
                return latency_at(curve, point.load).has_value();
            }))
            load = point.load;
    if (!load)
        return "";
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const TrafficCurve& curve : curves) {
        least = std::min(least, *latency_at(curve, *load));
        most = std::max(most, *latency_at(curve, *load));
    }
    const std::string range = short_number(least) == short_number(most)
                                  ? short_number(most)
                                  : short_number(least) + " to " + short_number(most);
    return fmt::format(" At load {} a packet takes {} cycles.", short_number(*load), range);
}

/// The labels of the curves with that saturation.
std::vector<std::string> with(const Saturation& saturation, const std::vector<Saturation>& all,
                              const std::vector<std::string>& labels)
{
    std::vector<std::string> found;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] == saturation)
            found.push_back(labels[i]);
    return found;
}

bool is_later(const Saturation& a, const Saturation& b)
{
    constexpr double never = std::numeric_limits<double>::infinity();
    return std::pair(a.saturated.value_or(never), a.steady) >
           std::pair(b.saturated.value_or(never), b.steady);
}

std::string saturation_text(std::span<const TrafficCurve> curves, const std::vector<std::string>& labels)
{
    std::vector<Saturation> all;
    for (const TrafficCurve& curve : curves)
        all.push_back(saturation_of(curve));
    const Saturation& last = *std::ranges::min_element(all, is_later);
    const Saturation& first = *std::ranges::max_element(all, is_later);
    if (!first.saturated)
        return fmt::format("No load up to {} saturates the network.", short_number(last.steady));
    const std::string unit = " flits per processor and cycle";
    if (first == last)
        return fmt::format("{} saturate{} {}{}.",
                           curves.size() == 1   ? "The network"
                           : curves.size() == 2 ? "Both curves"
                                                : fmt::format("All {} curves", curves.size()),
                           curves.size() == 1 ? "s" : "", place_of(last), unit);
    const auto names = [&](const Saturation& of) {
        const std::vector<std::string> some = with(of, all, labels);
        constexpr std::size_t most = 3;
        return some.size() > most ? fmt::format("{} of {} curves", some.size(), labels.size()) : listed(some);
    };
    const auto verb = [&](const Saturation& of, const char* of_one, const char* of_several) {
        return std::ranges::count(all, of) == 1 ? of_one : of_several;
    };
    const std::string best = last.saturated ? fmt::format("{} {} last, {}", names(last),
                                                          verb(last, "saturates", "saturate"), place_of(last))
                                            : fmt::format("{} {} steady up to {}", names(last),
                                                          verb(last, "is", "are"), short_number(last.steady));
    return fmt::format("{}{}; {} {} first, {}.", best, unit, names(first),
                       verb(first, "saturates", "saturate"), place_of(first));
}

std::string deadlocked_at(const TrafficCurve& curve)
{
    return short_number(std::ranges::find_if(curve.points, [](const TrafficPoint& point) {
                            return point.stall.has_value();
                        })->load);
}

std::vector<std::string> deadlocks_of(std::span<const TrafficCurve> curves,
                                      const std::vector<std::string>& labels)
{
    std::vector<std::string> found;
    for (std::size_t i = 0; i < curves.size(); ++i)
        for (const TrafficPoint& point : curves[i].points)
            if (point.stall) {
                found.push_back(fmt::format("{} at load {}: {}", labels[i], short_number(point.load),
                                            point.stall->reason));
                break;
            }
    return found;
}

/// Where faults cost most.
std::string losses_of(std::span<const TrafficCurve> curves, const std::vector<std::string>& labels)
{
    double most = 0;
    std::string text;
    for (std::size_t i = 0; i < curves.size(); ++i)
        for (const TrafficPoint& point : curves[i].points) {
            const std::uint64_t lost = point.faults ? point.faults->measured_lost_packets : 0;
            const double share = static_cast<double>(lost) /
                                 static_cast<double>(std::max<std::uint64_t>(1, point.measured_packets));
            if (share <= most)
                continue;
            most = share;
            text = losses_text(lost, point.measured_packets,
                               fmt::format("{}at load {}", curves.size() > 1 ? "with " + labels[i] + " " : "",
                                           short_number(point.load)));
        }
    return text;
}

Table saturation_table(std::span<const TrafficCurve> curves, const std::vector<std::string>& labels)
{
    constexpr int digits = 3;
    Table table{"By curve",
                {{"curve", "", Align::left},
                 {"latency at the lowest load", "cycles"},
                 {"steady up to", "flits/cycle"},
                 {"latency at the highest steady load", "cycles"},
                 {"saturated from", "flits/cycle"}},
                {}};
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const Saturation saturation = saturation_of(curves[i]);
        std::optional<double> last;
        for (const TrafficPoint& point : curves[i].points)
            if (point.load <= saturation.steady && point.latency.average_packet_latency_cycles)
                last = point.latency.average_packet_latency_cycles;
        table.add_row({labels[i], cell_of(lowest_latency(curves[i]), 1),
                       saturation.steady > 0 ? cell_of(saturation.steady, digits) : Cell(), cell_of(last, 1),
                       cell_of(saturation.saturated, digits)});
    }
    return table;
}

} // namespace

std::string losses_text(std::uint64_t lost, std::uint64_t of_packets, std::string_view where)
{
    if (lost == 0)
        return "";
    return fmt::format(" Faults lose {:.2g} % of the packets ({} of {}, {}).",
                       100 * static_cast<double>(lost) / static_cast<double>(of_packets), lost, of_packets,
                       where);
}

std::vector<Cell> saturation_cells(std::span<const TrafficCurve> curves)
{
    constexpr int digits = 3;
    std::vector<Cell> cells;
    for (const TrafficCurve& curve : curves) {
        const Saturation saturation = saturation_of(curve);
        if (!saturation.saturated)
            cells.emplace_back("> " + short_number(saturation.steady));
        else if (saturation.steady == 0)
            cells.emplace_back("< " + short_number(*saturation.saturated));
        else
            cells.emplace_back(Real{saturation.steady, digits});
    }
    return cells;
}

Summary summary_of_curves(std::span<const TrafficCurve> curves, const std::vector<std::string>& labels)
{
    if (curves.empty())
        return {"", "No load was measured.", true};
    LinePlot plot = load_latency_plot(curves);
    for (std::size_t i = 0; i < curves.size(); ++i)
        plot.curves[i].label = labels[i];
    Summary summary{plot.title, ""};
    summary.reasons = deadlocks_of(curves, labels);
    summary.is_bad = !summary.reasons.empty();
    if (!summary.is_bad)
        summary.headline = saturation_text(curves, labels) + latency_text(curves) + losses_of(curves, labels);
    else if (curves.size() == 1)
        summary.headline = fmt::format("The network deadlocks at load {}.", deadlocked_at(curves.front()));
    else
        summary.headline =
            fmt::format("The network deadlocks in {} of {} curves.", summary.reasons.size(), curves.size());
    if (std::ranges::any_of(curves,
                            [](const TrafficCurve& curve) { return lowest_latency(curve).has_value(); }))
        summary.picture = std::move(plot);
    summary.table = saturation_table(curves, labels);
    return summary;
}

Summary summary_of_traffic(const nlohmann::ordered_json& result)
{
    const auto curves = nlohmann::json(result.at("curves")).get<std::vector<TrafficCurve>>();
    return summary_of_curves(curves, curve_labels(curves));
}

} // namespace nocturne
