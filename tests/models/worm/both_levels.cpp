#include "tests/models/worm/both_levels.hpp"

#include "models/routing/shortest_path.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/models/worm/worm_messenger.hpp"

namespace nocturne::test {

Fate at_flit_level(const Setting& setting)
{
    Simulation simulation;
    Network network("network", setting.topology, setting.config, setting.ports, setting.vc_classes);
    Messenger messenger(network);
    for (const auto& [message, route] : setting.sent)
        messenger.send(message, route);
    for (const auto& [faults, down] : setting.faults)
        network.plan_faults(faults, down);
    run_to_end();
    Fate fate;
    for (std::uint32_t number = 0; number < setting.sent.size(); ++number) {
        fate.sent.push_back(messenger.sent_at(number).value());
        fate.arrivals.push_back(messenger.arrival_of(number).value_or(0));
    }
    fate.flits_lost = network.flits_lost();
    return fate;
}

Fate at_message_level(const Setting& setting)
{
    WormMessenger messenger(setting.topology, setting.config, setting.ports, setting.vc_classes);
    WormNetwork& network = messenger.network();
    for (const auto& [faults, down] : setting.faults)
        network.plan_faults(faults, down);
    for (const auto& [message, route] : setting.sent)
        messenger.send({message.source, message.destination, message.flits, message.at}, route);
    network.run_to_the_end();
    REQUIRE(network.in_flight() == 0);
    Fate fate;
    for (const WormArrival& each : messenger.arrivals()) {
        REQUIRE(each.sent > 0);
        REQUIRE(each.is_lost == (each.arrived == 0));
        fate.sent.push_back(each.sent);
        fate.arrivals.push_back(each.arrived);
    }
    fate.flits_lost = setting.faults.empty() ? 0 : network.flits_lost();
    fate.head_wait_cycles = network.head_wait_cycles().value_or(0);
    return fate;
}

std::vector<SentMessage> lonely_messages(const Topology& topology, SplitMix64& random)
{
    const Routing routing = shortest_path(topology);
    std::vector<SentMessage> sent;
    Cycle at = 1;
    for (const std::uint32_t longest : {1u, 2u, 20u, 200u}) {
        Message message = random_messages(topology, {1, longest, 1}, random).front();
        message.at = at;
        sent.push_back({message, routing.route(message.source, message.destination)});
        at += 20'000;
    }
    return sent;
}

} // namespace nocturne::test
