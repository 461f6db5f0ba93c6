// Schedules of chunks as JSON:
//
//     {"format": "nocturne-chunks", "version": 1, "name": "…", "source": "…", "topology": "ring:4",
//      "collective": {"kind": "allreduce", "parts": 4, "group": [0, 1, 3]},
//      "synchronization": "steps", "rounds": [1, 1],
//      "transfers": [{"from": 0, "to": 1, "chunk": 2, "add": true, "step": 0}, …]}
//
// - "topology" is a specification, a topology file (its path relative to the schedule's) or a topology
//   object; "bytes_per_cycle" (4) and "local_latency_cycles" (0) are LinkDefaults.
// - "collective" has "root" where its kind needs one, "senders", "receivers" or "image" where its kind takes
//   them (Participants), "group" unless all processors take part, and "weights"
//   if blocks are of unequal size: one a member (allgather, reduce-scatter) or one a pair, row by row
//   (alltoall). "kind": "custom" has "chunks", [{"weight": 1, "contributors": [0]}, …], and "demands",
//   [{"chunk": 0, "receiver": 1, "contributors": [0]}, …], instead; "contributors" left out: all.
// - "bytes", which may be left out, is the size of the largest vector that a processor contributes, for which
//   the schedule was made.
// - "from" and "to" are nodes of the link network: processors by their indices, then switches. "chunk" is the
//   place at both ends, or else "read" and "write" are. "links" lists links; it is left out where one link
//   alone leads from one node to the other, and in copies within a node. "add": the destination adds.
// - "step" of a transfer in steps counts from 0. Under "dependencies" there are no steps and no rounds, and
//   "after" lists the transfers, by their indices from 0, that a transfer waits for.
// - "lower_bounds" is what no schedule beats (schedules/chunk_certificate/chunk_claims_json.hpp); here it is
//   kept as it is. With it "synchronization" and "transfers" may be left out: bounds without a schedule.
// - "inputs" and "outputs", [{"processor": 0, "chunk": 1, "place": 7}, …], are ChunkPlacements.
#pragma once

#include "models/topology/files.hpp"
#include "models/topology/json_place.hpp"
#include "schedules/chunks/link_network.hpp"
#include "schedules/schedule/schedule.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace nocturne {

/// A schedule out of a file.
struct LoadedChunkedSchedule {
    Schedule schedule;
    Topology topology; ///< the one that the file names
    LinkDefaults defaults;
    LinkNetwork network; ///< of topology and defaults
};

/// All that is in a file.
struct ChunkFile {
    LoadedChunkedSchedule loaded;
    bool has_schedule = true;        ///< else `loaded.schedule` has a collective, and no transfers
    nlohmann::json bounds = nullptr; ///< member "lower_bounds"; null if there is none
};

/// Does the text say that it is such a schedule, valid or not?
bool is_chunked_schedule(std::string_view text);

/// `schedule` is for link_network_of(topology, defaults). A transfer is a line.
std::string chunk_json_text(const Schedule& schedule, const Topology& topology,
                            const LinkDefaults& defaults = {}, const nlohmann::ordered_json& bounds = nullptr);
/// Of bounds without a schedule.
std::string bounds_text(const Collective& collective, const Topology& topology, const LinkDefaults& defaults,
                        const nlohmann::ordered_json& bounds);

/// `path` begins every error message, and is where a topology file is looked for. Throws std::runtime_error,
/// one line with the place (JSON pointer) and the reason. What is said of transfers is taken as it is:
/// whether it is right is for the validator.
ChunkFile parse_chunk_file(std::string_view text, const std::filesystem::path& path);
/// The same, and an error if there is no schedule.
LoadedChunkedSchedule parse_chunked_schedule(std::string_view text, const std::filesystem::path& path);

/// Throws std::runtime_error, one line that begins with the file, if it cannot be read or is none.
LoadedChunkedSchedule load_chunked_schedule(const std::filesystem::path& path);

/// Writes the whole file or nothing; throws std::runtime_error if it cannot.
void save_chunked_schedule(const std::filesystem::path& path, const Schedule& schedule,
                           const Topology& topology, const LinkDefaults& defaults = {},
                           const nlohmann::ordered_json& bounds = nullptr);

} // namespace nocturne
