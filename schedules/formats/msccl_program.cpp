#include "schedules/formats/msccl_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <tuple>

namespace nocturne {

namespace {

constexpr std::int32_t most_chunks_a_step = 71;  // below MSCCL_MAX_COUNT
constexpr std::int32_t most_msccl_channels = 32; // MAXCHANNELS
constexpr std::size_t most_msccl_steps = 256;    // MSCCL_MAX_NUM_STEPS

// A connection has 8 slots (NCCL_STEPS). A send takes 4 of them with Simple (MSCCL_CHUNKSTEPS), else 1.
struct MscclProtocol {
    std::string_view name;
    std::uint32_t sends_ahead;
    double bytes_a_send; ///< of small chunks, several at once; 0: one, whatever its size
};
// With Simple half of the buffer of 4 MiB (maxAllowedCount in RCCL's msccl_setup.cc).
constexpr std::array msccl_protocols{MscclProtocol{"Simple", 2, 2 << 20}, MscclProtocol{"LL", 8, 0},
                                     MscclProtocol{"LL128", 8, 0}};

constexpr std::array msccl_step_kinds{
    MscclStepKind{.name = "s", .reads_source = true, .sends = true},
    MscclStepKind{.name = "r", .receives = true, .stores = true},
    MscclStepKind{.name = "rcs", .receives = true, .stores = true, .sends = true},
    MscclStepKind{.name = "rrs", .receives = true, .reads_source = true, .sends = true},
    MscclStepKind{.name = "rrc", .receives = true, .reads_source = true, .stores = true},
    MscclStepKind{.name = "rrcs", .receives = true, .reads_source = true, .stores = true, .sends = true},
    MscclStepKind{.name = "cpy", .reads_source = true, .stores = true},
    MscclStepKind{.name = "re", .reads_source = true, .reads_destination = true, .stores = true},
};

class ProgramReader {
public:
    ProgramReader(const XmlPlace& algo, std::uint32_t processors, std::string_view network)
        : algo_(algo), processors_(processors), network_(network)
    {
    }

    MscclProgram read()
    {
        read_head();
        program_.gpus.resize(processors_);
        std::vector<bool> seen(processors_, false);
        for (const XmlPlace& gpu : algo_.children("gpu")) {
            const auto id = static_cast<std::uint32_t>(gpu.number("id", 0));
            if (id >= processors_ || seen[id])
                gpu.fail(fmt::format("GPU {} does not exist, or is there already", id));
            seen[id] = true;
            read_gpu(gpu, id);
        }
        require_enough_steps();
        return std::move(program_);
    }

private:
    void read_head()
    {
        program_.name = algo_.text("name");
        if (algo_.number("ngpus", 2) != std::int32_t(processors_))
            algo_.fail(fmt::format("it is for {} GPUs, {} has {} processors", algo_.text("ngpus"), network_,
                                   processors_));
        const std::string coll = algo_.text("coll");
        if (coll == "allreduce")
            program_.kind = CollectiveKind::allreduce;
        else if (coll == "allgather")
            program_.kind = CollectiveKind::allgather;
        else if (coll == "reduce_scatter" || coll == "reducescatter")
            program_.kind = CollectiveKind::reduce_scatter;
        else if (coll == "alltoall")
            program_.kind = CollectiveKind::alltoall;
        else
            algo_.fail(fmt::format("unknown collective '{}': it is allreduce, allgather, reducescatter "
                                   "(reduce_scatter) or alltoall",
                                   coll));
        program_.chunks = static_cast<std::uint32_t>(algo_.number("nchunksperloop", 1));
        const bool is_whole = program_.kind == CollectiveKind::allreduce;
        if (!is_whole && program_.chunks % processors_ != 0)
            algo_.fail(
                fmt::format("{} chunks a loop are no multiple of {} GPUs", program_.chunks, processors_));
        program_.parts = is_whole ? program_.chunks : program_.chunks / processors_;
        program_.is_in_place = algo_.number("inplace", 0) != 0;
        program_.is_out_of_place =
            algo_.has("outofplace") ? algo_.number("outofplace", 0) != 0 : !program_.is_in_place;
        if (!program_.is_in_place && !program_.is_out_of_place)
            algo_.fail("it is to be called neither in place nor out of place");
        const std::string proto = algo_.has("proto") ? algo_.text("proto") : "Simple";
        const auto protocol = std::ranges::find(msccl_protocols, proto, &MscclProtocol::name);
        if (protocol == msccl_protocols.end())
            algo_.fail(fmt::format("unknown protocol '{}': it is Simple, LL or LL128", proto));
        program_.sends_ahead = protocol->sends_ahead;
        const double most_bytes = algo_.has("maxBytes") ? algo_.amount("maxBytes") : 0; // 0: any size
        program_.chunks_a_send =
            most_bytes == 0 ? 1
                            : static_cast<std::uint32_t>(std::clamp(
                                  std::floor(protocol->bytes_a_send / (most_bytes / program_.chunks)), 1.0,
                                  static_cast<double>(most_chunks_a_step)));
        channels_ = algo_.number("nchannels", 0);
        if (channels_ > most_msccl_channels)
            algo_.fail(fmt::format("nchannels=\"{}\": there are {}", channels_, most_msccl_channels));
    }

    /// What a buffer holds, and what the file declares of it if that is less.
    struct Sizes {
        std::uint32_t input, output, scratch;
    };

    void read_gpu(const XmlPlace& gpu, std::uint32_t id)
    {
        const auto declared = [&](const char* name) { return std::uint32_t(gpu.number(name, 0)); };
        const bool gathers = program_.kind == CollectiveKind::allgather;
        const bool scatters = program_.kind == CollectiveKind::reduce_scatter;
        const Sizes sizes{std::min(declared("i_chunks"), gathers ? program_.parts : program_.chunks),
                          std::min(declared("o_chunks"), scatters ? program_.parts : program_.chunks),
                          declared("s_chunks")};
        program_.gpus[id].scratch_chunks = sizes.scratch;
        for (const XmlPlace& block : gpu.children("tb"))
            read_block(block, id, sizes);
        for (const MscclBlock& block : program_.gpus[id].blocks)
            for (const MscclStep& step : block.steps)
                if (step.waits_for &&
                    (step.waits_for->first >= program_.gpus[id].blocks.size() ||
                     step.waits_for->second >= program_.gpus[id].blocks[step.waits_for->first].steps.size()))
                    step.place.fail(
                        fmt::format("it depends on step {} of thread block {}, which does not exist",
                                    step.waits_for->second, step.waits_for->first));
    }

    void read_block(const XmlPlace& place, std::uint32_t gpu, const Sizes& sizes)
    {
        MscclBlock block{place,
                         place.number("send", -1),
                         place.number("recv", -1),
                         static_cast<std::uint32_t>(place.number("chan", 0)),
                         {}};
        for (const std::int32_t peer : {block.send, block.receive})
            if (peer >= std::int32_t(processors_) || peer == std::int32_t(gpu))
                place.fail(fmt::format("a thread block of GPU {} with peer {}", gpu, peer));
        auto& blocks = program_.gpus[gpu].blocks;
        if (place.number("id", 0) != std::int32_t(blocks.size()))
            place.fail("thread blocks are numbered from 0");
        if (block.send >= 0 || block.receive >= 0)
            require_connection(block, gpu);
        std::uint32_t number = 0, waiting = 0;
        for (const XmlPlace& step : place.children("step")) {
            if (step.number("s", 0) != std::int32_t(block.steps.size()))
                step.fail("steps are numbered from 0");
            block.steps.push_back(read_step(step, block, sizes));
            MscclStep& read = block.steps.back();
            // The executor counts a step and those that it waits for, and puts the waits of a `nop` into the
            // next step.
            waiting += read.waits_for.has_value();
            if (read.kind == nullptr)
                continue;
            if (waiting > 0 && !read.waits_for)
                refuse(read,
                       "a step behind a nop that waits must wait for something itself: executors take no "
                       "such file");
            number += std::max(waiting, 1U) - 1;
            read.number = number++;
            waiting = 0;
        }
        require_few_steps(block);
        require_equal_counts(block);
        blocks.push_back(std::move(block));
    }

    void require_connection(const MscclBlock& block, std::uint32_t gpu)
    {
        if (std::int32_t(block.channel) >= channels_)
            block.place.fail(
                fmt::format("chan=\"{}\": nchannels=\"{}\" are declared", block.channel, channels_));
        if (block.send >= 0 && !senders_.emplace(gpu, block.send, block.channel).second)
            block.place.fail(fmt::format("another thread block of GPU {} sends to GPU {} on channel {}", gpu,
                                         block.send, block.channel));
        if (block.receive >= 0 && !receivers_.emplace(gpu, block.receive, block.channel).second)
            block.place.fail(fmt::format("another thread block of GPU {} receives from GPU {} on channel {}",
                                         gpu, block.receive, block.channel));
    }

    MscclStep read_step(const XmlPlace& place, const MscclBlock& block, const Sizes& sizes)
    {
        const std::string type = place.text("type");
        const auto kind = std::ranges::find(msccl_step_kinds, type, &MscclStepKind::name);
        if (kind == msccl_step_kinds.end() && type != "nop")
            place.fail(fmt::format("unknown type '{}' of a step", type));
        MscclStep step{.place = place,
                       .kind = kind == msccl_step_kinds.end() ? nullptr : &*kind,
                       .count = static_cast<std::uint32_t>(place.number("cnt", 0, most_chunks_a_step)),
                       .sets_flag = place.number("hasdep", 0, 1) == 1,
                       .number = 0};
        const std::int32_t depid = place.number("depid", -1), deps = place.number("deps", -1);
        if (depid >= 0 && deps < 0)
            place.fail(fmt::format("it depends on thread block {}, and on no step of it", depid));
        if (depid >= 0)
            step.waits_for = {depid, deps};
        const bool has_source = step.kind != nullptr && step.kind->reads_source && step.count > 0;
        const bool has_destination = step.kind != nullptr && step.kind->stores && step.count > 0;
        step.source = read_operand(place, "srcbuf", has_source ? "srcoff" : nullptr, step.count, sizes);
        step.destination =
            read_operand(place, "dstbuf", has_destination ? "dstoff" : nullptr, step.count, sizes);
        if (step.kind != nullptr && step.kind->receives && block.receive < 0)
            place.fail("it receives, in a thread block that does not");
        if (step.kind != nullptr && step.kind->sends && block.send < 0)
            place.fail("it sends, in a thread block that does not");
        if (place.has("links"))
            step.path = read_path(place);
        if (place.has("turn"))
            step.turn = static_cast<std::uint32_t>(place.number("turn", 0));
        return step;
    }

    /// Without an offset only the name of the buffer is looked at, as executors do.
    static MscclOperand read_operand(const XmlPlace& place, const char* buffer_name, const char* offset_name,
                                     std::uint32_t count, const Sizes& sizes)
    {
        const std::string buffer = place.text(buffer_name);
        if (buffer != "i" && buffer != "o" && buffer != "s")
            place.fail(fmt::format("{}=\"{}\" is none of i, o and s", buffer_name, buffer));
        if (offset_name == nullptr)
            return {};
        const auto offset = static_cast<std::uint32_t>(place.number(offset_name, 0));
        const std::uint32_t size = buffer == "i" ? sizes.input : buffer == "o" ? sizes.output : sizes.scratch;
        if (offset + count > size)
            place.fail(fmt::format("{}=\"{}\": buffer {} has {} chunks", offset_name, offset + count - 1,
                                   buffer, size));
        return {buffer.front(), offset};
    }

    static std::vector<LinkId> read_path(const XmlPlace& place)
    {
        const std::string text = place.text("links");
        std::vector<LinkId> path;
        for (const char *at = text.data(), *end = at + text.size(); at != end;) {
            LinkId link = 0;
            const auto [rest, error] = std::from_chars(at, end, link);
            if (error != std::errc{} || (rest != end && (*rest != ' ' || rest + 1 == end)))
                place.fail(fmt::format("links=\"{}\" are no numbers of links", text));
            path.push_back(link);
            at = rest == end ? end : rest + 1;
        }
        return path;
    }

    /// Executors make one addition of the sums into one place that follow each other, of as many chunks as
    /// the last has.
    void require_equal_counts(const MscclBlock& block)
    {
        const MscclStep* last = nullptr;
        for (const MscclStep& step : block.steps) {
            if (step.kind == nullptr)
                continue;
            const bool is_sum = step.kind->reads_destination;
            if (is_sum && last != nullptr && last->kind->reads_destination && !last->sets_flag &&
                !step.waits_for && last->count != step.count && last->source.buffer == step.source.buffer &&
                last->destination.buffer == step.destination.buffer &&
                last->destination.offset == step.destination.offset)
                refuse(step, "executors add it together with the step before, which has another cnt");
            last = &step;
        }
    }

    void require_few_steps(const MscclBlock& block)
    {
        if (block.steps.size() > most_msccl_steps)
            program_.violations.push_back(
                {.rule = Rule::executor_limit,
                 .text = fmt::format("{}: {} steps in a thread block: MSCCL's runtime takes {}",
                                     block.place.line(), block.steps.size(), most_msccl_steps)});
    }

    void refuse(const MscclStep& step, std::string_view reason)
    {
        program_.violations.push_back({.rule = Rule::unknown_dependency,
                                       .transfer = std::nullopt,
                                       .text = fmt::format("{}: {}", step.place.line(), reason)});
    }

    /// Before anything is laid out for all its chunks: each result, or each contribution, takes part in a
    /// step once. Small programs are followed, which says more.
    void require_enough_steps() const
    {
        constexpr std::uint64_t small = 1U << 16U;
        std::uint64_t moved = 0;
        for (const MscclGpu& gpu : program_.gpus)
            for (const MscclBlock& block : gpu.blocks)
                for (const MscclStep& step : block.steps)
                    moved += step.kind == nullptr ? 0 : step.count;
        const std::uint64_t blocks = program_.kind == CollectiveKind::allreduce
                                         ? processors_
                                         : std::uint64_t{processors_} * (processors_ - 1);
        const std::uint64_t needed = blocks * program_.parts;
        if (needed > std::max(small, moved))
            algo_.fail(fmt::format("{} chunks a loop for {} GPUs need {} moves of a chunk, its steps have {}",
                                   program_.chunks, processors_, needed, moved));
    }

    const XmlPlace& algo_;
    std::uint32_t processors_;
    std::string_view network_;
    std::int32_t channels_ = 0;
    std::set<std::tuple<std::uint32_t, std::int32_t, std::uint32_t>> senders_, receivers_;
    MscclProgram program_;
};

} // namespace

MscclProgram read_msccl_program(const XmlPlace& algo, std::uint32_t processors, std::string_view network)
{
    return ProgramReader(algo, processors, network).read();
}

} // namespace nocturne
