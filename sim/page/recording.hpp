// Runs as they are kept in a result's JSON, so that a page can show every message of them.
#pragma once

#include "models/network/configuration.hpp"
#include "models/topology/topology.hpp"
#include "sim/page/movie.hpp"
#include "sim/report/results.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// A run whose occupancy was recorded, and what it is called.
struct RecordedRun {
    std::string name;
    RunResult run;
};

/// The member "recording" of a result:
///
///     {"network": {…},                              of the format nocturne-topology
///      "link_source": […], "link_target": […],      of the links behind the channels: page_node()
///      "runs": [{"name": "…", "length_cycles": 4256, "stall": null,
///                "messages": {"source": […], "destination": […], "step": […]},
///                "holds": {"message": […], "link": […], "begin_cycle": […], "end_cycle": […]}}]}
///
/// A run in which something fails has "failed" too, channels, and "failed_from_cycle". Holds are in the order
/// of messages, those of a message in the order of their beginnings. A stall is what the result says of it.
nlohmann::ordered_json recording_json(const Topology& topology, const HardwareConfig& hardware,
                                      PortModel ports, std::span<const RecordedRun> runs);

struct Recording {
    Topology topology;
    std::vector<Movie> movies; ///< one for each run
};

/// Throws std::runtime_error, one line that begins with `origin`, for what is no recording.
Recording read_recording(const nlohmann::json& recording, std::string_view origin);

} // namespace nocturne
