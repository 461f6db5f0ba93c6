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
/// processors, blocks of unequal size, schedules with buffers of their own or switches that copy, and
/// programs that read_msccl_xml() finds fault with: they would wait for ever for room in a connection, or
/// have more steps in a thread block than the runtime takes.
/// Precondition: valid.
std::string to_msccl_xml(const Schedule& schedule, const LinkNetwork& network, bool is_in_place = true);

/// Reads a program for the processors of `network`, GPU by GPU, as a schedule under dependencies that does
/// what the executors do (github.com/Azure/msccl-executor-nccl, github.com/microsoft/msccl):
///
/// - A thread block does one step after the other. It loads, adds and stores: what it adds to is copied to a
///   place of its own first. A step waits for the first flag that a thread block sets with the number of the
///   step that it names, or a later one.
/// - A send copies what it sends to a place of its own; from there it goes to a place of the receiver's own,
///   however far that is, and is received by the next step for this connection, which must take as many
///   chunks. A connection holds 2 sends that are not received (8 with the protocols LL and LL128). A send is
///   one chunk of a step, or with Simple as many as fit into 2 MiB at the size `maxBytes`, if there is one.
/// - A program for both ways is followed out of place, and judged in place too (ForeignSchedule::violations).
///   What a GPU has for itself has to be in its output as well.
///
/// Of a transfer the place in the file is that of its step. It takes the links that the attribute `links` of
/// the step that receives names; else those of ProcessorPaths. Where there are none it has no path, which is
/// for the validator.
///
/// Throws std::runtime_error, one line that begins with `origin` and the line of the file, for text that is
/// not XML, lacks attributes, names other collectives than allreduce, allgather, reducescatter (or
/// reduce_scatter) and alltoall, buffers, channels or steps that do not exist or are not declared, for two
/// thread blocks at one end of a connection, and more chunks than its steps can move. Steps that wait for
/// ever, sends that nobody receives, and more than 256 steps in a thread block are violations.
ForeignSchedule read_msccl_xml(std::string_view text, std::string_view origin, const LinkNetwork& network);

} // namespace nocturne
