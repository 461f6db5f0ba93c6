// Workloads of tt-npe, the estimator of Tenstorrent's networks.
#pragma once

#include "models/traffic/byte_source.hpp"
#include "models/traffic/trace.hpp"

#include <memory>
#include <string>

namespace nocturne {

/// Do the bytes begin as a JSON object does?
bool is_npe_workload(ByteSource& bytes);

/// A reader of such a file, see open_trace(); the file is in memory, its messages are not. What it says of
/// injection rates, of two networks and of events is remarked (InputLog::remark()) as not used.
std::unique_ptr<TraceReader> open_npe_workload(const Topology& topology, const std::string& path,
                                               ByteSource& bytes);

} // namespace nocturne
