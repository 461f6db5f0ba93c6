#include "schedules/concurrent/collectives_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;

Groups groups_apart(const JsonPlace& place, std::uint32_t processors)
{
    place.check_members({"size", "stride"});
    const std::uint64_t size = place["size"].number(2);
    const std::uint64_t stride = place.has("stride") ? place["stride"].number(1) : 1;
    if (processors % (size * stride) != 0)
        place.fail(fmt::format("groups of {} processors, each {} apart, do not divide {} processors", size,
                               stride, processors));
    Groups groups;
    for (std::uint64_t first = 0; first < processors; ++first) {
        if (first / stride % size != 0)
            continue;
        std::vector<std::uint32_t>& group = groups.emplace_back();
        for (std::uint64_t k = 0; k < size; ++k)
            group.push_back(static_cast<std::uint32_t>(first + k * stride));
    }
    return groups;
}

Groups read_groups(const JsonPlace& place, std::uint32_t processors, const CollectiveWords& words)
{
    if (place.value().is_object())
        return groups_apart(place, processors);
    Groups groups;
    for (const JsonPlace& group : place.elements())
        groups.push_back(group.here([&] { return words.processors(group.text()); }));
    return groups;
}

ConcurrentCollective read_collective(const JsonPlace& place, std::uint32_t processors,
                                     const CollectiveWords& words,
                                     const std::vector<ConcurrentCollective>& before)
{
    place.check_members({"name", "collective", "groups", "bytes", "after", "start"});
    ConcurrentCollective one;
    const auto index_of = [&](const std::string& name) {
        return static_cast<std::size_t>(std::ranges::find(before, name, &ConcurrentCollective::name) -
                                        before.begin());
    };
    one.name = place["name"].text();
    if (one.name.empty() || index_of(one.name) < before.size())
        place["name"].fail("expected a name that no other has");
    const JsonPlace kind = place["collective"];
    one.kind = kind.here([&] { return parse_collective_kind(kind.text()); });
    one.groups = read_groups(place["groups"], processors, words);
    const JsonPlace bytes = place["bytes"];
    one.bytes =
        bytes.value().is_string() ? bytes.here([&] { return words.bytes(bytes.text()); }) : bytes.word();
    if (place.has("start")) {
        const JsonPlace start = place["start"];
        one.start_cycles =
            start.value().is_string() ? start.here([&] { return words.cycles(start.text()); }) : start.word();
    }
    if (place.has("after"))
        for (const JsonPlace& name : place["after"].elements()) {
            one.after.push_back(index_of(name.text()));
            if (one.after.back() == before.size())
                name.fail(fmt::format("no collective '{}' further up", name.text()));
        }
    return one;
}

} // namespace

std::vector<ConcurrentCollective> read_collectives(const JsonPlace& place, std::uint32_t processors,
                                                   const CollectiveWords& words)
{
    place.check_members({"collectives"});
    std::vector<ConcurrentCollective> all;
    for (const JsonPlace& one : place["collectives"].elements())
        all.push_back(read_collective(one, processors, words, all));
    return all;
}

} // namespace nocturne
