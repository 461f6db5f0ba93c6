#include "schedules/concurrent/collectives_file.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

namespace nocturne::collectives_file_test {

namespace {

const CollectiveWords words{[](const std::string& list) {
                                if (list == "none")
                                    throw std::invalid_argument("there is no member 'none'");
                                std::vector<std::uint32_t> members;
                                for (const char letter : list)
                                    members.push_back(static_cast<std::uint32_t>(letter - '0'));
                                return members;
                            },
                            [](std::string_view text) {
                                if (text != "4KiB")
                                    throw std::invalid_argument("no size");
                                return std::uint64_t{4096};
                            },
                            [](std::string_view text) {
                                if (text != "10us")
                                    throw std::invalid_argument("no time");
                                return std::uint64_t{5000};
                            }};

std::vector<ConcurrentCollective> read(const std::string& text)
{
    const nlohmann::json document = nlohmann::json::parse(text);
    return read_collectives(JsonPlace(document, "list"), 8, words);
}

std::string with(const std::string& members)
{
    return fmt::format(R"({{"collectives": [{{"name": "a", "collective": "allreduce", {}}}]}})", members);
}

} // namespace

TEST_CASE("a list of collectives names groups one by one, or how far apart they are", "[concurrent]")
{
    const auto all = read(R"({"collectives": [
        {"name": "x", "collective": "all-gather", "groups": ["03", "15"], "bytes": 12},
        {"name": "y", "collective": "AAS", "groups": {"size": 2, "stride": 2}, "bytes": "4KiB",
         "after": ["x"]},
        {"name": "z", "collective": "reduce", "groups": {"size": 8}, "bytes": 17, "start": "10us"},
        {"name": "u", "collective": "reduce", "groups": {"size": 8}, "bytes": 17, "start": 12}]})");
    REQUIRE(all.size() == 4);
    CHECK(all[0].kind == CollectiveKind::allgather);
    CHECK(all[0].groups == std::vector<std::vector<std::uint32_t>>{{0, 3}, {1, 5}});
    CHECK(all[0].bytes == 12);
    CHECK(all[1].groups == std::vector<std::vector<std::uint32_t>>{{0, 2}, {1, 3}, {4, 6}, {5, 7}});
    CHECK(all[1].bytes == 4096);
    CHECK(all[1].after == std::vector<std::size_t>{0});
    CHECK(all[2].groups == std::vector<std::vector<std::uint32_t>>{{0, 1, 2, 3, 4, 5, 6, 7}});
    CHECK(all[2].bytes == 17);
    CHECK(all[0].start_cycles == 0);
    CHECK(all[2].start_cycles == 5000);
    CHECK(all[3].start_cycles == 12);
}

TEST_CASE("a list that cannot be read says where", "[concurrent]")
{
    const auto [text, error] = GENERATE(table<std::string, std::string>(
        {{"{}", "list: /: member 'collectives' is missing"},
         {R"({"collectives": 3})", "list: /collectives: expected an array"},
         {with(R"("groups": ["01"], "bytes": 1, "chunks": 2)"),
          "list: /collectives/0: unknown member 'chunks': known are name, collective, groups, bytes, after, "
          "start"},
         {with(R"("groups": ["01"], "bytes": 1, "start": "soon")"), "list: /collectives/0/start: no time"},
         {with(R"("groups": ["none"], "bytes": 1)"),
          "list: /collectives/0/groups/0: there is no member 'none'"},
         {with(R"("groups": {"size": 3}, "bytes": 1)"),
          "list: /collectives/0/groups: groups of 3 processors, each 1 apart, do not divide 8 processors"},
         {with(R"("groups": {"size": 1}, "bytes": 1)"),
          "list: /collectives/0/groups/size: expected a whole number from 2 to 4294967295"},
         {with(R"("groups": ["01"], "bytes": "much")"), "list: /collectives/0/bytes: no size"},
         {with(R"("groups": ["01"], "bytes": 1, "after": ["a"])"),
          "list: /collectives/0/after/0: no collective 'a' further up"},
         {R"({"collectives": [{"name": "", "collective": "scan", "groups": ["01"], "bytes": 1}]})",
          "list: /collectives/0/name: expected a name that no other has"}}));
    CHECK_THROWS_WITH(read(text), error);
}

} // namespace nocturne::collectives_file_test
