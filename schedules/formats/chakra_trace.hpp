// Chakra execution traces (MLCommons; github.com/mlcommons/chakra, schema/protobuf/et_def.proto), which
// simulators of training such as ASTRA-sim run.
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// The trace of each rank: a GlobalMetadata and the Nodes, each behind its length as a varint. A transfer is
/// a COMM_SEND_NODE and a COMM_RECV_NODE with the attributes comm_src, comm_dst, comm_tag (the transfer's
/// index from 0), comm_size (bytes) and is_cpu_op (false), what is local a COMP_NODE without operations;
/// `data_deps` are those of rank_operations(). Paths, places and links are not said.
///
/// Throws std::invalid_argument for schedules that store chunks in switches, and for more than
/// 2^31 - 1 transfers or 2^63 - 1 bytes. Precondition: valid.
std::vector<std::string> to_chakra_traces(const Schedule& schedule, std::uint64_t bytes_per_weight);

} // namespace nocturne
