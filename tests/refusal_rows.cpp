#include "tests/catch.hpp"
#include "tests/rows.hpp"

#include <exception>
#include <set>

namespace nocturne::test {

void check_refusals(const std::string& path,
                    const std::map<std::string, std::function<void(const std::string&)>>& readers)
{
    std::set<std::string> read;
    for (const Row& row : rows_of(path)) {
        INFO(row.place << ": " << row.cells[0]);
        REQUIRE(readers.contains(row.group));
        read.insert(row.group);
        std::string refusal;
        try {
            readers.at(row.group)(unescaped(row.cells[0]));
        } catch (const std::exception& error) {
            refusal = error.what();
        }
        CHECK_FALSE(refusal.empty());
        CHECK(refusal.find('\n') == refusal.npos);
        if (row.group.find('.') != row.group.npos)
            CHECK_THAT(refusal, Catch::StartsWith(row.group + ":"));
        for (std::size_t part = 1; part < row.cells.size(); ++part)
            if (row.cells[part].starts_with('='))
                CHECK(refusal == row.cells[part].substr(1));
            else if (row.cells[part].starts_with('^'))
                CHECK_THAT(refusal, Catch::StartsWith(row.cells[part].substr(1)));
            else
                CHECK_THAT(refusal, Catch::Contains(row.cells[part]));
    }
    CHECK(read.size() == readers.size());
}

} // namespace nocturne::test
