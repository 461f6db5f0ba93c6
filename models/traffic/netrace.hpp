// Traces in the format of netrace.
#pragma once

#include "models/traffic/byte_source.hpp"
#include "models/traffic/trace.hpp"

#include <memory>
#include <string>

namespace nocturne {

/// Do the bytes begin as a file of netrace does?
bool is_netrace(ByteSource& bytes);

/// A reader of such a file, see open_trace(). What the format says besides (addresses, kinds of nodes,
/// regions) is remarked (InputLog::remark()) as not used.
std::unique_ptr<TraceReader> open_netrace(const Topology& topology, const std::string& path,
                                          std::unique_ptr<ByteSource> bytes);

} // namespace nocturne
