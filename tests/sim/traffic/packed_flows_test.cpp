#include "models/routing/random.hpp"
#include "models/text/json_text.hpp"
#include "sim/traffic/packed_flows.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace nocturne::packed_flows_test {

TEST_CASE("flows come back from a worker as they were", "[traffic]")
{
    SplitMix64 random(1);
    const auto some = [&](auto& value) {
        if (random.below(3) > 0)
            value = random.below(1000) / 7;
    };
    TrafficPoint point;
    point.load = 0.25;
    for (int i = 0; i < 500; ++i) {
        FlowLatency& flow = point.flows.emplace_back();
        flow.source = std::to_string(random.below(20));
        flow.destination = "p" + std::to_string(random.below(20));
        flow.traffic_class = random.below(2) == 0 ? "" : "b";
        flow.packets = random.below(1000);
        flow.accepted_flit_rate = random.uniform();
        some(flow.average_hops);
        some(flow.average_packet_latency_cycles);
        some(flow.quantiles.median);
        some(flow.quantiles.p95);
        some(flow.quantiles.p99);
        some(flow.quantiles.maximum);
        flow.cycle_ns = 0.5;
    }
    const auto sent = json_to_cbor(for_parent(point));
    CHECK(sent.size() < 100 * point.flows.size());
    CHECK(from_worker<TrafficPoint>(json_from_cbor(sent)) == point);
    point.flows.clear();
    CHECK(from_worker<TrafficPoint>(for_parent(point)) == point);
}

} // namespace nocturne::packed_flows_test
