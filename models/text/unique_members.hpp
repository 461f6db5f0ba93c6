// Objects of JSON have each member once.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace nocturne {

/// A callback for the parser of any nlohmann::basic_json. Throws std::invalid_argument, which names the place
/// and the member, for an object that has a member twice: the parser would keep the last of them.
class UniqueMembers {
public:
    using Event = nlohmann::json::parse_event_t;

    /// Keeps every value.
    template <class Json>
    bool operator()(int, Event event, Json& value)
    {
        if (event == Event::key)
            enter(value.template get_ref<const std::string&>());
        else
            pass(event);
        return true;
    }

private:
    struct Level {
        bool is_array;
        std::size_t index = 0;                      ///< of the element that comes next
        std::set<std::string, std::less<>> members; ///< so far
        std::string member;                         ///< that comes next
    };

    void enter(const std::string& member);
    void pass(Event event);

    std::vector<Level> levels_; ///< objects and arrays that are open
};

} // namespace nocturne
