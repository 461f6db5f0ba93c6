// MSCCL's XML, which executors of custom collectives on GPUs run (github.com/microsoft/msccl-tools).
#pragma once

#include "schedules/formats/foreign_schedule.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// Does the text look like it: is its first element `algo`?
bool is_msccl_xml(std::string_view text);

/// A program in MSCCL's XML, with its sends and receives in order, a thread block for each end of a
/// connection, and dependencies between thread blocks for every read and write of a place, additions among
/// each other included. Hops over switches are sends from GPU to GPU. Buffers: allreduce and reduce-scatter
/// work in place in the input, allgather in the output, alltoall from input to output with scratch between.
///
/// Not in place, an allgather copies from input to output first, and the others but alltoall are refused.
///
/// Throws std::invalid_argument for collectives that the format has no name for, groups that are not all
/// processors, blocks of unequal size, and schedules with buffers of their own or switches that copy.
/// Precondition: valid.
std::string to_msccl_xml(const ChunkedSchedule& schedule, const LinkNetwork& network,
                         bool is_in_place = true);

/// Reads a program for the processors of `network`, GPU by GPU, as a schedule under dependencies; the place
/// of a transfer that only copies to a send's buffer is the send's. A thread block does one step after the
/// other; a send copies what it sends to a buffer of its own, and is received by the step of the other GPU
/// that receives as many chunks from it on the channel before. It takes the one link from GPU to GPU, or the
/// shortest path over switches; where there is neither it has no path, which is for the validator.
///
/// Throws std::runtime_error, one line that begins with `origin` and the line of the file, for text that is
/// not XML, lacks attributes, names other collectives than allreduce, allgather, reduce_scatter and alltoall,
/// buffers or steps that do not exist, and sends that nobody receives.
ForeignSchedule read_msccl_xml(std::string_view text, std::string_view origin, const LinkNetwork& network);

} // namespace nocturne
