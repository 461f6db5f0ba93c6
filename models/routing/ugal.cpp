#include "models/routing/routings.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace nocturne {

Routing ugal(Routing minimal, Routing detour, QueueKnowledge knowledge, unsigned threshold)
{
    auto name = fmt::format("{}:{}{}", knowledge == QueueKnowledge::global ? "ugal_global" : "ugal",
                            threshold == 0 ? "" : fmt::format("{}:", threshold), minimal.name);
    VcClasses classes = detour.vc_classes;
    const auto paths = minimal.minimal;
    return {std::move(name), std::move(classes),
            std::make_shared<const RouteChoice>(
                RouteChoice{std::move(minimal), std::move(detour), threshold, knowledge}),
            paths};
}

} // namespace nocturne
