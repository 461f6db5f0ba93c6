#include "schedules/formats/gpu_buffers.hpp"
#include "schedules/formats/tool_formats.hpp"
#include "schedules/schedule/transfer_order.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>

namespace nocturne {

namespace {

/// A step of a thread block.
struct WrittenStep {
    std::string type;
    BufferPlace source;
    BufferPlace destination;
    std::optional<std::pair<std::uint32_t, std::uint32_t>> waits_for; ///< thread block and step
    bool is_waited_for = false;
    std::vector<LinkId> path = {};                  ///< of what it receives, where nodes alone do not tell it
    std::optional<std::size_t> turn = std::nullopt; ///< and its index in the schedule
};

struct ThreadBlock {
    std::int64_t send = -1;
    std::int64_t receive = -1;
    std::vector<WrittenStep> steps;
};

/// A thread block and a step in it.
using StepAt = std::pair<std::uint32_t, std::uint32_t>;

struct Gpu {
    std::vector<ThreadBlock> blocks;
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> block_of; ///< by send and receive peer
    std::map<PlaceId, PlaceAccess<StepAt>> accesses;
};

class MscclWriter {
public:
    MscclWriter(const Schedule& schedule, const LinkNetwork& network, bool is_in_place)
        : schedule_(schedule), collective_(schedule.collective), is_in_place_(is_in_place),
          buffers_(schedule, "MSCCL XML"), network_(network), transfers_(schedule),
          gpus_(collective_.processors)
    {
        if (collective_.kind == CollectiveKind::alltoall)
            is_in_place_ = false;
        else if (!is_in_place_)
            copy_own_input();
        for (std::uint32_t id = 0; id < transfers_.size(); ++id)
            shares_links_ = shares_links_ || !(transfers_[id].is_local() || is_only_link(transfers_[id]));
        if (is_in_steps(schedule))
            add_steps();
        else
            for (const std::uint32_t id : order_of_transfers(schedule, network))
                add(id);
        if (collective_.kind == CollectiveKind::alltoall)
            copy_own_blocks();
    }

    std::string text() const
    {
        const std::uint32_t n = collective_.processors, parts = collective_.parts;
        const bool is_split = collective_.kind != CollectiveKind::allreduce;
        std::string text = fmt::format(
            "<algo name=\"{}\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"{}\" ngpus=\"{}\" "
            "coll=\"{}\" inplace=\"{}\" outofplace=\"{}\" minBytes=\"0\" maxBytes=\"0\">\n",
            escaped(schedule_.name), is_split ? n * parts : parts, n, coll(), is_in_place_ ? 1 : 0,
            is_in_place_ ? 0 : 1);
        for (std::uint32_t gpu = 0; gpu < n; ++gpu) {
            text +=
                fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", gpu,
                            buffers_.input_chunks(), buffers_.output_chunks(), buffers_.scratch_chunks(gpu));
            for (std::size_t block = 0; block < gpus_[gpu].blocks.size(); ++block)
                append(text, block, gpus_[gpu].blocks[block]);
            text += "  </gpu>\n";
        }
        return text + "</algo>\n";
    }

private:
    /// In a step all is read before anything is written, and what is local comes last.
    void add_steps()
    {
        for (std::size_t step = 0; step < schedule_.steps.size(); ++step) {
            const auto each = [&](bool is_local, auto action) {
                for (std::uint32_t id = transfers_.first_of(step); id < transfers_.first_of(step + 1); ++id)
                    if (transfers_[id].is_local() == is_local)
                        action(id);
            };
            each(false, [&](std::uint32_t id) { add_send(transfers_[id]); });
            each(false, [&](std::uint32_t id) { add_receive(id); });
            each(true, [&](std::uint32_t id) { add_local(transfers_[id]); });
        }
    }

    static std::string escaped(const std::string& name)
    {
        std::string text;
        for (const char c : name)
            text += c == '"' ? "&quot;" : c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
        return text;
    }

    std::string_view coll() const
    {
        return collective_.kind == CollectiveKind::reduce_scatter ? "reducescatter"
                                                                  : to_string(collective_.kind);
    }

    std::uint32_t block(std::uint32_t gpu, std::int64_t send, std::int64_t receive)
    {
        Gpu& it = gpus_[gpu];
        const auto [found, is_new] =
            it.block_of.emplace(std::pair(send, receive), static_cast<std::uint32_t>(it.blocks.size()));
        if (is_new)
            it.blocks.push_back({send, receive, {}});
        return found->second;
    }

    void add(std::uint32_t id)
    {
        if (transfers_[id].is_local()) {
            add_local(transfers_[id]);
            return;
        }
        add_send(transfers_[id]);
        add_receive(id);
    }

    void add_local(const Transfer& transfer)
    {
        const std::uint32_t gpu = transfer.source;
        const StepAt at = next_step(gpu, block(gpu, -1, -1));
        std::vector<StepAt> before = before_access(gpu, transfer.message, false, at);
        std::ranges::copy(before_access(gpu, transfer.to, true, at), std::back_inserter(before));
        append_step(gpu, at.first,
                    {transfer.operation == Operation::add ? "re" : "cpy",
                     buffers_.place(gpu, transfer.message),
                     buffers_.place(gpu, transfer.to),
                     {}},
                    before, {{transfer.message, false}, {transfer.to, true}});
    }

    void add_send(const Transfer& transfer)
    {
        const std::uint32_t gpu = transfer.source;
        const StepAt at = next_step(gpu, block(gpu, transfer.destination, -1));
        append_step(gpu, at.first,
                    {"s",
                     buffers_.place(gpu, transfer.message),
                     buffers_.place(transfer.destination, transfer.to),
                     {}},
                    before_access(gpu, transfer.message, false, at), {{transfer.message, false}});
    }

    void add_receive(std::uint32_t id)
    {
        const Transfer& transfer = transfers_[id];
        const std::uint32_t gpu = transfer.destination;
        const BufferPlace to = buffers_.place(gpu, transfer.to);
        const bool adds = transfer.operation == Operation::add;
        const StepAt at = next_step(gpu, block(gpu, -1, transfer.source));
        WrittenStep step{
            adds ? "rrc" : "r", adds ? to : buffers_.place(transfer.source, transfer.message), to, {}};
        if (shares_links_) {
            step.path = *transfer.path;
            step.turn = id;
        }
        append_step(gpu, at.first, std::move(step), before_access(gpu, transfer.to, true, at),
                    {{transfer.to, true}});
    }

    bool is_only_link(const Transfer& transfer) const
    {
        const auto links = network_.links_from(transfer.source);
        return transfer.links().size() == 1 && std::ranges::count_if(links, [&](LinkId link) {
                                                   return network_.link(link).target == transfer.destination;
                                               }) == 1;
    }

    StepAt next_step(std::uint32_t gpu, std::uint32_t block) const
    {
        return {block, static_cast<std::uint32_t>(gpus_[gpu].blocks[block].steps.size())};
    }

    /// What a read (write) of the place must wait for, in other thread blocks.
    std::vector<StepAt> before_access(std::uint32_t gpu, PlaceId place, bool writes, StepAt at)
    {
        std::vector<StepAt> before = gpus_[gpu].accesses[place].before(writes);
        std::erase_if(before, [&](const StepAt& step) { return step.first == at.first; });
        return before;
    }

    /// A step waits for one other at most: steps that do nothing wait for the rest.
    void append_step(std::uint32_t gpu, std::uint32_t block, WrittenStep step, std::vector<StepAt> before,
                     const std::vector<std::pair<PlaceId, bool>>& accesses)
    {
        std::sort(before.begin(), before.end());
        before.erase(std::unique(before.begin(), before.end()), before.end());
        auto& steps = gpus_[gpu].blocks[block].steps;
        for (std::size_t i = 0; i < before.size(); ++i) {
            gpus_[gpu].blocks[before[i].first].steps[before[i].second].is_waited_for = true;
            if (i + 1 < before.size())
                steps.push_back({"nop", {'i', 0}, {'i', 0}, before[i]});
            else
                step.waits_for = before[i];
        }
        const StepAt at{block, static_cast<std::uint32_t>(steps.size())};
        steps.push_back(std::move(step));
        for (const auto& [place, writes] : accesses)
            gpus_[gpu].accesses[place].add(at, writes);
    }

    /// Of an allgather that is not in place: what a GPU contributes is in its output before anything is sent.
    void copy_own_input()
    {
        if (collective_.kind != CollectiveKind::allgather)
            throw std::invalid_argument(
                fmt::format("MSCCL XML out of place is for allgather and alltoall, not {}", coll()));
        const std::uint32_t parts = collective_.parts;
        for (std::uint32_t gpu = 0; gpu < gpus_.size(); ++gpu)
            for (std::uint32_t part = 0; part < parts; ++part) {
                const PlaceId own = gpu * parts + part;
                append_step(gpu, block(gpu, -1, -1), {"cpy", {'i', part}, {'o', own}, {}}, {}, {{own, true}});
            }
    }

    void copy_own_blocks()
    {
        const std::uint32_t parts = collective_.parts;
        for (std::uint32_t gpu = 0; gpu < gpus_.size(); ++gpu)
            for (std::uint32_t part = 0; part < parts; ++part) {
                const std::uint32_t offset = gpu * parts + part;
                gpus_[gpu].blocks[block(gpu, -1, -1)].steps.push_back(
                    {"cpy", {'i', offset}, {'o', offset}, {}});
            }
    }

    /// Executors look for the attributes that they know: `links` and `turn` are for readers that have the
    /// network.
    static void append(std::string& text, std::size_t id, const ThreadBlock& block)
    {
        text += fmt::format("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"0\">\n", id, block.send,
                            block.receive);
        for (std::size_t s = 0; s < block.steps.size(); ++s) {
            const WrittenStep& step = block.steps[s];
            const std::int64_t depid = step.waits_for ? std::int64_t{step.waits_for->first} : -1;
            const std::int64_t deps = step.waits_for ? std::int64_t{step.waits_for->second} : -1;
            text += fmt::format(
                "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" "
                "dstoff=\"{}\" cnt=\"{}\" depid=\"{}\" deps=\"{}\" hasdep=\"{}\"{}/>\n",
                s, step.type, step.source.buffer, step.source.offset, step.destination.buffer,
                step.destination.offset, step.type == "nop" ? 0 : 1, depid, deps, step.is_waited_for ? 1 : 0,
                step.turn ? fmt::format(" links=\"{}\" turn=\"{}\"", fmt::join(step.path, " "), *step.turn)
                          : "");
        }
        text += "    </tb>\n";
    }

    const Schedule& schedule_;
    const Collective& collective_;
    bool is_in_place_;
    GpuBuffers buffers_;
    const LinkNetwork& network_;
    /// A link is of use to several pairs of GPUs, or a pair has several: who sends to whom does not tell
    /// which links carry it, and in which order.
    bool shares_links_ = false;
    const TransferList transfers_;
    std::vector<Gpu> gpus_;
};

} // namespace

std::string to_msccl_xml(const Schedule& schedule, const LinkNetwork& network, bool is_in_place)
{
    std::string text = MscclWriter(schedule, network, is_in_place).text();
    // A connection holds few chunks, and a thread block that waits for room keeps those behind it waiting.
    constexpr std::string_view origin = "as a program in MSCCL XML";
    try {
        const ForeignSchedule read = read_msccl_xml(text, origin, network);
        if (!read.violations.empty()) {
            const std::string why = fmt::format("{}: {}; with fewer chunks (--chunks) there are fewer steps",
                                                origin, read.violations.front().text);
            if (read.violations.front().rule == Rule::executor_limit)
                throw ExecutorLimit(why);
            throw std::invalid_argument(why);
        }
    } catch (const std::runtime_error& error) {
        throw std::invalid_argument(error.what());
    }
    return text;
}

} // namespace nocturne
