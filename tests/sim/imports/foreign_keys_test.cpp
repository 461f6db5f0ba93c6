#include "sim/imports/foreign_keys.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"

namespace nocturne::foreign_keys_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

constexpr ForeignKey table[]{
    {"size", "8"},
    {"depth", "4", {}, {}, "--buffer-flits"},
    {"speedup", "1.0", "1|-1", "one flit a cycle here"},
    {"verbose", "0", "*", "what is printed"},
};

CommandDraft draft_of(const ForeignValues& values)
{
    return {"a test", "BookSim2", "x.cfg", table, values};
}

} // namespace

TEST_CASE("each key of a table is carried, without effect, or not carried", "[imports]")
{
    CommandDraft draft = draft_of({{"size", "4"}, {"size", "6"}, {"speedup", "2"}, {"verbose", "7"}});
    draft.add_word("traffic");
    CHECK(draft.count("size") == 6); // the last one counts
    draft.carry({"size"}, "mesh:6x6");
    const ImportedCommand imported = draft.finish();
    CHECK(imported.arguments == std::vector<std::string>{"traffic", "--buffer-flits", "4"});
    CHECK(key_of(imported, "size").fate == key_carried);
    CHECK(key_of(imported, "size").is_given);
    CHECK(key_of(imported, "depth").fate == key_carried);
    CHECK_FALSE(key_of(imported, "depth").is_given);
    CHECK(key_of(imported, "speedup").fate == key_not_carried);
    CHECK(key_of(imported, "speedup").remark == "one flit a cycle here");
    CHECK(key_of(imported, "verbose").fate == key_without_effect);
}

TEST_CASE("a value that needs no option here has no effect, however it is written", "[imports]")
{
    const std::string value = GENERATE(as<std::string>(), "1", "1.0", "-1", "1e0");
    CommandDraft draft = draft_of({{"speedup", value}});
    draft.carry({"size"}, "mesh:8x8");
    CHECK(key_of(draft.finish(), "speedup").fate == key_without_effect);
}

TEST_CASE("a key that nobody decides is an error of the program", "[imports]")
{
    CommandDraft draft = draft_of({});
    CHECK_THROWS_AS(draft.finish(), std::logic_error);
}

TEST_CASE("wrong keys and values are refused with their name", "[imports]")
{
    CHECK_THAT(refusal_of([] { draft_of({{"sise", "4"}}); }),
               Contains("x.cfg: unknown key 'sise': did you mean 'size'?"));
    CHECK_THAT(refusal_of([] { draft_of({{"quux", "4"}}); }), Contains("BookSim2 has none like it"));
    for (const char* value : {"-1", "x", "", "1.5", "99999999999999999999"})
        CHECK_THAT(refusal_of([&] { return draft_of({{"size", value}}).count("size"); }),
                   Contains("x.cfg: size = "));
    CHECK_THAT(refusal_of([] { return draft_of({{"size", "0"}}).count("size", 1, 9); }),
               Contains("size = 0: a whole number from 1 to 9"));
    CHECK_THAT(refusal_of([] { return draft_of({{"size", "nan"}}).number("size"); }), Contains("size = nan"));
}

} // namespace nocturne::foreign_keys_test
