#include "sim/page/page.hpp"
#include "tests/catch.hpp"

#include <string>

namespace nocturne::page_test {

namespace {

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

} // namespace

TEST_CASE("whatever the data hold, the page has the elements of its template only", "[page]")
{
    const std::string nothing = page_of({{"title", ""}});
    const std::string hostile = page_of(
        {{"title", "</script><script>alert(1)</script><!-- {{data}} {{style}}"}, {"bytes", "\xff\xfe"}});
    CHECK(count(nothing, "</script>") == count(hostile, "</script>"));
    CHECK(count(nothing, "<script") == count(hostile, "<script"));
    CHECK(count(hostile, "<!--") == count(nothing, "<!--"));
    CHECK(count(hostile, R"(\u003c/script>\u003cscript>alert(1))") == 1);
    CHECK(count(hostile, "{{style}}") == 1); // as data
}

TEST_CASE("the page is allowed to ask nothing of anybody, and has the licence of what is in it", "[page]")
{
    const std::string page = page_of({{"title", ""}});
    CHECK(count(page, "default-src 'none'") == 1);
    CHECK(count(page, " src=\"") == 0);
    CHECK(count(page, "<link rel=\"stylesheet\"") == 0);
    CHECK(count(page, "Mike Bostock. All rights reserved.") == 1);
}

} // namespace nocturne::page_test
