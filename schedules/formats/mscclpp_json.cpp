
#include "models/text/json_text.hpp"
#include "schedules/formats/gpu_plan.hpp"
#include "schedules/formats/tool_formats.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_operations = 64;           // MAX_OPERATION, of a thread block
constexpr std::size_t most_block_channels = 16;       // MAX_CHANNEL, of a thread block
constexpr std::size_t most_semaphores = 16;           // MAX_DEVICE_SEMAPHORES, of a GPU
constexpr std::size_t most_channels_of_operation = 8; // MAX_CHANNEL_PER_OPERATION

struct RemoteBuffer {
    std::uint32_t gpu;
    char type;

    friend bool operator==(const RemoteBuffer&, const RemoteBuffer&) = default;
};

class PlanDocument {
public:
    PlanDocument(const Schedule& schedule, const LinkNetwork& network)
        : schedule_(schedule), plan_(make_gpu_plan(schedule, network, "MSCCL++ JSON",
                                                   most_operations * most_channels_of_operation)),
          remote_(plan_.gpus.size()), references_(plan_.blocks.size())
    {
    }

    std::string text()
    {
        Json gpus = Json::array();
        for (std::uint32_t gpu = 0; gpu < plan_.gpus.size(); ++gpu)
            gpus.push_back(document(gpu));
        const bool is_scatter = schedule_.collective.kind == CollectiveKind::reduce_scatter;
        const Json plan{{"name", schedule_.name},
                        {"collective", is_scatter ? "reducescatter" : to_string(schedule_.collective.kind)},
                        {"protocol", "Simple"},
                        {"inplace", schedule_.collective.kind != CollectiveKind::alltoall},
                        {"reuse_resources", false},
                        {"gpus", std::move(gpus)},
                        {"num_threads_per_block", 1024},
                        {"use_double_scratch_buffer", false},
                        {"buffer_alignment", 16},
                        {"min_message_size", 0},
                        {"max_message_size", std::numeric_limits<std::uint64_t>::max()}};
        return json_text(plan, 1) + '\n';
    }

private:
    Json document(std::uint32_t id)
    {
        const PlanGpu& gpu = plan_.gpus[id];
        Json blocks = Json::array();
        for (std::size_t it = 0; it < gpu.blocks.size(); ++it)
            blocks.push_back(document_of_block(it, gpu.blocks[it]));
        if (gpu.semaphores > most_semaphores)
            throw ExecutorLimit(fmt::format("MSCCL++'s executor has {} semaphores a GPU: GPU {} needs {}",
                                            most_semaphores, id, gpu.semaphores));
        Json channels = Json::array(), remote = Json::array(), semaphores = Json::array();
        if (!gpu.connected_to.empty())
            channels.push_back({{"channel_type", "memory"}, {"connected_to", gpu.connected_to}});
        for (const RemoteBuffer& buffer : remote_[id])
            remote.push_back({{"rank", buffer.gpu},
                              {"type", std::string(1, buffer.type)},
                              {"access_channel_types", {"memory"}}});
        for (std::size_t it = 0; it < gpu.semaphores; ++it)
            semaphores.push_back({{"init_value", 0}});
        return {{"id", id},
                {"input_chunks", plan_.input_chunks},
                {"output_chunks", plan_.output_chunks},
                {"scratch_chunks", gpu.scratch_chunks},
                {"threadblocks", std::move(blocks)},
                {"channels", std::move(channels)},
                {"remote_buffers", std::move(remote)},
                {"semaphores", std::move(semaphores)}};
    }

    /// All threads of a block go through its operations, each on its own: `nop` waits for all of them. A
    /// single thread for each channel waits and tells.
    Json document_of_block(std::size_t number, BlockId id)
    {
        Json operations = Json::array();
        std::int64_t over_before = 0; // the position before which all is over in all threads
        for (const OperationId it : plan_.blocks[id].operations) {
            const PlanOperation& operation = plan_.operations[it];
            const std::int64_t position = operation.position;
            if (!operation.acquired.empty())
                operations.push_back({{"name", "sem_acquire"}, {"semaphore_ids", operation.acquired}});
            append_on_channels(operations, "wait", operation.awaited);
            if (!operation.acquired.empty() || !operation.awaited.empty() ||
                operation.hazard >= over_before) {
                operations.push_back({{"name", "nop"}});
                over_before = position;
            }
            append(operations, operation);
            if (operation.signalled.empty() && operation.released.empty())
                continue;
            if (operation.kind != PlanOperation::Kind::begin) {
                operations.push_back({{"name", "nop"}});
                over_before = position + 1;
            }
            append_on_channels(operations, "signal", operation.signalled);
            if (!operation.released.empty())
                operations.push_back({{"name", "sem_release"}, {"semaphore_ids", operation.released}});
        }
        const PlanBlock& block = plan_.blocks[id];
        check(id, operations.size(), most_operations, "operations");
        check(id, block.channels.size(), most_block_channels, "channels");
        check(id, references_[id].size(), most_block_channels, "remote buffers");
        Json channels = Json::array(), references = Json::array();
        if (!block.channels.empty())
            channels.push_back({{"channel_type", "memory"}, {"channel_ids", block.channels}});
        if (!references_[id].empty())
            references.push_back({{"access_channel_type", "memory"}, {"remote_buffer_ids", references_[id]}});
        return {{"id", number},
                {"ops", std::move(operations)},
                {"channels", std::move(channels)},
                {"remote_buffer_refs", std::move(references)}};
    }

    void check(BlockId id, std::size_t needed, std::size_t most, std::string_view what) const
    {
        if (needed > most)
            throw ExecutorLimit(fmt::format(
                "MSCCL++'s executor has room for {} {} in a thread block: that of GPU {} for {} needs {}",
                most, what, plan_.blocks[id].gpu, plan_.blocks[id].peer, needed));
    }

    static void append_on_channels(Json& operations, const char* name,
                                   const std::vector<std::size_t>& channels)
    {
        for (std::size_t begin = 0; begin < channels.size(); begin += most_channels_of_operation) {
            const std::size_t end = std::min(begin + most_channels_of_operation, channels.size());
            Json ids = Json::array();
            for (std::size_t it = begin; it < end; ++it)
                ids.push_back(channels[it]);
            operations.push_back(
                {{"name", name}, {"channel_ids", std::move(ids)}, {"channel_type", "memory"}});
        }
    }

    void append(Json& operations, const PlanOperation& operation)
    {
        const Json source = local(operation.source), destination = local(operation.destination);
        switch (operation.kind) {
        case PlanOperation::Kind::begin:
        case PlanOperation::Kind::end:
            break;
        case PlanOperation::Kind::put: {
            const Json remote = foreign(operation.block, operation.destination);
            if (Json* last = open_put(operations, operation.source.buffer)) {
                (*last)["src_buff"].push_back(source);
                (*last)["dst_buff"].push_back(remote);
            } else {
                operations.push_back({{"name", "put"},
                                      {"src_buff", Json::array({source})},
                                      {"dst_buff", Json::array({remote})},
                                      {"channel_type", "memory"}});
            }
            break;
        }
        case PlanOperation::Kind::copy:
            operations.push_back({{"name", "copy"},
                                  {"src_buff", Json::array({source})},
                                  {"dst_buff", Json::array({destination})}});
            break;
        case PlanOperation::Kind::add:
            operations.push_back({{"name", "re"},
                                  {"src_buff", Json::array({destination, source})},
                                  {"dst_buff", Json::array({destination})},
                                  {"reduce_op", "sum"}});
            break;
        case PlanOperation::Kind::read_and_add:
            operations.push_back(
                {{"name", "rre"},
                 {"src_buff", Json::array({destination, foreign(operation.block, operation.source)})},
                 {"dst_buff", Json::array({destination})},
                 {"channel_type", "memory"},
                 {"reduce_op", "sum"}});
            break;
        }
    }

    /// The executor takes the buffer of all sources from the first.
    static Json* open_put(Json& operations, char buffer)
    {
        if (operations.empty() || operations.back()["name"] != "put" ||
            operations.back()["src_buff"].size() == most_channels_of_operation ||
            operations.back()["src_buff"][0]["type"] != std::string(1, buffer))
            return nullptr;
        return &operations.back();
    }

    static Json local(BufferPlace place)
    {
        return {{"type", std::string(1, place.buffer)}, {"index", place.offset}, {"size", 1}};
    }

    /// In the memory of the GPU that the block is for.
    Json foreign(BlockId id, BufferPlace place)
    {
        const PlanBlock& block = plan_.blocks[id];
        auto& buffers = remote_[block.gpu];
        const RemoteBuffer wanted{block.peer, place.buffer};
        auto buffer = std::ranges::find(buffers, wanted);
        if (buffer == buffers.end())
            buffer = buffers.insert(buffer, wanted);
        auto& ids = references_[id];
        const auto index = static_cast<std::size_t>(buffer - buffers.begin());
        auto found = std::ranges::find(ids, index);
        if (found == ids.end())
            found = ids.insert(found, index);
        return {{"buffer_id", found - ids.begin()}, {"index", place.offset}, {"size", 1}};
    }

    const Schedule& schedule_;
    GpuPlan plan_;
    std::vector<std::vector<RemoteBuffer>> remote_;    ///< by GPU
    std::vector<std::vector<std::size_t>> references_; ///< of blocks, to those of their GPU
};

} // namespace

std::string to_mscclpp_json(const Schedule& schedule, const LinkNetwork& network)
{
    return PlanDocument(schedule, network).text();
}

} // namespace nocturne
