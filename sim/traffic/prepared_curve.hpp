// What a curve is measured with: its texts parsed.
#pragma once

#include "models/topology/input_log.hpp"
#include "models/traffic/application.hpp"
#include "sim/traffic/class_specification.hpp"
#include "sim/traffic/load_curves.hpp"

#include <optional>
#include <string>

namespace nocturne {

/// A curve with its texts parsed and its routing built: once, whatever the number of its points. Worker
/// processes are forks, and have it too.
struct PreparedCurve {
    const CurveSpecification& specification;
    Routing routing;
    HardwareConfig hardware;                ///< with as many virtual channels as all need, if that is wished
    Traffic traffic;                        ///< at load 0
    TrafficFaults faults;                   ///< during the run
    std::optional<PreparedClasses> classes; ///< instead of `traffic`
    std::optional<MappedApplication> application; ///< that the pattern is of
    FileDigests files;                            ///< that its texts name

    Traffic at(double load) const
    {
        Traffic result = traffic;
        result.load = load;
        return result;
    }
    /// Of all routes, detours among them. Throws as detour_routing().
    VcClasses vc_classes() const;
    /// Virtual channels that its routes use.
    unsigned vcs_needed() const;
};

/// Throws what the functions for the texts throw.
PreparedCurve prepare_curve(const CurveSpecification& curve);

/// All that a point depends on, in one text: of files the content.
std::string key_of(const PreparedCurve& curve, double load, const MeasurementPlan& plan);

} // namespace nocturne
