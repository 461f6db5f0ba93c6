// What configurations of other simulators become: the rows of commands.txt.
#include "sim/imports/simulators.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"
#include "tests/sim/imports/readers.hpp"

#include <set>
#include <span>

namespace nocturne::import_commands_test {

using namespace nocturne::test;

namespace {

/// What the fact says behind those words; nothing if it begins otherwise.
std::optional<std::string> behind(const std::string& fact, const std::string& words)
{
    return fact.starts_with(words + ' ') ? std::optional(fact.substr(words.size() + 1)) : std::nullopt;
}

void check_fact(const ImportedCommand& imported, const std::string& fact)
{
    INFO(fact);
    const auto key_and_text = [](const std::string& rest) {
        const std::size_t space = rest.find(' ');
        return std::pair(rest.substr(0, space), rest.substr(space + 1));
    };
    if (const auto word = behind(fact, "command")) {
        CHECK(imported.arguments.at(0) == *word);
    } else if (const auto network = behind(fact, "network")) {
        CHECK(imported.arguments.at(1) == *network);
    } else if (fact == "no file") {
        CHECK(imported.network.empty());
    } else if (const auto lost = behind(fact, "not carried")) {
        const ImportedKey& key = key_of(imported, *lost);
        CHECK(key.fate == key_not_carried);
        CHECK_FALSE(key.remark.empty());
        CHECK(key.here.empty());
    } else if (const auto idle = behind(fact, "without effect")) {
        CHECK(key_of(imported, *idle).fate == key_without_effect);
    } else if (const auto left_out = behind(fact, "left out")) {
        CHECK_FALSE(key_of(imported, *left_out).is_given);
    } else if (const auto here = behind(fact, "here")) {
        const auto [key, option] = key_and_text(*here);
        CHECK(key_of(imported, key).here == option);
    } else if (const auto remark = behind(fact, "remark")) {
        const auto [key, part] = key_and_text(*remark);
        CHECK_THAT(key_of(imported, key).remark, Catch::Contains(part));
    } else {
        REQUIRE(fact.starts_with("--"));
        const auto [option, value] = key_and_text(fact);
        CHECK(value_of(imported, option) == value);
    }
}

} // namespace

TEST_CASE("configurations of other simulators become commands", "[imports]")
{
    const std::map<std::string, ImportedCommand (*)(const std::string&)> readers{
        {"BookSim2", import_booksim_row}, {"Noxim", import_noxim_row}, {"Garnet", import_garnet_row}};
    for (const Row& row : rows_of("sim/imports/commands.txt")) {
        INFO(row.place << ": " << row.cells[0]);
        REQUIRE(row.cells.size() > 1);
        const ImportedCommand imported = readers.at(row.group)(row.cells[0]);
        for (std::size_t fact = 1; fact < row.cells.size(); ++fact)
            check_fact(imported, row.cells[fact]);
    }
}

TEST_CASE("each key of another simulator is in its table once", "[imports]")
{
    for (const std::span<const ForeignKey> table :
         {booksim_keys(), noxim_keys(), garnet_options(), astra_keys()}) {
        std::set<std::string_view> names;
        for (const ForeignKey& row : table) {
            INFO(row.name);
            CHECK(names.insert(row.name).second);
        }
    }
    CHECK(booksim_keys().size() > 100);
}

} // namespace nocturne::import_commands_test
