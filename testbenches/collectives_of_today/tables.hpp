// Which rows there are.
#pragma once

#include "testbenches/collectives_of_today/rows.hpp"

#include <filesystem>
#include <vector>

namespace nocturne::collectives_of_today {

// Each takes the folder with the CSV files, and throws std::runtime_error, one line with file and line, for
// one that is not as it should be.

/// SCCL's allgathers on the DGX-1: is there a schedule in S steps, R rounds and C chunks? Those that exist
/// are validated, proofs that there are none checked.
std::vector<ReferenceRow> dgx1_allgather_rows(const std::filesystem::path& folder);
/// Other collectives on it: at least as good in steps, and in rounds a chunk.
std::vector<ReferenceRow> dgx1_other_rows(const std::filesystem::path& folder);
/// All-reduce on small networks: the front of steps against rounds a chunk, and how far its ends are from
/// the bounds.
std::vector<ReferenceRow> all_reduce_rows(const std::filesystem::path& folder);
/// TACOS's allgathers by alpha + beta time, from a file in the folder.
std::vector<ReferenceRow> timed_allgather_rows(const std::filesystem::path& folder, const std::string& file);
/// TE-CCL's times on clusters of several chassis, whose topology files are in the folder.
std::vector<ReferenceRow> cluster_rows(const std::filesystem::path& folder);

/// ForestColl's best throughputs of allgathers, exactly, and how near 64 chunks come to them.
std::vector<ReferenceRow> throughput_rows(const std::filesystem::path& folder);

} // namespace nocturne::collectives_of_today
