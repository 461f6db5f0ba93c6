#include "sim/page/page.hpp"

#include "models/text/json_text.hpp"
#include "sim/page/page_files.hpp"

#include <functional>
#include <stdexcept>
#include <string_view>

namespace nocturne {

namespace {

/// JSON in which no end tag or comment of HTML can stand.
std::string json_in_html(const nlohmann::ordered_json& content)
{
    const std::string json = json_text_replacing(content);
    std::string text;
    text.reserve(json.size() + json.size() / 50);
    for (const char c : json)
        if (c == '<') // in JSON it stands in strings only
            text += "\\u003c";
        else
            text += c;
    return text;
}

std::string all_scripts()
{
    std::string text = "(() => {\n\"use strict\";\n";
    for (const std::string_view name : page_scripts())
        text += page_file(name);
    return text + "})();\n";
}

/// The template with each `{{name}}` replaced.
std::string filled(std::string_view page, const std::function<std::string(std::string_view)>& part)
{
    std::string text;
    for (std::size_t at = 0;;) {
        const std::size_t begin = page.find("{{", at);
        if (begin == std::string_view::npos)
            return text.append(page.substr(at));
        const std::size_t end = page.find("}}", begin);
        text.append(page.substr(at, begin - at));
        text += part(page.substr(begin + 2, end - begin - 2));
        at = end + 2;
    }
}

} // namespace

std::string page_of(const nlohmann::ordered_json& content)
{
    nlohmann::ordered_json data = content;
    data["licences"] = page_file("licences.txt");
    return filled(page_file("page.html"), [&](std::string_view name) -> std::string {
        if (name == "style")
            return std::string(page_file("page.css")).append(page_file("viewer.css"));
        if (name == "d3")
            return std::string(page_file("d3.js"));
        if (name == "scripts")
            return all_scripts();
        if (name == "data")
            return json_in_html(data);
        throw std::logic_error(std::string(name) + ": unknown in the template of the page");
    });
}

} // namespace nocturne
