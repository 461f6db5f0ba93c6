#include "models/routing/ugal.hpp"

#include "models/routing/valiant.hpp"

#include <memory>
#include <utility>

namespace nocturne {

Routing ugal(const Topology& topology, Routing base, std::uint64_t seed)
{
    const Routing detour = valiant(topology, base, seed);
    auto name = "ugal:" + base.name;
    const auto minimal = base.minimal;
    return {std::move(name), detour.vc_classes,
            std::make_shared<const RouteChoice>(RouteChoice{std::move(base), detour}), minimal};
}

} // namespace nocturne
