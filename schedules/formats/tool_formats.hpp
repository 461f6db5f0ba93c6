// The formats of other tools, by which formats.cpp reads and writes.
#pragma once

#include "schedules/formats/foreign_schedule.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// A format could say the schedule, but it needs more than what runs such files has: steps of a thread block,
/// channels. Another schedule of the same collective may need less.
struct ExecutorLimit : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// MSCCL's XML, which executors of custom collectives on GPUs run (github.com/microsoft/msccl-tools).

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

// Execution plans of MSCCL++.

/// An execution plan of MSCCL++, which its executor runs on GPUs (github.com/microsoft/mscclpp).
///
/// The schedule as make_gpu_plan() has it, over memory channels (peer-to-peer access), in chunks of any size.
/// Hops over switches are not in the plan.
///
/// Throws std::invalid_argument for what make_gpu_plan() refuses, and what the executor has no room for
/// (src/core/include/execution_common.hpp at 1f5f065): 64 operations, 16 channels or 16 remote buffers a
/// thread block, 16 semaphores a GPU. Precondition: valid.
std::string to_mscclpp_json(const Schedule& schedule, const LinkNetwork& network);

/// Does the text look like a plan: has it the members "protocol" and "inplace"?
bool is_mscclpp_json(std::string_view head);

/// Reads a plan for the processors of `network`, GPU by GPU, as a schedule under dependencies that does what
/// the executor does (github.com/microsoft/mscclpp at 00668b4):
///
/// - The threads of a block go through its operations each on its own; only `nop` and barriers make them wait
///   for each other. A signal, or the release of a semaphore, speaks for what was over when they last did,
///   and a wait is known to all threads when they next do. What a port carries is read until it is flushed.
/// - What is added is loaded, added up and stored. Packets are read when they have come.
/// - A kernel reaches into the memory of another GPU, but for packets, only while the kernel there runs: that
///   it has begun must be known from a signal, and it must wait for the end.
///
/// Of a transfer the place in the file is its GPU, thread block and operation. Paths are those of
/// ProcessorPaths; in which order links carry what they carry is open. Operations that wait for ever, signals
/// and tokens that are left over, and more operations than the executor has room for are violations.
///
/// Throws std::runtime_error, one line that begins with `origin`, as read_mscclpp_plan() (mscclpp_plan.hpp).
ForeignSchedule read_mscclpp_json(std::string_view text, std::string_view origin, const LinkNetwork& network);

// Algorithms of msccl-tools as its JSON (github.com/Azure/msccl-tools, msccl/serialization.py).

/// Does the text look like it: has it the member "msccl_type"?
bool is_msccl_json(std::string_view text);

/// An algorithm: steps with rounds and sends [address, source, destination], its topology as a matrix of
/// links, its collective as one chunk a contribution, uncut: instance.chunks says into how many parts each is
/// cut, part i of address a having a C + i. Contributions to a sum share its address.
///
/// Throws std::invalid_argument for schedules that are not in steps, store elsewhere than in a chunk's own
/// place, and cross switches; for chunks of several sizes. Precondition: valid.
std::string to_msccl_json(const Schedule& schedule, const LinkNetwork& network);

/// Reads an algorithm for `network`, or for the links of its own topology. As its own checks have it, a send
/// of an address brings the union of what both have: this is a copy where the receiver has nothing that does
/// not come, and an addition otherwise, which the validator refuses if a contribution comes twice. The
/// topology's joint limits on links ("switches") are checked as Rule::link_overfull. The collective may
/// be cut already, if the addresses of input_map and output_map are those of its chunks.
///
/// Throws std::runtime_error, one line that begins with `origin` and has the place in the document, for what
/// is no algorithm, is pipelined, has chunks that several ranks begin with, or too many of them.
ReadSchedule read_msccl_json(std::string_view text, std::string_view origin,
                             const std::optional<LinkNetwork>& network);

// Spanning trees that ForestColl prints (github.com/liangyuRain/ForestColl, spanning_trees_to_xml).

/// Does the text look like it: is its first element `Algo`?
bool is_forestcoll_xml(std::string_view text);

/// Reads the trees of an allgather for `network`: the chunks of a tree go from its root over its sends, each
/// when it has come to the send's source; the file leaves open which a link carries first (order_links()),
/// and those near their roots are listed first. Nodes are those of the network that have the same names; if
/// not all have, the roots in ascending order (numbers by their values) are its processors, and all that is
/// crossed its switches.
///
/// Throws std::runtime_error, one line that begins with `origin` and the line of the file, for what is not
/// XML, has another number of roots, of chunks a root, too many chunks, or sends that do not begin where the
/// tree is.
ForeignSchedule read_forestcoll_xml(std::string_view text, std::string_view origin,
                                    const LinkNetwork& network);

// Schedules that TE-CCL prints (github.com/microsoft/TE-CCL: "6-Demand_Met", "7-Flows", "8-Chunk paths").

/// Does the text look like it: has it the member "1-Epoch_Duration"?
bool is_teccl_json(std::string_view text);

/// Reads what is sent over `network`. A transfer waits for the one that brings its chunk; those over a link
/// follow each other as their epochs do; the epochs' times are left out. A file with demands is an allgather,
/// and its flows are read. One without is an all-to-all, in parts of blocks with a volume, and its chunk
/// paths are read, "7-chunk paths" or "8-Chunk paths": a part with its path is a chunk of a collective of the
/// kind `custom`, as heavy as its volume has millionths. (The flows name a hop once that several parts take
/// at the same time with the same volume, so that most of the data is missing there.) If the file has fewer
/// GPUs than the network processors, they are a group. What a switch copies, as the network says, enters it
/// once an epoch. Nodes have the numbers of the network if there are no more of them than processors;
/// otherwise the GPUs in ascending order are its processors, and what is crossed its switches.
///
/// Violations beside the validator's: volumes of a demand that are not a whole chunk, but for what rounding
/// to six digits explains. Throws std::runtime_error, one line that begins with `origin` and has the place,
/// for other collectives, volumes in an allgather, and texts that are none of a schedule.
ForeignSchedule read_teccl_json(std::string_view text, std::string_view origin, const LinkNetwork& network);

} // namespace nocturne
