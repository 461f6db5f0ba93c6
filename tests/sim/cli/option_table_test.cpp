// The rows of all options: what they accept, and what they say of themselves.
#include "sim/cli/command.hpp"
#include "tests/catch.hpp"

#include <set>
#include <string>

namespace nocturne::option_table_test {

using namespace nocturne::cli;

namespace {

std::string refusal(const OptionRow& row, const std::string& text)
{
    try {
        check_value(row, text);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

const OptionRow& row_of(const OptionTable& options, const char* name)
{
    const OptionRow* const row = options.find(name);
    REQUIRE(row != nullptr);
    return *row;
}

} // namespace

TEST_CASE("every option of every command refuses what is no value of it, in one line that names it")
{
    for (const Command& command : commands()) {
        const OptionTable options = options_of(command);
        for (const OptionRow& row : options.rows()) {
            CAPTURE(command.usage.command, row.name);
            CHECK(row.value.takes_value() == !row.value.parameter.empty());
            if (!row.value.takes_value() || row.value.is_name)
                continue;
            for (const char* const garbage : {"nonsense:9", "-", "1x", "\xc3\xa9"}) {
                const std::string text = refusal(row, garbage);
                CHECK(text.starts_with("--" + row.long_name()));
                CHECK(text.find('\n') == std::string::npos);
            }
        }
    }
}

TEST_CASE("every default is a value, and what an option needs exists")
{
    for (const Command& command : commands()) {
        const OptionTable options = options_of(command);
        std::set<std::string> names;
        for (const OptionRow& row : options.rows()) {
            CAPTURE(command.usage.command, row.name);
            CHECK(names.insert(row.long_name()).second);
            CHECK_FALSE(row.help.empty());
            if (row.value.otherwise)
                CHECK(refusal(row, *row.value.otherwise).empty());
            for (const std::string& need : row.needs) {
                const std::size_t equals = need.find('=');
                const OptionRow& needed = row_of(options, need.substr(0, equals).c_str());
                if (equals != std::string::npos)
                    CHECK(refusal(needed, need.substr(equals + 1)).empty());
            }
        }
    }
}

TEST_CASE("an option that writes says so: its help speaks of writing, drawing or keeping")
{
    for (const Command& command : commands()) {
        const OptionTable options = options_of(command);
        for (const OptionRow& row : options.rows()) {
            CAPTURE(command.usage.command, row.name);
            const bool is_file = row.value.parameter == "FILE" || row.value.parameter == "DIR";
            const bool is_read = !row.value.is_repeated && row.value.written == Written::nothing;
            for (const char* const writes : {"write ", "draw ", "keep "})
                if (is_file && row.help.starts_with(writes))
                    CHECK_FALSE(is_read);
        }
    }
}

TEST_CASE("ranges include their ends")
{
    const OptionTable options = option_table("", {{"count", count_value(2, {2, 9}), "a"},
                                                  {"share", real_value("X", 0, {0, 1}), "a"},
                                                  {"length", real_value("X", above_zero), "a"},
                                                  {"time", seconds_value(1), "a"}});
    const auto refuses = [&](const char* name, const char* text) {
        return refusal(row_of(options, name), text);
    };
    CHECK(refuses("count", "2").empty());
    CHECK(refuses("count", "9").empty());
    CHECK(refuses("count", "1") == "--count 1: expected 2 to 9");
    CHECK(refuses("count", "10") == "--count 10: expected 2 to 9");
    CHECK(refuses("count", "-3") == "--count -3: expected 2 to 9");
    CHECK(refuses("count", "99999999999999999999") == "--count 99999999999999999999: expected 2 to 9");
    CHECK(refuses("count", " 3") == "--count  3: expected 2 to 9");
    CHECK(refuses("share", "1").empty());
    CHECK(refuses("share", "1.01") == "--share 1.01: expected 0 to 1");
    CHECK(refuses("share", "nan") == "--share nan: expected 0 to 1");
    CHECK(refuses("length", "1e-9").empty());
    CHECK(refuses("length", "0") == "--length 0: expected more than 0");
    CHECK(refuses("length", "inf") == "--length inf: expected more than 0");
    CHECK(refuses("time", "0") == "--time 0: expected seconds, more than 0 and at most 10000000");
}

TEST_CASE("the help of an option names all values that it may have", "[cli][options]")
{
    for (const Command& command : commands())
        for (const OptionTable options = options_of(command); const OptionRow& row : options.rows())
            for (const std::string& choice : row.value.choices) {
                CAPTURE(command.usage.command, row.name);
                CHECK_THAT(row.help, Catch::Contains(choice));
            }
}

} // namespace nocturne::option_table_test
