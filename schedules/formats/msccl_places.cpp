#include "schedules/formats/msccl_places.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

bool is_plain_copy(const MscclStepKind& kind)
{
    return kind.reads_source && kind.stores && !kind.receives && !kind.reads_destination;
}

/// Places of buffers follow those of chunks. In place, one of the buffers is a part of the other.
PlaceId MscclPlaces::in(char buffer, std::uint32_t offset, std::uint32_t gpu) const
{
    const PlaceId input = first_buffer_, output = input + program_.chunks;
    if (buffer == 's')
        return output + program_.chunks + offset;
    if (in_place_ && program_.kind == CollectiveKind::allgather && buffer == 'i')
        return output + gpu * program_.parts + offset;
    if (in_place_ && program_.kind == CollectiveKind::reduce_scatter && buffer == 'o')
        return input + gpu * program_.parts + offset;
    return (buffer == 'i' || (in_place_ && program_.kind != CollectiveKind::allgather) ? input : output) +
           offset;
}
MscclPlaces::MscclPlaces(const MscclProgram& program, bool in_place) : program_(program), in_place_(in_place)
{
    const std::uint32_t n = processors(), parts = program.parts;
    first_buffer_ = program.kind == CollectiveKind::allreduce  ? parts
                    : program.kind == CollectiveKind::alltoall ? n * n * parts
                                                               : n * parts;
}

PlaceId MscclPlaces::end() const
{
    PlaceId end = 0;
    for (const MscclGpu& gpu : program_.gpus)
        end = std::max(end, in('s', 0, 0) + gpu.scratch_chunks);
    return end;
}

bool MscclPlaces::is_skipped(std::uint32_t gpu, PlaceId from) const
{
    const PlaceId own = in('i', gpu * program_.parts, gpu);
    return skips_own_ && from >= own && from < own + program_.parts;
}

void MscclPlaces::set(Schedule& schedule)
{
    Collective& collective = schedule.collective;
    collective = make_collective(program_.kind, {.processors = processors(), .parts = program_.parts});
    const bool is_alltoall = program_.kind == CollectiveKind::alltoall;
    if ((is_alltoall || program_.kind == CollectiveKind::allgather) && !own_is_plain())
        add_own_blocks(collective);
    else
        skips_own_ = is_alltoall;
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk)
        for (const std::uint32_t processor : collective.chunks[chunk].contributors)
            schedule.inputs.push_back({processor, chunk, in('i', offsets_of(chunk).first, processor)});
    for (const Demand& demand : collective.demands)
        schedule.outputs.push_back(
            {demand.receiver, demand.chunk, in('o', offsets_of(demand.chunk).second, demand.receiver)});
}

/// What a GPU has for itself has to be in its output too. Nothing needs to be said of it where nothing
/// is done to it but to copy it there once.
bool MscclPlaces::own_is_plain() const
{
    const bool is_alltoall = program_.kind == CollectiveKind::alltoall;
    for (std::uint32_t gpu = 0; gpu < processors(); ++gpu) {
        const PlaceId input = in('i', is_alltoall ? gpu * program_.parts : 0, gpu);
        const PlaceId output = in('o', gpu * program_.parts, gpu);
        struct Uses {
            std::uint32_t stores_to_input = 0, stores_to_output = 0, copies = 0, reads = 0;
        };
        std::vector<Uses> uses(program_.parts);
        const auto count = [&](PlaceId first, PlaceId place, std::uint32_t Uses::* what) {
            if (place >= first && place < first + program_.parts)
                ++(uses[place - first].*what);
        };
        for (const MscclBlock& block : program_.gpus[gpu].blocks)
            for (const MscclStep& step : block.steps)
                for (std::uint32_t c = 0; step.kind != nullptr && c < step.count; ++c) {
                    const PlaceId from = of(step.source, gpu) + c;
                    const PlaceId to = of(step.destination, gpu) + c;
                    if (step.kind->reads_source) {
                        count(input, from, &Uses::reads);
                        if (output != input)
                            count(output, from, &Uses::reads);
                    }
                    if (step.kind->stores) {
                        count(input, to, &Uses::stores_to_input);
                        count(output, to, &Uses::stores_to_output);
                    }
                    if (is_plain_copy(*step.kind) && from - input == to - output)
                        count(input, from, &Uses::copies);
                }
        const std::uint32_t once = input == output ? 0 : 1;
        for (const Uses& use : uses)
            if (use.copies != once || use.stores_to_output != once || use.stores_to_input != 0 ||
                (is_alltoall && use.reads != once))
                return false;
    }
    return true;
}

void MscclPlaces::add_own_blocks(Collective& collective) const
{
    std::vector<Demand> demands(collective.demands.begin(), collective.demands.end());
    for (std::uint32_t gpu = 0; gpu < processors(); ++gpu)
        for (std::uint32_t part = 0; part < program_.parts; ++part) {
            ChunkId chunk = gpu * program_.parts + part;
            if (program_.kind == CollectiveKind::alltoall) {
                chunk = static_cast<ChunkId>(collective.chunks.size());
                collective.chunks.push_back({1, {gpu}});
            }
            demands.push_back({chunk, gpu, {gpu}});
        }
    std::ranges::sort(demands, {},
                      [](const Demand& demand) { return std::pair(demand.chunk, demand.receiver); });
    collective.demands = Demands(std::move(demands));
}

/// A chunk's place in its sender's input, and in its receiver's output.
std::pair<std::uint32_t, std::uint32_t> MscclPlaces::offsets_of(ChunkId chunk) const
{
    const std::uint32_t parts = program_.parts, n = processors();
    const std::uint32_t block = chunk / parts, part = chunk % parts;
    switch (program_.kind) {
    case CollectiveKind::allreduce:
        return {chunk, chunk};
    case CollectiveKind::allgather:
        return {part, chunk};
    case CollectiveKind::reduce_scatter:
        return {chunk, part};
    default:
        break;
    }
    if (block >= n * (n - 1)) { // its own
        const std::uint32_t own = chunk - n * (n - 1) * parts;
        return {own, own};
    }
    const std::uint32_t from = block / (n - 1), rest = block % (n - 1);
    return {(rest < from ? rest : rest + 1) * parts + part, from * parts + part};
}

} // namespace nocturne
