// Schedules as JSON, which people read and write too:
//
//     {"format": "nocturne-schedule", "version": 1, "name": "…", "source": "…", "topology": "omega:8",
//      "collective": {"kind": "AAB", "processors": 8}, "ports": "1", "switching": "wormhole",
//      "steps": [[{"from": "0", "to": "4", "path": ["c0s0", "c1s0", "c2s2"]}, …], …]}
//
// - "topology" is a specification, a topology file (its path relative to the schedule's) or a topology
//   object.
// - "collective" has "source" (OAB, OAS, multicast), "root" (AOG, reduce), "senders" and "receivers" (MNB,
//   MNS; multicast receivers only) or "image" (permutation: where each processor sends to), as its kind
//   needs. "processors" may be left out; if it is there the topology must have that many.
// - A vertex is a name, or its index as a number. A text that is no name is an index too, `#` and an index
//   always is.
// - "path" lists the routers on the way. Where parallel channels make that ambiguous "channels" lists channel
//   indices instead. A transfer without either has no path yet; see complete_paths().
// - The message is implied when the sender is its origin. Who passes on the message of another says which it
//   is: "message": {"origin": "3"} of a broadcast, {"origin": "3", "to": "5"} of a scatter.
//
// - Where something is added, "version" is 2, a transfer that adds says "add": true, and a message is named
//   by its number, from 0, unless there is only one. So it is where blocks are cut into "parts" of the
//   collective.
//   Members of a "group" are the collective's only processors.
//
// - "slack", where it is given, is the most hops of a path beyond a minimal one: the validator holds the
//   schedule to it.
// - "lower_bound" says what the schedule is claimed to be compared with the best one (`nocturne certify`
//   checks that); it may be left out and does not change what the schedule is.
//
// schedule.schema.json is the same in JSON Schema (draft 4); every text is checked against it.
#pragma once

#include "models/topology/files.hpp"
#include "schedules/schedule/schedule.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace nocturne {

/// The JSON Schema of the format.
std::string_view schedule_schema();

/// Throws std::invalid_argument for a transfer whose message or processors do not exist: they have no name.
/// Any other schedule, valid or not, comes back from parse_schedule() as it was.
nlohmann::ordered_json to_json(const Schedule& schedule, const Topology& topology);

/// The same as a text with one transfer a line. The members of the object `claims` ("lower_bound") are
/// written before the steps.
std::string to_json_text(const Schedule& schedule, const Topology& topology,
                         const nlohmann::ordered_json& claims = nlohmann::ordered_json::object());

/// The same in pieces, without the whole text in memory.
void write_json_text(const Schedule& schedule, const Topology& topology, const nlohmann::ordered_json& claims,
                     const ByteSink& sink);

/// The schedule in `text` on `topology`, whatever topology it names itself. `origin` (the file) begins every
/// error message. Throws std::runtime_error, one line with the place (line and column, JSON pointer) and the
/// reason. What a transfer says is taken as it is: whether it is right is for the validator.
Schedule parse_schedule(std::string_view text, const Topology& topology, std::string_view origin);

} // namespace nocturne
