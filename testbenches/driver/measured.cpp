#include "testbenches/driver/measured.hpp"

#include "models/text/json_text.hpp"
#include "schedules/workers/workers.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne::testbench {
namespace {

nlohmann::ordered_json json_of(const Measured& measured)
{
    nlohmann::ordered_json tables = nlohmann::ordered_json::object();
    for (const auto& [name, table] : measured.tables)
        tables[name] = csv_of(table);
    nlohmann::ordered_json files = nlohmann::ordered_json::object();
    for (const auto& [name, text] : measured.files)
        files[name] = text;
    return {{"tables", tables}, {"failed", measured.failed}, {"files", files}};
}

} // namespace

std::vector<std::string> chosen(const nlohmann::json& settings, const std::string& names)
{
    const auto only = settings.at("only").get<std::string>();
    std::vector<std::string> found;
    for (const nlohmann::json& name : settings.at(names))
        if (name.get<std::string>().find(only) != std::string::npos)
            found.push_back(name);
    if (found.empty())
        throw std::invalid_argument(fmt::format("--only {}: none of the {} has this", only, names));
    return found;
}

std::string text_in(const nlohmann::json& row, const char* column)
{
    return row.at(column).get<std::string>();
}

int run(int argc, char* argv[], std::string_view name,
        const std::function<Measured(const nlohmann::json& settings)>& measure)
{
    try {
        if (argc != 2)
            throw std::invalid_argument("the driver of the testbenches runs this: see ./run help");
        fmt::print("{}\n", json_text(json_of(measure(json_from_text(argv[1])))));
        return 0;
    } catch (const Interrupted& interrupted) {
        fmt::print(stderr, "{}: {}\n", name, interrupted.what());
        return interrupted.exit_status();
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", name, error.what());
        return 2;
    }
}

} // namespace nocturne::testbench
