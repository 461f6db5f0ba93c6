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
//   Members of a "group" are the collective's only processors, in the order of their blocks and weights.
//
// - "slack", where it is given, is the most hops of a path beyond a minimal one: the validator holds the
//   schedule to it.
// - "lower_bound" says what the schedule is claimed to be compared with the best one (`nocturne certify`
//   checks that); it may be left out and does not change what the schedule is.
//
// - "version" 3 is for transfers from memory to memory ("switching": "memory-to-memory"), those of chunks.
//   There are no ports. Vertices may be nodes of the link network too: processors by their indices, then
//   switches. "message" is the place that is read, "write" the one that is written where that is another:
//   places below the number of chunks are theirs. "channels" lists links, those of processors that are no
//   routers included; it is left out where one link alone leads from one node to the other, and in copies
//   within a node.
// - Its "bytes_per_cycle" (4) and "local_latency_cycles" (0) are LinkDefaults. What the
//   schedule was made for is MadeFor: "bytes" (of the largest vector that a processor contributes),
//   "start_cycles", "latency_holds_link" (false) and "cycle_ns". "rounds" are those of each
//   step, 1 each if nothing is said. Under "synchronization": "dependencies" one list has all transfers, and
//   "after" lists those, by their indices from 0, that a transfer waits for. "inputs" and "outputs",
//   [{"processor": 0, "chunk": 1, "place": 7}, …], are ChunkPlacements.
// - Its collectives may have "weights", if blocks are of unequal size: one a member (allgather,
//   reduce-scatter) or one a pair, row by row (alltoall). "kind": "custom" has "chunks", [{"weight": 1,
//   "contributors": [0], "release_cycles": 5000}, …], and
//   "demands", [{"chunk": 0, "receiver": 1, "contributors": [0]}, …], instead;
//   "contributors" left out: all; "release_cycles" left out: 0.
// - "lower_bounds" is what is claimed of it (schedules/certificate/bound_json.hpp).
//
// A bound without a schedule is the same with "format": "nocturne-bound", without "steps".
//
// schedule.schema.json is the same in JSON Schema (draft 4); every text is checked against it.
#pragma once

#include "models/topology/files.hpp"
#include "models/topology/link_network.hpp"
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
/// Version 3 is for link_network_of(topology, defaults).
std::string to_json_text(const Schedule& schedule, const Topology& topology,
                         const nlohmann::ordered_json& claims = nlohmann::ordered_json::object(),
                         const LinkDefaults& defaults = {});

/// The same in pieces, without the whole text in memory.
void write_json_text(const Schedule& schedule, const Topology& topology, const nlohmann::ordered_json& claims,
                     const LinkDefaults& defaults, const ByteSink& sink);

/// A bound without a schedule: what `schedule` is for, and the claims.
std::string bound_text(const Schedule& schedule, const Topology& topology,
                       const nlohmann::ordered_json& claims, const LinkDefaults& defaults = {});

/// The schedule in `text` on `topology`, whatever topology it names itself. `origin` (the file) begins every
/// error message. Throws std::runtime_error, one line with the place (line and column, JSON pointer) and the
/// reason. What a transfer says is taken as it is: whether it is right is for the validator.
Schedule parse_schedule(std::string_view text, const Topology& topology, std::string_view origin);

} // namespace nocturne
