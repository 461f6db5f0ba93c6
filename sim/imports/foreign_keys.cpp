#include "sim/imports/foreign_keys.hpp"

#include "models/text/neighbour_words.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

/// Of numbers the same however they are written.
bool is_same_value(std::string_view a, std::string_view b)
{
    const auto number = number_of<double>(a);
    return a == b || (number && number == number_of<double>(b));
}

bool is_one_of(std::string_view value, std::string_view list)
{
    while (true) {
        const std::size_t end = list.find('|');
        if (is_same_value(value, list.substr(0, end)))
            return true;
        if (end == list.npos)
            return false;
        list.remove_prefix(end + 1);
    }
}

} // namespace

Fields<ImportedKey> fields_of(const ImportedKey*)
{
    return {
        "imported key",
        "One key of a configuration of another simulator.",
        {{"key", "", "Name of the key in the configuration.", &ImportedKey::key},
         {"value", "", "Value in the configuration, or the other simulator's default.", &ImportedKey::value},
         {"given", "", "Whether the configuration has the key.", &ImportedKey::is_given},
         {"fate", "", "`carried`, `no effect` or `not carried`.", &ImportedKey::fate},
         {"here", "", "The part of the command that replaces the key.", &ImportedKey::here},
         {"remark", "", "Difference from the other simulator, or reason why the key is not carried.",
          &ImportedKey::remark}}};
}

CommandDraft::CommandDraft(std::string_view from, std::string_view tool, std::string origin,
                           std::span<const ForeignKey> table, const ForeignValues& values)
    : tool_(tool), origin_(std::move(origin)), table_(table)
{
    command_.from = from;
    std::vector<std::string> names;
    for (const ForeignKey& row : table) {
        names.emplace_back(row.name);
        command_.keys.push_back({std::string(row.name), std::string(row.otherwise), false, {}, {}, {}});
    }
    for (const auto& [name, value] : values) {
        const auto found = std::ranges::find(command_.keys, name, &ImportedKey::key);
        if (found == command_.keys.end()) {
            const auto near = nearest_name(name, names);
            fail(fmt::format("unknown key '{}': {}", shortened(name),
                             near ? fmt::format("did you mean '{}'?", *near)
                                  : fmt::format("{} has none like it", tool)));
        }
        found->value = value;
        found->is_given = true;
    }
}

ImportedKey& CommandDraft::key(std::string_view name)
{
    return *std::ranges::find(command_.keys, name, &ImportedKey::key);
}

const ImportedKey& CommandDraft::key(std::string_view name) const
{
    return *std::ranges::find(command_.keys, name, &ImportedKey::key);
}

const std::string& CommandDraft::text(std::string_view name) const
{
    return key(name).value;
}

bool CommandDraft::is_given(std::string_view name) const
{
    return key(name).is_given;
}

double CommandDraft::number(std::string_view name) const
{
    const auto number = number_of<double>(text(name));
    if (!number || !(*number > -1e300 && *number < 1e300))
        fail(fmt::format("{} = {}: a number is wanted", name, shortened(text(name))));
    return *number;
}

std::uint64_t CommandDraft::count(std::string_view name, std::uint64_t least, std::uint64_t most) const
{
    const auto number = number_of<std::uint64_t>(text(name));
    if (!number || *number < least || *number > most)
        fail(fmt::format("{} = {}: a whole number from {} to {} is wanted", name, shortened(text(name)),
                         least, most));
    return *number;
}

void CommandDraft::add(std::string_view option, const std::string& value,
                       std::initializer_list<std::string_view> keys, std::string_view remark)
{
    add_word(std::string(option));
    if (!value.empty())
        add_word(value);
    carry(keys, value.empty() ? std::string(option) : fmt::format("{} {}", option, value), remark);
}

void CommandDraft::carry(std::initializer_list<std::string_view> keys, std::string_view here,
                         std::string_view remark)
{
    const auto difference = [&](std::string_view name) -> std::string_view {
        if (!remark.empty())
            return remark;
        for (const NeighbourWord& row : neighbour_words())
            if (row.tool == tool_ && row.word == name && here.starts_with(row.here))
                return row.difference;
        return {};
    };
    for (const std::string_view name : keys) {
        ImportedKey& one = key(name);
        one.fate = key_carried;
        one.here = here;
        one.remark = difference(name);
    }
}

void CommandDraft::leave(std::string_view name, std::string_view reason)
{
    ImportedKey& one = key(name);
    one.fate = key_not_carried;
    one.here.clear();
    one.remark = reason;
}

void CommandDraft::ignore(std::string_view name, std::string_view reason)
{
    ImportedKey& one = key(name);
    one.fate = key_without_effect;
    one.remark = reason;
}

void CommandDraft::fail(std::string_view reason) const
{
    throw std::runtime_error(one_line(fmt::format("{}: {}", origin_, reason)));
}

void CommandDraft::refuse_pattern(std::string_view pattern, std::string_view uniform) const
{
    fail(fmt::format("{}: Nocturne has no name for this pattern: import with {}, and in the command replace "
                     "uniform by permutation:FILE, matrix:FILE or hotspot:P,SHARE",
                     shortened(pattern), uniform));
}

ImportedCommand CommandDraft::finish()
{
    for (const ForeignKey& row : table_) {
        ImportedKey& one = key(row.name);
        if (!one.fate.empty())
            continue;
        if (!row.option.empty()) {
            add(row.option, one.value, {row.name}, row.remark);
        } else if (row.alike == "*" || is_one_of(one.value, row.alike)) {
            one.fate = key_without_effect;
            one.remark = row.alike == "*" ? row.remark : "as here";
        } else {
            if (row.remark.empty())
                throw std::logic_error(fmt::format("import: nothing is said of {}", row.name));
            leave(row.name, row.remark);
        }
    }
    return std::move(command_);
}

} // namespace nocturne
