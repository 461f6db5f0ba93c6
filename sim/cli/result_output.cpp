#include "sim/cli/result_output.hpp"

#include "models/text/json_text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/origin_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

namespace nocturne::cli {

nlohmann::ordered_json with_origin(const ResultDescription& kind, const nlohmann::ordered_json& fields,
                                   const OptionValues& given)
{
    nlohmann::ordered_json document{{"result", kind.name}};
    document.update(in_order(kind, fields));
    document["made_by"] = to_json(origin_of(given));
    return document;
}

void print_json(const nlohmann::ordered_json& document)
{
    std::cout << json_text(document, 2) << '\n';
}

void print_below(const Table& table)
{
    print_text(std::cout << '\n', table);
}

void print_figures(const ResultDescription& kind, const nlohmann::ordered_json& fields)
{
    const std::vector<Figure> figures = figures_of(kind, fields);
    std::size_t width = 0;
    for (const Figure& figure : figures)
        width = std::max(width, figure.name.size());
    for (const auto& [name, value] : figures)
        std::cout << fmt::format("{:<{}}  {}\n", name, width, value);
    std::cout.flush();
}

std::vector<const ResultDescription*> all_results()
{
    static constexpr std::string_view first = // between bars; the others stand as their commands do
        "|topology|network kinds|design|bound|schedule|front|audit|reschedule|faults|chunk "
        "faults|collectives at once|evolve|evolution history|certify|validate|validate "
        "program|replay|compare|";
    std::vector<const ResultDescription*> all;
    for (const Command& command : commands())
        for (const auto describe : command.results)
            all.push_back(&describe());
    std::ranges::stable_sort(all, {}, [](const ResultDescription* result) {
        return first.find(fmt::format("|{}|", result->name));
    });
    return all;
}

const ResultDescription* find_result(std::string_view name)
{
    const auto all = all_results();
    const auto found = std::ranges::find(all, name, &ResultDescription::name);
    return found == all.end() ? nullptr : *found;
}

} // namespace nocturne::cli
