#include "schedules/formats/gpu_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

GpuBuffers::GpuBuffers(const Schedule& schedule, std::string_view format)
    : collective_(schedule.collective), scratch_(collective_.processors),
      scratch_chunks_(collective_.processors)
{
    switch (collective_.kind) {
    case CollectiveKind::allreduce:
    case CollectiveKind::allgather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::alltoall:
        break;
    default:
        throw std::invalid_argument(
            fmt::format("{} has no collective '{}': it has allreduce, allgather, reduce_scatter and alltoall",
                        format, to_string(collective_.kind)));
    }
    if (collective_ !=
        make_collective(collective_.kind, {.processors = collective_.processors, .parts = collective_.parts}))
        throw std::invalid_argument(
            fmt::format("{} is for all processors in their order, in chunks of equal size", format));
    if (!schedule.inputs.empty() || !schedule.outputs.empty())
        throw std::invalid_argument(
            fmt::format("a schedule with buffers of its own has no place for them in {}", format));
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step)
            if (std::max(transfer.source, transfer.destination) >= collective_.processors)
                throw std::invalid_argument(fmt::format("{} has no switches that hold chunks", format));
}

BufferPlace GpuBuffers::place(std::uint32_t gpu, PlaceId place)
{
    const std::uint32_t parts = collective_.parts, n = collective_.processors;
    if (place < collective_.chunks.size()) {
        switch (collective_.kind) {
        case CollectiveKind::allgather: // blocks in the order of their origins
            return {'o', place};
        case CollectiveKind::alltoall: {
            const std::uint32_t pair = place / parts, part = place % parts;
            const std::uint32_t from = pair / (n - 1), rest = pair % (n - 1);
            const std::uint32_t to = rest < from ? rest : rest + 1;
            if (gpu == from)
                return {'i', to * parts + part};
            if (gpu == to)
                return {'o', from * parts + part};
            break;
        }
        default:
            return {'i', place};
        }
    }
    const auto [found, is_new] = scratch_[gpu].emplace(place, scratch_chunks_[gpu]);
    scratch_chunks_[gpu] += is_new;
    return {'s', found->second};
}

std::uint32_t GpuBuffers::input_chunks() const
{
    const bool is_part =
        collective_.kind == CollectiveKind::allgather || collective_.kind == CollectiveKind::allreduce;
    return is_part ? collective_.parts : whole();
}

std::uint32_t GpuBuffers::output_chunks() const
{
    const bool is_part =
        collective_.kind == CollectiveKind::reduce_scatter || collective_.kind == CollectiveKind::allreduce;
    return is_part ? collective_.parts : whole();
}

} // namespace nocturne
