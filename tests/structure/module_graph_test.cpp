// The picture and the list of the modules in docs/developing.md are those of the include rules.
#include "tests/catch.hpp"
#include "tests/structure/module_graph.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace nocturne::module_graph_test {

using namespace nocturne::structure;

namespace {

const std::filesystem::path docs = std::filesystem::path(NOCTURNE_SOURCE_DIR) / "docs";

std::string content_of(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::ptrdiff_t count(const std::string& text, const std::string& pattern)
{
    const std::regex expression(pattern);
    return std::distance(std::sregex_iterator(text.begin(), text.end(), expression), std::sregex_iterator());
}

} // namespace

TEST_CASE("the graph of the modules has every permission, and says where a path is none", "[structure]")
{
    const std::vector<Room> rooms{
        {"a", {}}, {"b", {"a"}}, {"c", {"a", "b"}}, {"d", {"c"}}, {"e", {"d", "c", "b"}, true}};
    const std::string graph = module_graph(rooms);
    for (const char* arrow : {R"("b" -> "a";)", R"("c" -> "b";)", R"("d" -> "c";)", R"("e" -> "d";)"})
        CHECK(graph.find(arrow) != std::string::npos);
    for (const char* arrow :
         {R"("d" -> "a" [style=dotted)", R"("d" -> "b" [style=dotted)", R"("e" -> "a" [style=dotted)"})
        CHECK(graph.find(arrow) != std::string::npos);
    CHECK(count(graph, "->") == 7);
    CHECK(count(graph, "peripheries=2") == 1);
}

TEST_CASE("every room stands in the table after the rooms that it may include", "[structure]")
{
    std::vector<std::string_view> before;
    for (const Room& room : rooms()) {
        for (const std::string_view other : room.may_include) {
            INFO(room.name << " may include " << other);
            CHECK(std::find(before.begin(), before.end(), other) != before.end());
        }
        before.push_back(room.name);
    }
}

TEST_CASE("the picture of the modules in the documentation is that of the include rules", "[structure]")
{
    const std::string graph = module_graph(rooms());
    if (content_of(docs / "modules.dot") != graph) {
        std::ofstream("modules.dot") << graph;
        FAIL_CHECK("docs/modules.dot is not what the table says; to draw it again:\n  cp "
                   << std::filesystem::absolute("modules.dot").string()
                   << " docs/ && dot -Tsvg docs/modules.dot -o docs/modules.svg");
    }
    // The picture is drawn from the graph: as many boxes and arrows, and each arrow is there.
    const std::string picture = content_of(docs / "modules.svg");
    const std::regex arrow("\"([a-z/]+)\" -> \"([a-z/]+)\"");
    for (std::sregex_iterator found(graph.begin(), graph.end(), arrow); found != std::sregex_iterator();
         ++found) {
        const std::string title = "<title>" + found->str(1) + "&#45;&gt;" + found->str(2) + "</title>";
        INFO("docs/modules.svg: " << title);
        CHECK(picture.find(title) != std::string::npos);
    }
    CHECK(count(picture, "class=\"edge\"") == count(graph, " -> "));
    CHECK(count(picture, "class=\"node\"") == static_cast<std::ptrdiff_t>(rooms().size()));
}

TEST_CASE("the documentation lists every module", "[structure]")
{
    const std::string page = content_of(docs / "developing.md");
    for (const Room& room : rooms()) {
        INFO("docs/developing.md: " << room.name);
        CHECK(page.find("\n| " + std::string(room.name) + " |") != std::string::npos);
    }
    const std::regex row("\n\\| ([a-z]+/[a-z/]+) \\|");
    for (std::sregex_iterator found(page.begin(), page.end(), row); found != std::sregex_iterator();
         ++found) {
        INFO("docs/developing.md: " << found->str(1));
        CHECK(std::filesystem::is_directory(docs / ".." / found->str(1)));
    }
}

} // namespace nocturne::module_graph_test
