#include "models/fabric/address_map_json.hpp"
#include "models/routing/random.hpp"
#include "tests/catch.hpp"
#include "tests/rows.hpp"

#include <limits>

namespace nocturne::address_map_test {

namespace {

constexpr std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();

/// The definition, address by address.
struct Decoded {
    std::string target;
    std::uint64_t address = 0;
    friend bool operator==(const Decoded&, const Decoded&) = default;
};

std::optional<Decoded> decode_plainly(const AddressMap& map, const std::string& initiator,
                                      std::uint64_t address, const std::optional<std::string>& otherwise)
{
    const AddressRange* best = nullptr;
    for (const AddressRange& range : map.ranges()) {
        const bool is_seen = range.initiators.empty() || std::ranges::count(range.initiators, initiator) > 0;
        if (is_seen && range.first <= address && address <= range.last &&
            (best == nullptr || range.priority > best->priority))
            best = &range;
    }
    if (best == nullptr)
        return otherwise ? std::optional(Decoded{*otherwise, address}) : std::nullopt;
    const bool is_relative = best->addresses == TargetAddresses::relative;
    return Decoded{best->target, is_relative ? address - best->first : address};
}

std::optional<Decoded> decode(const AddressMap& map, const AddressView& view, std::uint64_t address)
{
    const AddressRegion* const region = view.find(address);
    if (region == nullptr)
        return std::nullopt;
    CHECK(region->contains(address));
    CHECK(region->to_initiator(region->to_target(address)) == address);
    return Decoded{map.targets()[region->target], region->to_target(address)};
}

} // namespace

TEST_CASE("each address goes where the range of highest priority that its initiator sees says",
          "[fabric][address_map]")
{
    SplitMix64 random(GENERATE(range(0u, 40u)));
    // Some maps have more than one range to a piece of the decoder's table, some have gaps of many pieces.
    const std::uint64_t scale = GENERATE(std::uint64_t{1}, std::uint64_t{1} << 20);
    const std::vector<std::string> initiators{"a", "b", "c"};
    std::vector<AddressRange> ranges;
    for (unsigned i = 0; i < 1 + random.below(6); ++i) {
        AddressRange range;
        range.target = std::string(1, static_cast<char>('s' + random.below(4)));
        range.first = random.below(60) * scale;
        range.last = range.first + random.below(20) * scale + random.below(2);
        range.addresses = random.below(2) == 0 ? TargetAddresses::relative : TargetAddresses::absolute;
        range.priority = i;
        for (const std::string& initiator : initiators)
            if (random.below(3) == 0)
                range.initiators.push_back(initiator);
        ranges.push_back(range);
    }
    const auto otherwise = random.below(2) == 0 ? std::optional<std::string>("rest") : std::nullopt;
    const AddressMap map(ranges, otherwise);
    for (const std::string& initiator : initiators) {
        const AddressView view = map.view(initiator);
        for (std::uint64_t place = 0; place < 100; ++place)
            for (const std::uint64_t beside : {0u, 1u, 2u}) {
                const std::uint64_t address = place * scale + beside;
                CAPTURE(initiator, address);
                REQUIRE(decode(map, view, address) == decode_plainly(map, initiator, address, otherwise));
            }
        for (std::size_t i = 1; i < view.regions().size(); ++i)
            REQUIRE(view.regions()[i - 1].last < view.regions()[i].first);
    }
}

TEST_CASE("ranges reach to the highest address", "[fabric][address_map]")
{
    const AddressMap map({{"low", 0, 15}, {"high", highest - 15, highest}});
    const AddressView view = map.view("cpu");
    REQUIRE(view.find(highest) != nullptr);
    CHECK(view.find(highest)->to_target(highest) == 15);
    CHECK(view.find(highest)->contains(highest, 1));
    CHECK_FALSE(view.find(highest)->contains(highest, 2));
    CHECK(view.find(16) == nullptr);
    CHECK(view.find(highest - 16) == nullptr);
    CHECK(view.find(15)->contains(12, 4));
    CHECK_FALSE(view.find(15)->contains(12, 5));
}

TEST_CASE("a bad address map is refused in a line that names what is wrong", "[fabric][address_map]")
{
    using Ranges = std::vector<AddressRange>;
    const auto [ranges, reason] = GENERATE(table<Ranges, std::string>({
        {Ranges{}, "address map: neither a range nor a default target"},
        {{{"", 0, 1}}, "address map: the range at 0x0..0x1 names no target"},
        {{{"ram", 2, 1}}, "address map: ram at 0x2..0x1 ends before it begins"},
        {{{"ram", 0, 15}, {"rom", 16, 20}, {"uart", 15, 15}},
         "address map: ram at 0x0..0xf and uart at 0xf..0xf overlap; give one of them a higher priority"},
        {{{"ram", 0, 15, {}, 1, {"a"}}, {"rom", 8, 9, {}, 1, {"b", "a"}}},
         "address map: ram at 0x0..0xf and rom at 0x8..0x9 overlap; give one of them a higher priority"},
    }));
    CHECK_THROWS_WITH(AddressMap(ranges), reason);
}

TEST_CASE("ranges that no initiator sees both of may overlap", "[fabric][address_map]")
{
    const AddressMap map({{"ram", 0, 15, {}, 0, {"a"}}, {"rom", 8, 20, {}, 0, {"b"}}});
    CHECK(map.targets()[map.view("a").find(8)->target] == "ram");
    CHECK(map.targets()[map.view("b").find(8)->target] == "rom");
    CHECK(map.view("c").find(8) == nullptr);
}

TEST_CASE("an address map is read from JSON", "[fabric][address_map]")
{
    const AddressMap map = parse_address_map(R"({
        "ranges": [{"target": "ram", "first": "0x0", "last": "0xffff"},
                   {"target": "uart", "first": 4096, "bytes": "16", "addresses": "absolute", "priority": 1,
                    "initiators": ["cpu"]}],
        "default_target": "bridge"})",
                                             "map.json");
    REQUIRE(map.ranges().size() == 2);
    CHECK(map.ranges()[0].last == 0xffff);
    CHECK(map.ranges()[0].addresses == TargetAddresses::relative);
    CHECK(map.ranges()[1].first == 4096);
    CHECK(map.ranges()[1].last == 4111);
    CHECK(map.ranges()[1].addresses == TargetAddresses::absolute);
    CHECK(map.ranges()[1].priority == 1);
    CHECK(map.ranges()[1].initiators == std::vector<std::string>{"cpu"});
    CHECK(map.targets()[map.view("cpu").find(0x10000)->target] == "bridge");
}

TEST_CASE("a bad document is refused in one line with the file and the place", "[fabric][address_map]")
{
    test::check_refusals("models/fabric/refusals.txt", {{"map.json", [](const std::string& text) {
                                                             parse_address_map(text, "map.json");
                                                         }}});
}

} // namespace nocturne::address_map_test
