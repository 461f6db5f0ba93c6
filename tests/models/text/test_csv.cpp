#include "models/text/csv.hpp"
#include "tests/catch.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::csv_test {

using Catch::Contains;
using Fields = std::vector<std::string>;

TEST_CASE("what is written as fields is read again", "[text][csv]")
{
    const Fields fields{"",           "plain",        "0,10",     "\"", "a \"b\", c",
                        "two\nlines", "two\r\nlines", " blanks ", "#3"};
    std::string record = csv_quoted(fields.front());
    for (std::size_t i = 1; i < fields.size(); ++i)
        record += ',' + csv_quoted(fields[i]);
    CHECK(csv_fields(record) == fields);
    CHECK(csv_quoted("0 10") == "0 10");
    CHECK(csv_quoted("0,\"10") == "\"0,\"\"10\"");
}

TEST_CASE("records are taken off a text one by one", "[text][csv]")
{
    const std::string end_of_line = GENERATE("\n", "\r\n");
    const std::string text =
        "a,b" + end_of_line + "\"x,\"\"y\"\"\nz\" , \"\"" + end_of_line + end_of_line + "5\" disk,";
    std::string_view rest = text;
    CHECK(take_csv_record(rest) == Fields{"a", "b"});
    CHECK(take_csv_record(rest) == Fields{"x,\"y\"\nz", ""});
    CHECK(take_csv_record(rest) == Fields{""});
    CHECK(take_csv_record(rest) == Fields{"5\" disk", ""});
    CHECK(rest.empty());
}

TEST_CASE("what is wrong about quotes is said", "[text][csv]")
{
    CHECK_THROWS_WITH(csv_fields("a,\"b"), Contains("a double quote without its end"));
    CHECK_THROWS_WITH(csv_fields("a,\"b\"\""), Contains("a double quote without its end"));
    CHECK_THROWS_WITH(csv_fields("\"a\" b,c"), Contains("text after the closing double quote of a field"));
}

} // namespace nocturne::csv_test
