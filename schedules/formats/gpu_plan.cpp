#include "schedules/formats/gpu_plan.hpp"

#include "schedules/formats/tool_formats.hpp"
#include "schedules/schedule/transfer_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

constexpr std::size_t most_gpus = 256;

/// A chunk of a GPU's memory.
using GpuPlace = std::pair<std::uint32_t, BufferPlace>;

struct PlanAccess {
    GpuPlace place;
    bool writes;
};

class PlanBuilder {
public:
    PlanBuilder(const Schedule& schedule, const LinkNetwork& network, std::string_view format,
                std::size_t most_transfers)
        : schedule_(schedule), collective_(schedule.collective), buffers_(schedule, format),
          gpus_(collective_.processors)
    {
        check_size(format, most_transfers);
        // What a step reads, and writes at the same time, is put into scratch first.
        if (is_in_steps(schedule)) {
            for (const Step& step : schedule.steps)
                add_step(step);
        } else {
            const TransferList transfers(schedule);
            for (const std::uint32_t id : order_of_transfers(schedule, network))
                add_directly(transfers[id]);
        }
        if (collective_.kind == CollectiveKind::alltoall)
            copy_own_blocks();
        end_after_accesses();
    }

    GpuPlan plan() &&
    {
        for (std::uint32_t gpu = 0; gpu < gpus_.size(); ++gpu)
            gpus_[gpu].scratch_chunks = buffers_.scratch_chunks(gpu);
        return {buffers_.input_chunks(), buffers_.output_chunks(), std::move(gpus_), std::move(blocks_),
                std::move(operations_)};
    }

private:
    /// Before clocks are kept for what has no room anyway.
    void check_size(std::string_view format, std::size_t most_transfers) const
    {
        if (gpus_.size() > most_gpus)
            throw std::invalid_argument(
                fmt::format("{} is for at most {} GPUs, not {}", format, most_gpus, gpus_.size()));
        std::map<std::pair<NodeId, NodeId>, std::size_t> transfers;
        for (const Step& step : schedule_.steps)
            for (const Transfer& transfer : step)
                if (++transfers[{transfer.source, transfer.destination}] > most_transfers)
                    throw ExecutorLimit(fmt::format(
                        "{} has room for {} transfers from a GPU to another: there are more from {} to {}",
                        format, most_transfers, transfer.source, transfer.destination));
    }

    BlockId block(std::uint32_t gpu, std::uint32_t peer)
    {
        const auto [found, is_new] =
            block_of_.emplace(std::pair(gpu, peer), static_cast<BlockId>(blocks_.size()));
        if (is_new) {
            blocks_.push_back({gpu, peer});
            gpus_[gpu].blocks.push_back(found->second);
            append(PlanOperation::Kind::begin, found->second, {}, {}, {});
        }
        return found->second;
    }

    void add_step(const Step& in_step)
    {
        std::set<std::pair<NodeId, PlaceId>> read, written;
        for (const Transfer& transfer : in_step)
            if (!transfer.is_local()) {
                read.emplace(transfer.source, transfer.message);
                written.emplace(transfer.destination, transfer.to);
            }
        const auto is_direct = [&](const Transfer& transfer) {
            return !written.contains({transfer.source, transfer.message}) &&
                   !read.contains({transfer.destination, transfer.to});
        };
        std::vector<std::pair<const Transfer*, BufferPlace>> indirect;
        for (const Transfer& transfer : in_step)
            if (!transfer.is_local() && !is_direct(transfer)) {
                const BufferPlace scratch = buffers_.new_scratch(transfer.destination);
                put(transfer.source, transfer.message, transfer.destination, scratch);
                indirect.emplace_back(&transfer, scratch);
            }
        for (const Transfer& transfer : in_step)
            if (!transfer.is_local() && is_direct(transfer))
                add_directly(transfer);
        for (const auto& [transfer, scratch] : indirect)
            locally(transfer->destination, transfer->source, scratch, transfer->to, transfer->operation);
        for (const Transfer& transfer : in_step)
            if (transfer.is_local())
                add_directly(transfer);
    }

    void add_directly(const Transfer& transfer)
    {
        const std::uint32_t from = transfer.source, to = transfer.destination;
        if (transfer.is_local()) {
            locally(from, from, buffers_.place(from, transfer.message), transfer.to, transfer.operation);
        } else if (transfer.operation == Operation::copy) {
            put(from, transfer.message, to, buffers_.place(to, transfer.to));
        } else {
            const BufferPlace source = buffers_.place(from, transfer.message);
            const BufferPlace destination = buffers_.place(to, transfer.to);
            append(PlanOperation::Kind::read_and_add, block(to, from), source, destination,
                   {{{from, source}, false}, {{to, destination}, true}});
        }
    }

    void put(std::uint32_t from, PlaceId place, std::uint32_t to, BufferPlace destination)
    {
        const BufferPlace source = buffers_.place(from, place);
        append(PlanOperation::Kind::put, block(from, to), source, destination,
               {{{from, source}, false}, {{to, destination}, true}});
    }

    void locally(std::uint32_t gpu, std::uint32_t peer, BufferPlace source, PlaceId to, Operation operation)
    {
        const BufferPlace destination = buffers_.place(gpu, to);
        append(operation == Operation::add ? PlanOperation::Kind::add : PlanOperation::Kind::copy,
               block(gpu, peer), source, destination, {{{gpu, source}, false}, {{gpu, destination}, true}});
    }

    void copy_own_blocks()
    {
        for (std::uint32_t gpu = 0; gpu < gpus_.size(); ++gpu)
            for (std::uint32_t part = 0; part < collective_.parts; ++part) {
                const std::uint32_t offset = gpu * collective_.parts + part;
                append(PlanOperation::Kind::copy, block(gpu, gpu), {'i', offset}, {'o', offset},
                       {{{gpu, {'i', offset}}, false}, {{gpu, {'o', offset}}, true}});
            }
    }

    /// The operation behind the others of its block, after what has touched the same chunks.
    void append(PlanOperation::Kind kind, BlockId at, BufferPlace source, BufferPlace destination,
                const std::vector<PlanAccess>& accesses)
    {
        const std::uint32_t gpu = blocks_[at].gpu;
        std::set<OperationId, std::greater<>> before; // the latest first: it may have waited for the others
        for (const PlanAccess& access : accesses) {
            for (const OperationId earlier : accesses_[access.place].before(access.writes))
                before.insert(earlier);
            if (access.place.first != gpu)
                before.insert(operations_begin(access.place.first, gpu));
        }
        const auto id = static_cast<OperationId>(operations_.size());
        operations_.push_back(
            {kind, at, static_cast<std::uint32_t>(blocks_[at].operations.size()), source, destination});
        if (!blocks_[at].operations.empty())
            operations_[id].over = operations_[blocks_[at].operations.back()].over;
        blocks_[at].operations.push_back(id);
        for (const OperationId earlier : before)
            order(earlier, id);
        for (const PlanAccess& access : accesses) {
            accesses_[access.place].add(id, access.writes);
            if (access.place.first != gpu)
                last_foreign_[{access.place.first, at}] = id;
        }
    }

    /// The beginning of the block that a GPU has for another.
    OperationId operations_begin(std::uint32_t gpu, std::uint32_t peer)
    {
        return blocks_[block(gpu, peer)].operations.front();
    }

    static std::uint32_t over(const VectorClock& clock, BlockId block)
    {
        return block < clock.size() ? clock[block] : 0;
    }

    bool knows_begin(const VectorClock& clock, std::uint32_t gpu) const
    {
        return std::ranges::any_of(gpus_[gpu].blocks, [&](BlockId it) { return over(clock, it) > 0; });
    }

    /// Makes the later operation wait for the earlier one, unless it has done so already.
    void order(OperationId earlier_id, OperationId later_id)
    {
        PlanOperation& earlier = operations_[earlier_id];
        PlanOperation& later = operations_[later_id];
        if (earlier.block == later.block) {
            later.hazard = std::max(later.hazard, std::int64_t{earlier.position});
            return;
        }
        const std::uint32_t from = blocks_[earlier.block].gpu, to = blocks_[later.block].gpu;
        if (over(later.over, earlier.block) > earlier.position ||
            (earlier.kind == PlanOperation::Kind::begin && knows_begin(later.over, from)))
            return;
        if (from == to) {
            const auto [found, is_new] =
                semaphores_.emplace(std::pair(earlier.block, later.block), gpus_[from].semaphores);
            gpus_[from].semaphores += is_new;
            earlier.released.push_back(found->second);
            later.acquired.push_back(found->second);
        } else {
            const auto [signalled, awaited] = channel(earlier.block, later.block);
            earlier.signalled.push_back(signalled);
            later.awaited.push_back(awaited);
        }
        VectorClock& clock = later.over;
        clock.resize(std::max({clock.size(), earlier.over.size(), std::size_t{earlier.block} + 1}));
        for (std::size_t it = 0; it < earlier.over.size(); ++it)
            clock[it] = std::max(clock[it], earlier.over[it]);
        clock[earlier.block] = std::max(clock[earlier.block], earlier.position + 1);
    }

    /// Its index in both blocks. The executor joins the k-th channel from a GPU to another with the k-th one
    /// back.
    std::pair<std::size_t, std::size_t> channel(BlockId a, BlockId b)
    {
        const auto [found, is_new] =
            channels_.emplace(std::minmax(a, b), std::pair<std::size_t, std::size_t>{});
        if (is_new)
            found->second = {end_of_channel(std::min(a, b), blocks_[std::max(a, b)].gpu),
                             end_of_channel(std::max(a, b), blocks_[std::min(a, b)].gpu)};
        return a < b ? found->second : std::pair(found->second.second, found->second.first);
    }

    std::size_t end_of_channel(BlockId it, std::uint32_t peer)
    {
        PlanGpu& gpu = gpus_[blocks_[it].gpu];
        blocks_[it].channels.push_back(static_cast<std::uint32_t>(gpu.connected_to.size()));
        gpu.connected_to.push_back(peer);
        return blocks_[it].channels.size() - 1;
    }

    /// A kernel does not end before others have read and written what they do of its GPU.
    void end_after_accesses()
    {
        const auto accesses = last_foreign_;
        for (const auto& [key, last] : accesses) {
            const auto [gpu, from] = key;
            const auto knows = [&, it = from, position = operations_[last].position](BlockId own) {
                return over(operations_[blocks_[own].operations.back()].over, it) > position;
            };
            if (std::ranges::any_of(gpus_[gpu].blocks, knows))
                continue;
            append(PlanOperation::Kind::end, block(gpu, blocks_[from].gpu), {}, {}, {});
            order(last, static_cast<OperationId>(operations_.size() - 1));
        }
    }

    const Schedule& schedule_;
    const Collective& collective_;
    GpuBuffers buffers_;
    std::vector<PlanGpu> gpus_;
    std::vector<PlanBlock> blocks_;
    std::vector<PlanOperation> operations_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, BlockId> block_of_; ///< by GPU and peer
    std::map<GpuPlace, PlaceAccess<OperationId>> accesses_;
    std::map<std::pair<std::uint32_t, BlockId>, OperationId> last_foreign_; ///< by GPU, block of another
    std::map<std::pair<BlockId, BlockId>, std::size_t> semaphores_;
    std::map<std::pair<BlockId, BlockId>, std::pair<std::size_t, std::size_t>> channels_;
};

} // namespace

GpuPlan make_gpu_plan(const Schedule& schedule, const LinkNetwork& network, std::string_view format,
                      std::size_t most_transfers)
{
    return PlanBuilder(schedule, network, format, most_transfers).plan();
}

} // namespace nocturne
