#include "models/text/unique_members.hpp"

#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <span>
#include <stdexcept>

namespace nocturne {

void UniqueMembers::enter(const std::string& member)
{
    Level& object = levels_.back();
    if (!object.members.insert(member).second) {
        std::string place;
        for (const Level& level : std::span(levels_).first(levels_.size() - 1))
            place += level.is_array ? fmt::format("/{}", level.index) : "/" + level.member;
        throw std::invalid_argument(
            fmt::format("{}: '{}' appears twice", place.empty() ? "/" : place, shortened(member)));
    }
    object.member = member;
}

void UniqueMembers::pass(Event event)
{
    if (event == Event::object_start || event == Event::array_start) {
        levels_.push_back({event == Event::array_start, 0, {}, {}});
        return;
    }
    if (event != Event::value)
        levels_.pop_back();
    if (!levels_.empty() && levels_.back().is_array)
        ++levels_.back().index;
}

} // namespace nocturne
