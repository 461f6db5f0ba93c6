// What commands print and write, row by row; transcripts/schedules.txt says how the rows are read.
#include "tests/catch.hpp"
#include "tests/sim/cli/command_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace nocturne::transcripts_test {

using namespace nocturne::test;
using nlohmann::json;

namespace {

using Texts = std::vector<std::string>;

Texts split(const std::string& text, char separator)
{
    Texts parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
}

/// What the parts of a pointer from `at` on lead to; discarded where nothing is.
void add_values(const json& from, const Texts& parts, std::size_t at, std::vector<json>& found)
{
    if (at == parts.size()) {
        found.push_back(from);
    } else if (parts[at] == "*") {
        for (const json& each : from)
            add_values(each, parts, at + 1, found);
    } else if (from.is_object() && from.contains(parts[at])) {
        add_values(from.at(parts[at]), parts, at + 1, found);
    } else if (from.is_array() && !from.empty() && parts[at] == "-") {
        add_values(from.back(), parts, at + 1, found);
    } else if (from.is_array() && std::isdigit(parts[at][0]) != 0 && std::stoul(parts[at]) < from.size()) {
        add_values(from.at(std::stoul(parts[at])), parts, at + 1, found);
    } else {
        found.emplace_back(json::value_t::discarded);
    }
}

void erase_members(json& of, const Texts& names)
{
    if (of.is_object())
        for (const std::string& name : names)
            of.erase(name);
    for (json& each : of)
        if (each.is_structured())
            erase_members(each, names);
}

/// Its beginning.
std::string shown(const json& value)
{
    return value.dump(-1, ' ', true, json::error_handler_t::replace).substr(0, 300);
}

bool has(const json& value, const std::string& part)
{
    if (value.is_array())
        return std::ranges::any_of(value, [&](const json& each) { return has(each, part); });
    return value.is_string() && value.get<std::string>().find(part) != std::string::npos;
}

bool is_so(const json& left, const std::string& operation, const json& right)
{
    if (operation == "=")
        return left == right;
    if (operation == "!=")
        return left != right;
    REQUIRE((left.is_number() && right.is_number()));
    const double a = left, b = right;
    if (operation[0] == '~')
        return std::abs(a - b) <=
               std::abs(b) * (operation == "~" ? 1e-5 : std::stod(operation.substr(1)) / 100);
    return operation == "<" ? a < b : operation == "<=" ? a <= b : operation == ">" ? a > b : a >= b;
}

/// LEFT OPERATION RIGHT
struct Comparison {
    std::string left, operation, right;
};

/// Nothing if the check is of text.
std::optional<Comparison> comparison_in(const std::string& check)
{
    static const std::set<std::string> operations{"=",  "!=",  "<",      "<=", ">",
                                                  ">=", "has", "begins", "is", "absent"};
    if (check.find_first_of("/#@") != 0 && !check.starts_with("out "))
        return std::nullopt;
    std::istringstream words(check);
    Comparison comparison;
    for (std::string word; words >> word; comparison.left += (comparison.left.empty() ? "" : " ") + word)
        if (operations.contains(word) || word[0] == '~') {
            comparison.operation = word;
            std::getline(words >> std::ws, comparison.right);
            return comparison;
        }
    FAIL("no operation in " << check);
    return std::nullopt;
}

/// With what was chosen for $1, $2 ...
std::string with_choices(std::string text, const Texts& chosen)
{
    for (std::size_t i = 0; i < chosen.size(); ++i)
        for (std::size_t at = 0; (at = text.find("$" + std::to_string(i + 1))) != text.npos;)
            text.replace(at, 2, chosen[i]);
    return text;
}

/// Of a check that is no comparison.
bool is_of_output(const std::string& check)
{
    constexpr std::array others{"exit ", "err ", "silent", "without "};
    return std::ranges::none_of(others, [&](const char* begin) { return check.starts_with(begin); });
}

class Transcript {
public:
    /// A row `COMMAND | CHECK ...`, or `@NAME COMMAND | CHECK ...`, whose result other rows call @NAME.
    void check(const Row& row, const TemporaryFolder& folder)
    {
        folder_ = &folder;
        std::string command = row.cells[0], name;
        if (command[0] == '@') {
            name = command.substr(0, command.find(' '));
            command.erase(0, name.size() + 1);
        }
        if (const std::size_t file = command.find(" <<< "); file != command.npos) {
            write_file(folder, command.substr(file + 5));
            command.erase(file);
        }
        for (const ChosenCommand& choice : choices_of(command)) {
            Texts checks(row.cells.begin() + 1, row.cells.end());
            std::ranges::transform(checks, checks.begin(), [&](const std::string& check) {
                return with_choices(check, choice.chosen);
            });
            const std::string words = with_choices(choice.words, choice.chosen);
            INFO(words);
            check_command(words, checks, !name.empty());
        }
        if (!name.empty())
            kept_[name] = result_.is_null() ? json(out_) : result_;
    }

private:
    void check_command(const std::string& command, const Texts& checks, bool is_kept)
    {
        bool is_json = false, is_text = false;
        for (const std::string& check : checks)
            if (const auto comparison = comparison_in(check)) {
                is_text |= comparison->left == "out";
                is_json |= check.find_first_of("/#") == 0 || comparison->right.starts_with("/");
            } else {
                is_text |= is_of_output(check);
            }
        is_json |= is_kept && !is_text;
        result_ = nullptr;
        if (is_text || !is_json)
            out_ = run(command, checks).out;
        if (is_json) {
            const bool says_so = command.find(" --json") != command.npos;
            result_ = json::parse(run(command + (says_so ? "" : " --json"), checks).out, nullptr, false);
            REQUIRE(result_.is_object());
        }
        for (const std::string& check : checks) {
            INFO(check);
            if (const auto comparison = comparison_in(check))
                check_value(*comparison);
            else
                check_text(check);
        }
    }

    /// Checks status, standard error, and that what is new in the folder is named in the command.
    Outcome run(const std::string& command, const Texts& checks) const
    {
        const Texts before = folder_->names();
        Outcome outcome = run_words(command, *folder_ / "");
        INFO(outcome.err);
        int status = 0;
        std::string expected = without_remarks(outcome.err);
        for (const std::string& check : checks)
            if (check.starts_with("exit ")) {
                status = std::stoi(check.substr(5));
            } else if (check == "silent") {
                expected = outcome.err;
            } else if (check.starts_with("err ")) {
                expected.clear();
                const bool is_not = check[4] == '!';
                CHECK((outcome.err.find(unescaped(check.substr(is_not ? 5 : 4))) == std::string::npos) ==
                      is_not);
            }
        CHECK(outcome.status == status);
        CHECK(expected.empty());
        for (const std::string& name : folder_->names())
            CHECK((std::ranges::find(before, name) != before.end() || command.find(name) != command.npos));
        return outcome;
    }

    void check_text(const std::string& check) const
    {
        if (check.starts_with("without "))
            CHECK_FALSE(std::filesystem::exists(*folder_ / check.substr(8)));
        if (!is_of_output(check))
            return;
        const std::string rest = unescaped(check.substr(1));
        if (check.starts_with("says "))
            CHECK(says(out_, check.substr(5, check.find(": ") - 5), check.substr(check.find(": ") + 2)));
        else if (check[0] == '^')
            CHECK_THAT(out_, Catch::StartsWith(rest));
        else if (check[0] == '!')
            CHECK_THAT(out_, !Catch::Contains(rest));
        else
            CHECK_THAT(out_, Catch::Contains(unescaped(check)));
    }

    void check_value(const Comparison& comparison) const
    {
        const auto& [left, operation, right] = comparison;
        const std::size_t but = right.find(" but ");
        const Texts without = but == right.npos ? Texts{} : split(right.substr(but + 5), ',');
        std::vector<json> expected;
        if (operation != "has" && operation != "begins" && operation != "is" && operation != "absent")
            expected = values_of(right.substr(0, but));
        const std::vector<json> values = values_of(left);
        CHECK_FALSE(values.empty());
        for (std::size_t i = 0; i < values.size(); ++i) {
            json value = values[i];
            INFO(shown(value));
            REQUIRE(value.is_discarded() == (operation == "absent"));
            if (operation == "has") {
                CHECK(has(value, unescaped(right)));
            } else if (operation == "begins") {
                CHECK_THAT(value.get<std::string>(), Catch::StartsWith(unescaped(right)));
            } else if (operation == "is") {
                CHECK(value.type_name() == right);
            } else if (operation != "absent") {
                json other = expected.at(expected.size() == 1 ? 0 : i);
                INFO(shown(other));
                erase_members(value, without);
                erase_members(other, without);
                CHECK(is_so(value, operation, other));
            }
        }
    }

    /// Sums, products and means of values; JSON.
    std::vector<json> values_of(const std::string& text) const
    {
        if (text.find_first_of("/#@") != 0 && json::accept(text))
            return {json::parse(text)};
        if (const std::size_t plus = text.find(" + "); plus != text.npos)
            return {json(number(text.substr(0, plus)) + number(text.substr(plus + 3)))};
        if (const std::size_t times = text.find(" * "); times != text.npos)
            return {json(number(text.substr(0, times)) * number(text.substr(times + 3)))};
        if (text.starts_with("mean ")) {
            const std::vector<json> all = values_of(text.substr(5));
            double sum = 0;
            for (const json& each : all)
                sum += each.get<double>();
            return {json(sum / static_cast<double>(all.size()))};
        }
        if (text == "out")
            return {json(out_)};
        if (text[0] == '#')
            return {json(values_at(text.substr(1)).at(0).size())};
        return values_at(text);
    }

    double number(const std::string& text) const { return values_of(text).at(0).get<double>(); }

    /// /POINTER in the result, @NAME/POINTER in the result of another row, @FILE/POINTER in a file.
    std::vector<json> values_at(const std::string& place) const
    {
        const Texts parts = split(place, '/');
        std::size_t at = 1;
        json from = result_;
        if (place[0] == '@') {
            if (const auto kept = kept_.find(parts[0]); kept != kept_.end()) {
                from = kept->second;
            } else {
                std::string file = parts[0].substr(1);
                for (; file.find('.') == file.npos; ++at)
                    file += "/" + parts.at(at);
                from = in_file(file);
            }
        }
        std::vector<json> found;
        add_values(from, parts, at, found);
        return found;
    }

    /// JSON as that, of tables the lines, of others the text.
    json in_file(const std::string& name) const
    {
        const std::string text = content_of(*folder_ / name);
        return name.ends_with(".json")  ? json::parse(text)
               : name.ends_with(".csv") ? json(split(text, '\n'))
                                        : json(text);
    }

    const TemporaryFolder* folder_ = nullptr;
    std::map<std::string, json> kept_; ///< by @NAME
    std::string out_;                  ///< without --json
    json result_;                      ///< with --json
};

void check_all(const std::string& table)
{
    Transcript transcript;
    for_each_command("sim/cli/transcripts/" + table, 0, 1,
                     [&](const Row& row, const TemporaryFolder& folder) { transcript.check(row, folder); });
}

} // namespace

TEST_CASE("commands on networks print and write what is documented", "[cli][transcripts]")
{
    check_all("networks.txt");
}

TEST_CASE("commands on schedules print and write what is documented", "[cli][transcripts]")
{
    check_all("schedules.txt");
}

TEST_CASE("commands on schedules of chunks print and write what is documented", "[cli][transcripts]")
{
    check_all("chunks.txt");
}

TEST_CASE("commands on clusters of GPUs print and write what is documented", "[cli][transcripts]")
{
    check_all("clusters.txt");
}

TEST_CASE("replay, compare and recover print and write what is documented", "[cli][transcripts]")
{
    check_all("replay.txt");
}

TEST_CASE("traffic prints and writes what is documented", "[cli][transcripts]")
{
    check_all("traffic.txt");
}

TEST_CASE("traffic prints and writes what is documented of packets, classes and traces", "[cli][transcripts]")
{
    check_all("packets.txt");
}

} // namespace nocturne::transcripts_test
