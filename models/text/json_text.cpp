#include "models/text/json_text.hpp"

#include "models/text/unknown_name.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <set>
#include <stdexcept>

namespace nocturne {

namespace {

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

    void enter(const std::string& member)
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

    void pass(Event event)
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

    std::vector<Level> levels_; ///< objects and arrays that are open
};

} // namespace

nlohmann::json json_from_text(std::string_view text)
{
    return nlohmann::json::parse(text);
}

nlohmann::ordered_json ordered_json_from_text(std::string_view text)
{
    return nlohmann::ordered_json::parse(text);
}

nlohmann::json json_of_unique_members(std::string_view text)
{
    return nlohmann::json::parse(text, UniqueMembers());
}

nlohmann::ordered_json ordered_json_of_unique_members(std::string_view text)
{
    return nlohmann::ordered_json::parse(text, UniqueMembers());
}

nlohmann::json json_from_cbor(std::span<const std::uint8_t> bytes)
{
    return nlohmann::json::from_cbor(bytes.data(), bytes.data() + bytes.size());
}

nlohmann::json json_or_discarded(std::string_view text)
{
    return nlohmann::json::parse(text, nullptr, false);
}

nlohmann::ordered_json ordered_json_or_discarded(std::string_view text)
{
    return nlohmann::ordered_json::parse(text, nullptr, false);
}

std::string json_text(const nlohmann::json& json, int indent)
{
    return json.dump(indent);
}
std::string json_text(const nlohmann::ordered_json& json, int indent)
{
    return json.dump(indent);
}

std::string json_text_replacing(const nlohmann::json& json)
{
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_text_replacing(const nlohmann::ordered_json& json)
{
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::vector<std::uint8_t> json_to_cbor(const nlohmann::json& json)
{
    return nlohmann::json::to_cbor(json);
}

} // namespace nocturne
