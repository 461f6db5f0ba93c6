#include "models/topology/make_topology.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/translations.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

#include <numeric>

namespace nocturne::translations_test {

namespace {

constexpr std::uint32_t processors = 6;

const Topology& ring()
{
    static const Topology topology = make_topology("ring:6");
    return topology;
}

ProcessorGrid line()
{
    ProcessorGrid grid{{processors}, std::vector<std::uint32_t>(processors)};
    std::iota(grid.members.begin(), grid.members.end(), 0U);
    return grid;
}

/// What processor 0 has goes round to all others.
Schedule first_of_allgather()
{
    const LinkNetwork network = link_network_of(ring());
    Schedule first = empty_schedule("round", ring().name(), allgather({.processors = processors}),
                                    ScheduleSynchronization::dependencies);
    for (std::uint32_t at = 0; at + 1 < processors; ++at) {
        std::vector<std::uint32_t> after;
        if (at > 0)
            after.push_back(at - 1);
        append_transfer(first, {0, at, at + 1, Path{*only_link(network, at, at + 1)}}, after);
    }
    first.translations = line();
    return first;
}

Schedule all_of(const Schedule& first)
{
    return translated(first, *TransferImages::find(link_network_of(ring()), first.collective, line()));
}

/// A file that lists the transfers of `first`, with these members of its own.
std::string text_with(const Schedule& first, const nlohmann::ordered_json& more)
{
    auto json = to_json(first, ring());
    json.update(more);
    return json.dump();
}

const nlohmann::ordered_json of_line{{"translations", {{"sizes", {6}}, {"members", {0, 1, 2, 3, 4, 5}}}}};

} // namespace

TEST_CASE("what one member sends is sent by all, and found again in that", "[translations]")
{
    const Schedule first = first_of_allgather(), all = all_of(first);
    const LinkNetwork network = link_network_of(ring());
    CHECK(count_transfers(all) == processors * (processors - 1));
    CHECK(validate(all, network).empty());
    CHECK_FALSE(validate(first, network).empty());
    const auto again = first_of_translated(all, network);
    REQUIRE(again);
    CHECK(again->steps == first.steps);
    CHECK(again->after == first.after);
}

TEST_CASE("a schedule of which a transfer is no image of the first member's is listed in full",
          "[translations]")
{
    struct Change {
        const char* what;
        void (*make)(Schedule& schedule, Step& all);
    };
    const Change changes[] = {
        {"it goes elsewhere",
         [](Schedule&, Step& all) { all[8].destination = (all[8].destination + 1) % processors; }},
        {"it goes over another link", [](Schedule&, Step& all) { all[9].path = all[10].path; }},
        {"it carries something else", [](Schedule&, Step& all) { all[7].set_message(all[8].message); }},
        {"it adds", [](Schedule&, Step& all) { all.back().operation = Operation::add; }},
        {"two have changed places", [](Schedule&, Step& all) { std::swap(all[13], all[14]); }},
        {"there is one more", [](Schedule& schedule, Step& all) { append_transfer(schedule, all.back()); }},
        {"only one waits",
         [](Schedule& schedule, Step&) { schedule.after = Dependencies({{}, {}, {}, {}, {}, {}, {0}}); }},
        {"the grid is another",
         [](Schedule& schedule, Step&) {
             std::swap(schedule.translations->members[1], schedule.translations->members[2]);
         }},
        {"nobody says that they are", [](Schedule& schedule, Step&) { schedule.translations.reset(); }},
    };
    const LinkNetwork network = link_network_of(ring());
    for (const Change& change : changes) {
        INFO(change.what);
        Schedule schedule = all_of(first_of_allgather());
        change.make(schedule, schedule.steps.front());
        CHECK_FALSE(first_of_translated(schedule, network));
    }
}

TEST_CASE("a file of one member's transfers is read as the schedule of all", "[translations][json]")
{
    const Schedule first = first_of_allgather(), all = all_of(first);
    const Schedule read = parse_schedule_file(text_with(first, of_line), "a.json").schedule;
    CHECK(read == all);
    // As it is written, with the steps last: read the quick way.
    std::string plain = to_json_text(first, ring());
    plain.insert(plain.find("\"collective\""), R"("translations": {"sizes":[6],"members":[0,1,2,3,4,5]}, )");
    CHECK(parse_schedule_file(plain, "a.json").schedule == all);
}

TEST_CASE("a file of one member's transfers that makes no sense is refused in a line", "[translations][json]")
{
    struct Mistake {
        const char* what;
        const char* why; ///< behind the name of the file
        void (*make)(Schedule& first, nlohmann::ordered_json& more);
    };
    const Mistake mistakes[] = {
        {"the sizes are those of others",
         "/translations/sizes: they are those of another number of members than 6",
         [](Schedule&, nlohmann::ordered_json& more) { more["translations"]["sizes"] = {2, 4}; }},
        {"sizes whose product is too large for any number",
         "/translations/sizes: they are those of another number of members than 6",
         [](Schedule&, nlohmann::ordered_json& more) {
             more["translations"]["sizes"] = std::vector<std::uint32_t>(9, 4'000'000'000U);
         }},
        {"a member stands there twice", "/translations/members/5: 4 is no processor, or stands there twice",
         [](Schedule&, nlohmann::ordered_json& more) {
             more["translations"]["members"] = {0, 1, 2, 3, 4, 4};
         }},
        {"the ring in another order is no symmetry",
         "/translations: the network or the collective does not look the same from every member",
         [](Schedule&, nlohmann::ordered_json& more) {
             more["translations"]["members"] = {0, 2, 1, 3, 4, 5};
         }},
        {"what one sends to all",
         "/translations: the network or the collective does not look the same from every member",
         [](Schedule& first, nlohmann::ordered_json&) {
             first.collective = broadcast({.processors = processors}, 0);
         }},
        {"a transfer of another member's chunk",
         "/steps/0: transfer 3 has no images: its places, nodes or links are none that translations take to "
         "others",
         [](Schedule& first, nlohmann::ordered_json&) { first.steps.front()[2].set_message(3); }},
        {"a transfer over somebody else's link",
         "/steps/0: transfer 2 has no images: its places, nodes or links are none that translations take to "
         "others",
         [](Schedule& first, nlohmann::ordered_json&) {
             first.steps.front()[1].path = first.steps.front()[3].path;
         }},
        {"a transfer that waits for none that there is",
         "/steps/0: transfer 6 waits for one that does not exist",
         [](Schedule& first, nlohmann::ordered_json&) {
             append_transfer(first, first.steps.front().back(), {4'294'967'295U});
         }},
        {"with steps there are none", "/translations: schedules in steps have none",
         [](Schedule& first, nlohmann::ordered_json&) {
             first.synchronization = ScheduleSynchronization::steps;
             first.after = {};
         }},
    };
    for (const Mistake& mistake : mistakes) {
        INFO(mistake.what);
        Schedule first = first_of_allgather();
        nlohmann::ordered_json more = of_line;
        mistake.make(first, more);
        CHECK_THROWS_WITH(parse_schedule_file(text_with(first, more), "a.json"),
                          std::string("a.json: ") + mistake.why);
    }
}

} // namespace nocturne::translations_test
