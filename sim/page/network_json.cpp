#include "sim/page/network_json.hpp"

#include "models/topology/drawing.hpp"
#include "sim/page/packed.hpp"

#include <functional>
#include <vector>

namespace nocturne {

namespace {

nlohmann::ordered_json packed_places(const std::vector<Position>& places)
{
    std::vector<float> numbers;
    for (const Position place : places) {
        numbers.push_back(static_cast<float>(place.x));
        numbers.push_back(static_cast<float>(place.y));
    }
    return packed(numbers);
}

template <class Items, class Member>
nlohmann::ordered_json packed_members(const Items& items, Member member)
{
    std::vector<std::uint32_t> numbers;
    for (const auto& item : items)
        numbers.push_back(std::invoke(member, item));
    return packed(numbers);
}

} // namespace

nlohmann::ordered_json network_json(const Topology& topology)
{
    nlohmann::ordered_json routers = nlohmann::ordered_json::array(), processors = routers;
    for (RouterId router = 0; router < topology.router_count(); ++router)
        routers.push_back(topology.router_name(router));
    for (const Processor& processor : topology.processors())
        processors.push_back(processor.name);
    const DrawingPlaces places = drawing_places(topology);
    std::vector<Position> curves;
    for (const auto& curve : places.channels)
        curves.insert(curves.end(), curve.begin(), curve.end());
    return {{"name", topology.name()},
            {"routers", std::move(routers)},
            {"processors", std::move(processors)},
            {"injection", packed_members(topology.processors(), &Processor::injection)},
            {"ejection", packed_members(topology.processors(), &Processor::ejection)},
            {"from", packed_members(topology.channels(), &Channel::source)},
            {"to", packed_members(topology.channels(), &Channel::target)},
            {"places",
             {{"routers", packed_places(places.routers)},
              {"sources", packed_places(places.sources)},
              {"sinks", packed_places(places.sinks)},
              {"curves", packed_places(curves)}}}};
}

} // namespace nocturne
