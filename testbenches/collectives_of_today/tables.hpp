// Which rows there are.
#pragma once

#include "testbenches/collectives_of_today/rows.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace nocturne::collectives_of_today {

// Each takes the settings, with the rows of their CSV files, and throws std::exception for a row that is not
// as it should be.

/// SCCL's allgathers on the DGX-1: is there a schedule in S steps, R rounds and C chunks? Those that exist
/// are validated, proofs that there are none checked.
std::vector<ReferenceRow> dgx1_allgather_rows(const nlohmann::json& settings);
/// Other collectives on it: at least as good in steps, and in rounds a chunk.
std::vector<ReferenceRow> dgx1_other_rows(const nlohmann::json& settings);
/// All-reduce on small networks: the front of steps against rounds a chunk, and how far its ends are from
/// the bounds.
std::vector<ReferenceRow> all_reduce_rows(const nlohmann::json& settings);
/// TACOS's allgathers by alpha + beta time, and larger ones.
std::vector<ReferenceRow> timed_allgather_rows(const nlohmann::json& settings, const char* rows);
/// TE-CCL's times on clusters of several chassis, whose topology files are in the testbench's folder.
std::vector<ReferenceRow> cluster_rows(const nlohmann::json& settings);
/// ForestColl's best throughputs of allgathers, exactly, and how near 64 chunks come to them.
std::vector<ReferenceRow> throughput_rows(const nlohmann::json& settings);

} // namespace nocturne::collectives_of_today
