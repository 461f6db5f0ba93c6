// Schedules of whole messages as schedules of chunks.
#include "models/topology/make_topology.hpp"
#include "schedules/conversion/conversion.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace nocturne::step_chunks_test {

TEST_CASE("every schedule of the library does the same in chunks, over the same channels",
          "[chunks][formats]")
{
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(SCHEDULE_LIBRARY)) {
        if (entry.path().extension() != ".json")
            continue;
        CAPTURE(entry.path());
        const LoadedSchedule loaded = load_schedule(entry.path().string());
        if (count_transfers(loaded.schedule) > 300)
            continue;
        const Schedule schedule = complete_paths(loaded.schedule, loaded.topology);
        const LinkNetwork network = link_network_of(loaded.topology);
        const Schedule chunks = chunks_of_steps(schedule, network);
        const auto violations = validate(chunks, network);
        INFO((violations.empty() ? "" : violations.front().text));
        CHECK(violations.empty());
        // A chunk a message, and what it owes.
        REQUIRE(chunks.collective.chunks.size() == schedule.collective.messages().size());
        CHECK(chunks.collective.demands.size() == schedule.collective.demands.size());
        for (const Demand& demand : chunks.collective.demands) {
            const Message& message = schedule.collective.messages()[demand.chunk];
            CHECK(demand.contributors == std::vector<std::uint32_t>{message.origin});
            CHECK(std::binary_search(message.receivers.begin(), message.receivers.end(), demand.receiver));
        }
        // Each channel carries the same messages in the same order.
        std::map<ChannelId, std::vector<MessageId>> in_steps, in_chunks;
        for (const Step& step : schedule.steps)
            for (const Transfer& transfer : step)
                for (const ChannelId channel : *transfer.path)
                    in_steps[channel].push_back(transfer.message);
        std::map<std::pair<NodeId, PlaceId>, ChunkId> at;
        for (const Transfer& transfer : chunks.steps.front()) {
            const auto came = at.find({transfer.source, transfer.message});
            const ChunkId chunk = came == at.end() ? transfer.message : came->second;
            at[{transfer.destination, transfer.to}] = chunk;
            for (const LinkId link : transfer.links())
                if (network.link(link).channel)
                    in_chunks[*network.link(link).channel].push_back(chunk);
        }
        CHECK(in_chunks == in_steps);
        ++count;
    }
    CHECK(count > 50);
}

} // namespace nocturne::step_chunks_test
