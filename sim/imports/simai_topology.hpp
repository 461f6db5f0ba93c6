// Topologies of SimAI's packet-level simulator (Wang et al., SimAI: unifying architecture design and
// performance tuning for large-scale large language model training with scalability and precision, NSDI 2025;
// aliyun/SimAI, astra-sim-alibabacloud/inputs/topo).
#pragma once

#include "sim/imports/gpu_box.hpp"

#include <string>
#include <string_view>

namespace nocturne {

/// Numbers of the first line: nodes, GPUs of a server, NVSwitches, other switches, links, and a word, the
/// type of the GPUs; then the nodes that are NVSwitches and switches; then links in both directions, each two
/// nodes, a rate, a latency and a share of errors. GPUs are the other nodes, in their order: `gpu0`, or with
/// several servers `b0g0`. Latencies are rounded to cycles, at least 1. Throws std::runtime_error, one line
/// with the line of the text, also for more than largest_pairwise_network.
MachineNetwork network_of_simai(std::string_view text, const std::string& origin);

} // namespace nocturne
