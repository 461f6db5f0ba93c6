#include "sim/report/field_list.hpp"

#include <string>
#include <utility>

namespace nocturne::fields {

Row::Row(std::string_view name, std::string_view unit, std::string_view meaning, Shown shown, Getter get,
         decltype(value) read_value)
    : description{.name = std::string(name),
                  .unit = std::string(unit),
                  .meaning = std::string(meaning),
                  .shown = shown},
      getter(get), value(read_value)
{
}
Row::Row(const Row&) = default;
Row::Row(Row&&) noexcept = default;
Row& Row::operator=(const Row&) = default;
Row& Row::operator=(Row&&) noexcept = default;
Row::~Row() = default;

void Row::write(nlohmann::ordered_json& json, const void* result) const
{
    const void* owner = part_of ? part_of(result) : result;
    nlohmann::ordered_json written;
    if (!is_there || is_there(owner))
        written = value(getter, owner);
    else
        written = nullptr;
    if (factor && written.is_number())
        written = written.get<double>() * factor(result);
    if (!is_left_out_if_empty(description.shown) || !written.empty())
        json[description.name] = std::move(written);
}

void Row::read(const nlohmann::json& json, void* result) const
{
    if (set == nullptr || (is_left_out_if_empty(description.shown) && !json.contains(description.name)))
        return;
    void* owner = part_of ? const_cast<void*>(part_of(result)) : result; // as little constant as the whole
    set(getter, json.at(description.name), owner);
}

List::List(std::string_view name, std::string_view meaning)
    : description_{std::string(name), std::string(meaning), {}}
{
}

void List::add(Row row)
{
    description_.fields.push_back(row.description);
    rows_.push_back(std::move(row));
}

void List::add_part(const List& part, const std::function<const void*(const void*)>& part_of)
{
    const auto inside = [&part_of](const auto& function) -> std::decay_t<decltype(function)> {
        if (!function)
            return nullptr;
        return [function, part_of](const void* result) { return function(part_of(result)); };
    };
    for (Row row : part.rows_) {
        row.part_of = row.part_of ? inside(row.part_of) : part_of;
        row.factor = inside(row.factor);
        add(std::move(row));
    }
}

void List::add_ns(const std::function<double(const void*)>& cycle_ns)
{
    const std::vector<FieldDescription> there = std::exchange(description_.fields, {});
    for (const Row& row : std::exchange(rows_, {})) {
        add(row);
        if (row.description.unit != "cycles")
            continue;
        Row twin = row;
        std::string& name = twin.description.name;
        name.replace(name.size() - std::string_view("cycles").size(), std::string::npos, "ns");
        if (std::ranges::find(there, name, &FieldDescription::name) != there.end())
            continue; // of a part, which has its own
        twin.description.unit = "ns";
        twin.description.shown = Shown::in_files;
        twin.factor = cycle_ns;
        twin.set = nullptr;
        add(std::move(twin));
    }
}

nlohmann::ordered_json List::json_of(const void* result) const
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const Row& row : rows_)
        row.write(json, result);
    return json;
}

void List::read(const nlohmann::json& json, void* result) const
{
    for (const Row& row : rows_)
        row.read(json, result);
}

nlohmann::ordered_json text_or_null(std::string_view text)
{
    if (text.empty())
        return nullptr;
    return text;
}

std::size_t size_of_array(const nlohmann::json& json)
{
    if (!json.is_array())
        throw nlohmann::json::type_error::create(
            302, std::string("type must be array, but is ") + json.type_name(), &json);
    return json.size();
}

} // namespace nocturne::fields
