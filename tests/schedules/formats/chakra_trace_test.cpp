#include "models/topology/make_topology.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/formats/rank_operations.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <set>
#include <string>

namespace nocturne::chakra_trace_test {

namespace {

/// A node as a reader of the schema sees it.
struct TraceNode {
    std::uint64_t id = 0;
    std::string name;
    std::int32_t type = 0;
    std::vector<std::uint64_t> data_deps;
    std::map<std::string, std::int64_t> attributes;
};

TraceNode read_node(protozero::data_view view)
{
    TraceNode node;
    protozero::pbf_reader reader(view);
    while (reader.next())
        switch (reader.tag()) {
        case 1:
            node.id = reader.get_uint64();
            break;
        case 2:
            node.name = reader.get_string();
            break;
        case 3:
            node.type = reader.get_enum();
            break;
        case 5:
            for (const std::uint64_t id : reader.get_packed_uint64())
                node.data_deps.push_back(id);
            break;
        case 10: {
            protozero::pbf_reader attribute = reader.get_message();
            std::string name;
            while (attribute.next())
                switch (attribute.tag()) {
                case 1:
                    name = attribute.get_string();
                    break;
                case 7:
                    node.attributes[name] = attribute.get_int32();
                    break;
                case 9:
                    node.attributes[name] = attribute.get_int64();
                    break;
                case 27:
                    node.attributes[name] = attribute.get_bool() ? 1 : 0;
                    break;
                default:
                    FAIL("an attribute of a type that nobody reads");
                }
            break;
        }
        default:
            FAIL("a field that a node has not: " << reader.tag());
        }
    return node;
}

/// Written from the schema and what it says of files; knows nothing of the writer.
std::vector<TraceNode> read_trace(const std::string& trace)
{
    std::vector<TraceNode> nodes;
    const char* at = trace.data();
    const char* const end = at + trace.size();
    for (bool is_first = true; at != end; is_first = false) {
        const std::uint64_t size = protozero::decode_varint(&at, end);
        REQUIRE(size <= static_cast<std::uint64_t>(end - at));
        if (!is_first)
            nodes.push_back(read_node({at, size}));
        at += size;
    }
    return nodes;
}

using Meeting = std::array<std::int64_t, 3>; ///< source, destination, tag

Meeting meeting_of(const TraceNode& node)
{
    return {node.attributes.at("comm_src"), node.attributes.at("comm_dst"), node.attributes.at("comm_tag")};
}

/// Does what is ready until nothing goes on; sends and receives meet by source, destination and tag. How many
/// nodes have been done.
std::size_t run(const std::vector<std::vector<TraceNode>>& ranks)
{
    constexpr std::int32_t computes = 4, sends = 5, receives = 6;
    std::vector<std::set<std::uint64_t>> done(ranks.size());
    std::map<Meeting, std::int64_t> sent; // bytes
    std::size_t count = 0;
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            for (const TraceNode& node : ranks[rank]) {
                const bool waits = std::any_of(node.data_deps.begin(), node.data_deps.end(),
                                               [&](std::uint64_t id) { return !done[rank].contains(id); });
                if (waits || done[rank].contains(node.id))
                    continue;
                if (node.type != computes) {
                    const Meeting meeting = meeting_of(node);
                    CHECK(meeting[node.type == sends ? 0 : 1] == static_cast<std::int64_t>(rank));
                    if (node.type == receives) {
                        if (!sent.contains(meeting))
                            continue;
                        CHECK(sent.at(meeting) == node.attributes.at("comm_size"));
                    } else {
                        CHECK(sent.emplace(meeting, node.attributes.at("comm_size")).second);
                    }
                }
                done[rank].insert(node.id);
                ++count;
                goes_on = true;
            }
    }
    return count;
}

std::vector<std::vector<TraceNode>> traces_of(const Schedule& schedule, std::uint64_t bytes)
{
    std::vector<std::vector<TraceNode>> ranks;
    for (const std::string& trace : to_chakra_traces(schedule, bytes))
        ranks.push_back(read_trace(trace));
    return ranks;
}

} // namespace

TEST_CASE("traces in Chakra's format run to their end, and move every byte of the schedule",
          "[formats][chakra]")
{
    const auto kind = GENERATE(CollectiveKind::allreduce, CollectiveKind::allgather,
                               CollectiveKind::reduce_scatter, CollectiveKind::alltoall);
    const LinkNetwork network = link_network_of(make_topology(GENERATE("ring:5", "mesh:2x3", "torus:3x3")));
    const auto found = search_by_time(
        network, make_collective(kind, {.processors = network.processor_count(), .parts = 2}), {});
    REQUIRE(found);
    auto ranks = traces_of(found->schedule, 100);
    REQUIRE(ranks.size() == network.processor_count());
    std::size_t nodes = 0;
    std::int64_t bytes = 0;
    for (const auto& rank : ranks)
        for (const TraceNode& node : rank) {
            ++nodes;
            CHECK(node.attributes.at("is_cpu_op") == 0);
            if (node.type == 5)
                bytes += node.attributes.at("comm_size");
        }
    CHECK(run(ranks) == nodes);
    std::int64_t transfers = 0;
    for (const ListedTransfer& one : list_transfers(found->schedule))
        transfers += one.transfer.is_local() ? 0 : 1;
    CHECK(bytes == 100 * transfers);
    // A send that is left out lets its receive, and what waits for that, wait for ever.
    for (auto& rank : ranks)
        if (const auto send =
                std::find_if(rank.begin(), rank.end(), [](const TraceNode& node) { return node.type == 5; });
            send != rank.end()) {
            rank.erase(send);
            break;
        }
    CHECK(run(ranks) < nodes - 1);
}

TEST_CASE("what passes on waits for what brings it, under steps too", "[formats][chakra]")
{
    Schedule schedule;
    schedule.collective = broadcast({.processors = 3}, 0);
    schedule.rounds = {1, 1};
    schedule.steps = {{{0, 0, 1, Path{0}}}, {{0, 1, 2, Path{1}}}};
    const auto ranks = traces_of(schedule, 8);
    REQUIRE(ranks[1].size() == 2);
    CHECK(ranks[1][0].name == "copy 0");
    CHECK(ranks[1][1].name == "send 1");
    CHECK(ranks[1][1].data_deps == std::vector<std::uint64_t>{0});
    CHECK(ranks[2][0].data_deps.empty());
    schedule.steps[0][0].destination = 3; // a switch
    CHECK_THROWS_AS(to_chakra_traces(schedule, 8), std::invalid_argument);
}

} // namespace nocturne::chakra_trace_test
