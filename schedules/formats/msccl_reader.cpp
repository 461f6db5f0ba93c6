#include "schedules/formats/msccl_xml.hpp"
#include "schedules/formats/xml_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <pugixml.hpp>
#include <stdexcept>

namespace nocturne {

namespace {

/// A step of a thread block while its transfers are made.
struct ReadStep {
    XmlPlace place;
    std::string type;
    std::vector<std::uint32_t> done; ///< transfers after which it is over
};

struct ReadBlock {
    std::int32_t send, receive, channel;
    std::vector<ReadStep> steps;
};

/// Sent, and not received yet: a place that holds it, and the transfer that has put it there.
struct Sent {
    PlaceId staging;
    std::uint32_t staged_by;
    std::string line;
};

class MscclReader {
public:
    MscclReader(std::string_view text, std::string_view origin, const LinkNetwork& network)
        : lines_(text), origin_(origin), network_(network)
    {
        const pugi::xml_parse_result parsed = document_.load_buffer(text.data(), text.size());
        if (!parsed)
            throw std::runtime_error(fmt::format(
                "{}: line {}: {}", origin, std::count(text.begin(), text.begin() + parsed.offset, '\n') + 1,
                parsed.description()));
    }

    ForeignSchedule read()
    {
        const XmlPlace algo(document_.child("algo"), lines_, origin_);
        if (!document_.child("algo"))
            throw std::runtime_error(fmt::format("{}: there is no <algo>", origin_));
        read_head(algo);
        read_gpus(algo);
        set_placements();
        carry_out();
        return {std::move(schedule_), std::move(places_)};
    }

private:
    void read_head(const XmlPlace& algo)
    {
        schedule_.name = algo.text("name");
        schedule_.source = "MSCCL XML";
        schedule_.topology = network_.name();
        schedule_.synchronization = ChunkSynchronization::dependencies;
        const std::uint32_t n = network_.processor_count();
        if (algo.number("ngpus", 2) != std::int32_t(n))
            algo.fail(fmt::format("it is for {} GPUs, {} has {} processors", algo.text("ngpus"),
                                  network_.name(), n));
        coll_ = algo.text("coll");
        const auto chunks = static_cast<std::uint32_t>(algo.number("nchunksperloop", 1));
        const bool is_whole = coll_ == "allreduce";
        if (!is_whole && chunks % n != 0)
            algo.fail(fmt::format("{} chunks a loop are no multiple of {} GPUs", chunks, n));
        const ChunkedShape shape{.processors = n, .parts = is_whole ? chunks : chunks / n};
        if (is_whole)
            schedule_.collective = chunked_allreduce(shape);
        else if (coll_ == "allgather")
            schedule_.collective = chunked_allgather(shape);
        else if (coll_ == "reduce_scatter")
            schedule_.collective = chunked_reduce_scatter(shape);
        else if (coll_ == "alltoall")
            schedule_.collective = chunked_alltoall(shape);
        else
            algo.fail(fmt::format("unknown collective '{}': it is allreduce, allgather, reduce_scatter or "
                                  "alltoall",
                                  coll_));
        in_place_ = algo.number("inplace", 0) != 0;
        buffer_chunks_ = chunks;
    }

    void read_gpus(const XmlPlace& algo)
    {
        gpus_.resize(network_.processor_count());
        std::vector<bool> seen(gpus_.size(), false);
        for (const XmlPlace& gpu : algo.children("gpu")) {
            const auto id = static_cast<std::uint32_t>(gpu.number("id", 0));
            if (id >= gpus_.size() || seen[id])
                gpu.fail(fmt::format("GPU {} does not exist, or is there already", id));
            seen[id] = true;
            scratch_chunks_ = std::max(scratch_chunks_, std::uint32_t(gpu.number("s_chunks", 0)));
            for (const XmlPlace& block : gpu.children("tb"))
                read_block(block, id);
        }
        next_staging_ = place_base('s') + scratch_chunks_;
    }

    void read_block(const XmlPlace& block, std::uint32_t gpu)
    {
        ReadBlock result{block.number("send", -1), block.number("recv", -1), block.number("chan", 0), {}};
        for (const std::int32_t peer : {result.send, result.receive})
            if (peer >= std::int32_t(gpus_.size()) || peer == std::int32_t(gpu))
                block.fail(fmt::format("a thread block of GPU {} with peer {}", gpu, peer));
        if (block.number("id", 0) != std::int32_t(gpus_[gpu].size()))
            block.fail("thread blocks are numbered from 0");
        for (const XmlPlace& step : block.children("step")) {
            if (step.number("s", 0) != std::int32_t(result.steps.size()))
                step.fail("steps are numbered from 0");
            result.steps.push_back({step, step.text("type"), {}});
        }
        gpus_[gpu].push_back(std::move(result));
    }

    /// Places of buffers follow those of chunks; the largest size of each for all GPUs.
    PlaceId place_base(char buffer) const
    {
        const auto chunks = static_cast<PlaceId>(schedule_.collective.chunks.size());
        return chunks + (buffer == 'i' ? 0 : buffer == 'o' ? buffer_chunks_ : 2 * buffer_chunks_);
    }

    /// In place, one of the buffers is a part of the other.
    PlaceId place_in(char buffer, std::uint32_t offset, std::uint32_t gpu) const
    {
        const std::uint32_t parts = schedule_.collective.parts;
        if (in_place_ && coll_ == "allreduce" && buffer == 'o')
            buffer = 'i';
        if (in_place_ && coll_ == "allgather" && buffer == 'i')
            return place_base('o') + gpu * parts + offset;
        if (in_place_ && coll_ == "reduce_scatter" && buffer == 'o')
            return place_base('i') + gpu * parts + offset;
        return place_base(buffer) + offset;
    }

    PlaceId place_of(const XmlPlace& step, const char* buffer_name, const char* offset_name,
                     std::uint32_t gpu, std::uint32_t more) const
    {
        const std::string buffer = step.text(buffer_name);
        if (buffer != "i" && buffer != "o" && buffer != "s")
            step.fail(fmt::format("{}=\"{}\" is none of i, o and s", buffer_name, buffer));
        const std::uint32_t offset = static_cast<std::uint32_t>(step.number(offset_name, 0)) + more;
        const std::uint32_t parts = schedule_.collective.parts;
        std::uint32_t size = buffer == "s" ? scratch_chunks_ : buffer_chunks_;
        if ((coll_ == "allgather" && buffer == "i") || (coll_ == "reduce_scatter" && buffer == "o"))
            size = parts;
        if (offset >= size)
            step.fail(fmt::format("{}=\"{}\": buffer {} has {} chunks", offset_name, offset, buffer, size));
        return place_in(buffer.front(), offset, gpu);
    }

    void set_placements()
    {
        const ChunkedCollective& collective = schedule_.collective;
        const std::uint32_t n = collective.processors, parts = collective.parts;
        // A chunk's place in the sender's input, and in the receiver's output.
        const auto offsets = [&](ChunkId chunk) {
            const std::uint32_t block = chunk / parts, part = chunk % parts;
            if (coll_ == "allreduce")
                return std::pair(chunk, chunk);
            if (coll_ == "allgather")
                return std::pair(part, chunk);
            if (coll_ == "reduce_scatter")
                return std::pair(chunk, part);
            const std::uint32_t from = block / (n - 1), rest = block % (n - 1);
            return std::pair((rest < from ? rest : rest + 1) * parts + part, from * parts + part);
        };
        for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk)
            for (const std::uint32_t processor : collective.chunks[chunk].contributors)
                schedule_.inputs.push_back(
                    {processor, chunk, place_in('i', offsets(chunk).first, processor)});
        for (const ChunkDemand& demand : collective.demands)
            schedule_.outputs.push_back({demand.receiver, demand.chunk,
                                         place_in('o', offsets(demand.chunk).second, demand.receiver)});
    }

    /// Steps in rounds over all thread blocks, each as soon as what it needs is there, until none goes on.
    void carry_out()
    {
        std::vector<std::vector<std::size_t>> next(gpus_.size());
        for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu)
            next[gpu].resize(gpus_[gpu].size(), 0);
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (std::uint32_t gpu = 0; gpu < gpus_.size(); ++gpu)
                for (std::uint32_t block = 0; block < gpus_[gpu].size(); ++block)
                    while (next[gpu][block] < gpus_[gpu][block].steps.size() &&
                           carry_out(gpu, block, next[gpu][block], next[gpu])) {
                        ++next[gpu][block];
                        goes_on = true;
                    }
        }
        for (std::uint32_t gpu = 0; gpu < gpus_.size(); ++gpu)
            for (std::uint32_t block = 0; block < gpus_[gpu].size(); ++block)
                if (next[gpu][block] < gpus_[gpu][block].steps.size())
                    gpus_[gpu][block].steps[next[gpu][block]].place.fail(
                        "the step waits for ever: for a dependency, or for a send that does not come");
        for (const auto& [connection, sent] : under_way_)
            if (!sent.empty())
                throw std::runtime_error(
                    fmt::format("{}: {}: nobody receives what is sent", origin_, sent.front().line));
    }

    /// False if it cannot begin yet.
    bool carry_out(std::uint32_t gpu, std::uint32_t block_id, std::size_t step_id,
                   const std::vector<std::size_t>& next)
    {
        ReadBlock& block = gpus_[gpu][block_id];
        ReadStep& step = block.steps[step_id];
        std::vector<std::uint32_t> after;
        if (step_id > 0)
            after = block.steps[step_id - 1].done;
        const std::int32_t depid = step.place.number("depid", -1);
        const std::int32_t deps = step.place.number("deps", -1);
        if (depid >= 0 && deps >= 0) {
            if (depid >= std::int32_t(gpus_[gpu].size()) ||
                deps >= std::int32_t(gpus_[gpu][depid].steps.size()))
                step.place.fail(fmt::format("it depends on step {} of thread block {}, which does not exist",
                                            deps, depid));
            if (next[depid] <= std::size_t(deps))
                return false;
            const auto& done = gpus_[gpu][depid].steps[deps].done;
            after.insert(after.end(), done.begin(), done.end());
        }
        const std::uint32_t count = static_cast<std::uint32_t>(step.place.number("cnt", 0));
        const bool receives = step.type.starts_with('r') && step.type != "re";
        if (receives && !has_come(block, gpu, step, count))
            return false;
        do_step(gpu, block, step, count, after);
        if (step.done.empty())
            step.done = after; // a step that does nothing, or sends only
        return true;
    }

    using Connection = std::array<std::int64_t, 3>; ///< source, destination, channel

    bool has_come(const ReadBlock& block, std::uint32_t gpu, const ReadStep& step, std::uint32_t count)
    {
        if (block.receive < 0)
            step.place.fail("it receives, in a thread block that does not");
        return under_way_[{block.receive, gpu, block.channel}].size() >= count;
    }

    void do_step(std::uint32_t gpu, const ReadBlock& block, ReadStep& step, std::uint32_t count,
                 const std::vector<std::uint32_t>& after)
    {
        static constexpr std::array known{"s", "r", "rcs", "rrc", "rrs", "rrcs", "cpy", "re", "nop"};
        if (std::find(known.begin(), known.end(), step.type) == known.end())
            step.place.fail(fmt::format("unknown type '{}' of a step", step.type));
        if (step.type == "nop")
            return;
        for (std::uint32_t more = 0; more < count; ++more) {
            const auto place = [&](const char* buffer, const char* offset) {
                return place_of(step.place, buffer, offset, gpu, more);
            };
            const auto source = [&] { return place("srcbuf", "srcoff"); };
            const auto destination = [&] { return place("dstbuf", "dstoff"); };
            if (step.type == "s") {
                send(gpu, block, step, source(), after);
            } else if (step.type == "cpy" && is_own_block(gpu, source())) {
                continue; // what a GPU has for itself is no chunk of the collective
            } else if (step.type == "cpy" || step.type == "re") {
                step.done.push_back(
                    add({.source = gpu,
                         .destination = gpu,
                         .from = source(),
                         .to = destination(),
                         .operation = step.type == "re" ? ChunkOperation::add : ChunkOperation::copy,
                         .after = after},
                        step));
            } else {
                const bool adds = step.type != "r" && step.type != "rcs";
                PlaceId to = adds ? source() : destination();
                std::vector<std::uint32_t> before = after;
                if (step.type == "rrs") { // the sum is sent, and kept nowhere else
                    const PlaceId sum = next_staging_++;
                    before = {add({.source = gpu, .destination = gpu, .from = to, .to = sum, .after = after},
                                  step)};
                    to = sum;
                }
                const std::uint32_t received = receive(gpu, block, step, to, adds, before);
                step.done.push_back(received);
                if (step.type != "r" && step.type != "rrc")
                    send(gpu, block, step, to, {received});
            }
        }
    }

    bool is_own_block(std::uint32_t gpu, PlaceId place) const
    {
        const std::uint32_t parts = schedule_.collective.parts;
        const PlaceId own = place_base('i') + gpu * parts;
        return coll_ == "alltoall" && place >= own && place < own + parts;
    }

    std::uint32_t add(ChunkTransfer transfer, const ReadStep& step)
    {
        schedule_.transfers.push_back(std::move(transfer));
        places_.push_back(step.place.line());
        return static_cast<std::uint32_t>(schedule_.transfers.size() - 1);
    }

    void send(std::uint32_t gpu, const ReadBlock& block, ReadStep& step, PlaceId from,
              const std::vector<std::uint32_t>& after)
    {
        if (block.send < 0)
            step.place.fail("it sends, in a thread block that does not");
        const PlaceId staging = next_staging_++;
        const std::uint32_t staged =
            add({.source = gpu, .destination = gpu, .from = from, .to = staging, .after = after}, step);
        step.done.push_back(staged);
        under_way_[{gpu, block.send, block.channel}].push_back({staging, staged, step.place.line()});
    }

    std::uint32_t receive(std::uint32_t gpu, const ReadBlock& block, const ReadStep& step, PlaceId to,
                          bool adds, std::vector<std::uint32_t> after)
    {
        auto& queue = under_way_[{block.receive, gpu, block.channel}];
        const Sent sent = queue.front();
        queue.pop_front();
        after.push_back(sent.staged_by);
        const auto source = static_cast<NodeId>(block.receive);
        return add({.source = source,
                    .destination = gpu,
                    .from = sent.staging,
                    .to = to,
                    .operation = adds ? ChunkOperation::add : ChunkOperation::copy,
                    .path = paths_.between(source, gpu),
                    .after = std::move(after)},
                   step);
    }

    const XmlLines lines_;
    std::string_view origin_;
    const LinkNetwork& network_;
    pugi::xml_document document_;
    std::string coll_;
    bool in_place_ = false;
    std::uint32_t buffer_chunks_ = 0;
    std::uint32_t scratch_chunks_ = 0;
    PlaceId next_staging_ = 0;
    std::vector<std::vector<ReadBlock>> gpus_;
    std::map<Connection, std::deque<Sent>> under_way_;
    ProcessorPaths paths_{network_};
    ChunkedSchedule schedule_;
    std::vector<std::string> places_;
};

} // namespace

bool is_msccl_xml(std::string_view text)
{
    const std::size_t open = text.substr(0, 4096).find("<algo");
    return text.starts_with('<') && open != std::string_view::npos;
}

ForeignSchedule read_msccl_xml(std::string_view text, std::string_view origin, const LinkNetwork& network)
{
    return MscclReader(text, origin, network).read();
}

} // namespace nocturne
