// What a curve is measured with: its texts parsed.
#pragma once

#include "models/topology/input_log.hpp"
#include "models/traffic/application.hpp"
#include "sim/traffic/class_specification.hpp"
#include "sim/traffic/load_curves.hpp"

#include <memory>
#include <optional>
#include <string>

namespace nocturne {

/// A curve with its texts parsed and its routing built: once, whatever the number of its points. Worker
/// processes are forks, and have it too.
struct PreparedCurve {
    const CurveSpecification& specification;
    HardwareConfig hardware; ///< with as many virtual channels as all need, if that is wished
    TrafficFaults faults;    ///< during the run
    std::optional<MappedApplication> application; ///< that the pattern is of
    FileDigests files;                            ///< that its texts name
    std::string routing_taken;
    std::string selection;                          ///< of adaptive routing; else empty
    unsigned vcs_needed = 1;                        ///< virtual channels that its routes use
    std::shared_ptr<const PreparedClasses> traffic; ///< null: it was let go, see traffic_of()
    std::shared_ptr<const Routing> routing;         ///< that traffic_of() makes it with; null: a new one

    /// Of all routes, detours among them; only with its traffic. Throws as routing_around_faults().
    VcClasses vc_classes() const;
};

/// `like`: a curve that has its traffic, and network, routing and hardware of this one. Its routing is taken:
/// for good if it draws nothing, or draws the same. Otherwise it stands for one of the same kind, and the
/// traffic that there is now is for checks only. Throws what the functions for the texts throw.
PreparedCurve prepare_curve(const CurveSpecification& curve, const PreparedCurve* like = nullptr);

/// The traffic of the curve, made again if it was let go.
std::shared_ptr<const PreparedClasses> traffic_of(const PreparedCurve& curve);

/// Do they share network, routing and hardware?
bool have_one_network(const CurveSpecification& a, const CurveSpecification& b);

/// All that a point depends on, in one text: of files the content.
std::string stored_point_key(const PreparedCurve& curve, double load, const MeasurementPlan& plan);

} // namespace nocturne
