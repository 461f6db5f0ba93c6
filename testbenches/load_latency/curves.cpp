#include "testbenches/load_latency/curves.hpp"

#include "models/topology/make_topology.hpp"
#include "sim/report/columns.hpp"
#include "testbenches/records.hpp"

#include <algorithm>
#include <cmath>

namespace nocturne::load_latency {

namespace {

/// To four digits behind the point: what a table shows is what was measured.
double rounded(double load)
{
    return std::round(load * 1e4) / 1e4;
}

const TrafficPoint* point_at(const TrafficCurve& curve, double load)
{
    const auto found = std::find_if(curve.points.begin(), curve.points.end(),
                                    [&](const TrafficPoint& point) { return point.load == load; });
    return found == curve.points.end() ? nullptr : &*found;
}

/// At a share of the load at which it saturates.
std::optional<double> latency_at(const TrafficCurve& curve, double share)
{
    if (!curve.highest_steady_load)
        return std::nullopt;
    const TrafficPoint* const point = point_at(curve, rounded(share * *curve.highest_steady_load));
    return point == nullptr ? std::nullopt : point->latency.average_packet_latency_cycles;
}

} // namespace

std::vector<CurveSpecification> read_curves(const std::filesystem::path& path)
{
    std::vector<CurveSpecification> curves;
    testbench::read_records(
        path, "topology,routing,pattern,packet_flits,ports", [&](const testbench::Fields& fields) {
            CurveSpecification curve{fields[0], make_topology(fields[0]), fields[1], fields[2]};
            curve.packet_flits = fields[3];
            curve.ports = parse_port_model(fields[4]);
            curves.push_back(std::move(curve));
        });
    return curves;
}

std::vector<TrafficCurve> measure(const std::vector<CurveSpecification>& curves, const CurveOptions& options)
{
    std::vector<TrafficCurve> found = find_saturation(curves, {}, options);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        std::vector<double> loads;
        for (int tenth = 1; tenth <= 9; ++tenth)
            loads.push_back(rounded(0.1 * tenth * found[i].highest_steady_load.value_or(0)));
        const std::vector<CurveSpecification> one{curves[i]};
        TrafficCurve more = measure_curves(one, loads, options).front();
        for (TrafficPoint& point : more.points)
            if (point_at(found[i], point.load) == nullptr)
                found[i].points.push_back(std::move(point));
        std::sort(found[i].points.begin(), found[i].points.end(),
                  [](const TrafficPoint& a, const TrafficPoint& b) { return a.load < b.load; });
    }
    return found;
}

Table saturation_table(const std::vector<TrafficCurve>& curves)
{
    const auto latency = [](double share) {
        return [=](const TrafficCurve& curve) { return latency_at(curve, share); };
    };
    const auto accepted = [](const TrafficCurve& curve) {
        const TrafficPoint* const full = point_at(curve, 1);
        return full == nullptr ? std::nullopt : std::optional(full->accepted_flit_rate);
    };
    return table_of("Saturation under synthetic traffic", curves,
                    {{"topology", "", &TrafficCurve::topology},
                     {"routing", "", &TrafficCurve::routing},
                     {"pattern", "", &TrafficCurve::pattern},
                     {"packet", "flits", &TrafficCurve::packet_flits},
                     {"latency at a tenth", "cycles", latency(0.1), 1},
                     {"latency at half", "cycles", latency(0.5), 1},
                     {"steady load", "", &TrafficCurve::highest_steady_load, 3},
                     {"saturated load", "", &TrafficCurve::lowest_saturated_load, 3},
                     {"accepted at load 1", "", accepted, 3}});
}

} // namespace nocturne::load_latency
