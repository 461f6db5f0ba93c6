#include "sim/cli/near_network.hpp"

#include "models/text/number.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/cli/file_kind.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace nocturne::cli {

namespace {

std::optional<unsigned> count_of(std::string_view text)
{
    return text.size() > 4 ? std::nullopt : number_of<unsigned>(text);
}

/// BookSim's `topology=mesh k=8 n=2`; empty for other arguments.
std::string booksim_network(const std::vector<std::string>& arguments)
{
    const auto radix = count_of(value_of(arguments, "k")), dimensions = count_of(value_of(arguments, "n"));
    if (!radix || !dimensions || *dimensions == 0 || *dimensions > 4)
        return {};
    std::vector<std::string> words = arguments;
    std::ranges::replace(words, "topology=torus", "--topology=torus");
    const std::string kind = value_of(words, "topology") == "torus" ? "torus" : "mesh";
    return fmt::format("{}:{}", kind, fmt::join(std::vector(*dimensions, *radix), "x"));
}

/// The machine of `8 gpus` or `32 ranks`; empty for a number that no named machine has.
std::string machine_of(const std::vector<std::string>& arguments)
{
    constexpr std::array units{"gpu", "gpus", "ranks", "nodes", "accelerators"};
    constexpr unsigned of_a_box = 8;
    for (std::size_t i = 1; i < arguments.size(); ++i)
        if (const auto count = count_of(arguments[i - 1]);
            count && std::ranges::find(units, boost::to_lower_copy(arguments[i])) != units.end()) {
            if (*count == of_a_box)
                return "dgx_h100";
            if (*count > of_a_box && *count % of_a_box == 0)
                return fmt::format("rail:{},{}", *count / of_a_box, of_a_box);
        }
    return {};
}

bool is_number(std::string_view word)
{
    return word.find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace

bool is_file_name(std::string_view text)
{
    std::error_code none;
    return std::filesystem::is_regular_file(text, none);
}

std::optional<std::string> first_of(const std::vector<std::string>& arguments,
                                    bool (*is_one)(std::string_view))
{
    const auto found = std::ranges::find_if(arguments, is_one);
    return found == arguments.end() ? std::nullopt : std::optional(*found);
}

std::string value_of(const std::vector<std::string>& arguments, std::string_view name)
{
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string word =
            arguments[i].substr(std::min(arguments[i].find_first_not_of('-'), arguments[i].size()));
        if (word == name && arguments[i].starts_with('-') && i + 1 < arguments.size())
            return arguments[i + 1];
        if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
            return word.substr(name.size() + 1);
    }
    return {};
}

std::string near_network(const std::vector<std::string>& arguments)
{
    std::string near;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (is_specification(arguments[i]))
            return arguments[i];
        if (!near.empty())
            continue;
        if (const auto meant = meant_specifications(arguments[i]); !meant.empty() && !is_number(arguments[i]))
            near = meant.front();
        for (const char* between : {"x", ","}) {
            std::string joined = arguments[i];
            for (std::size_t j = i + 1; j < std::min(i + 4, arguments.size()); ++j) {
                joined += (j == i + 1 ? ":" : between) + arguments[j];
                const bool is_size = !is_number(arguments[i]) &&
                                     arguments[j].find_first_not_of("0123456789x,") == std::string::npos;
                if (const auto meant = meant_specifications(joined); is_size && !meant.empty())
                    near = meant.front();
            }
        }
    }
    return near;
}

std::string network_in(const std::vector<std::string>& arguments, std::string_view otherwise)
{
    if (const auto file = first_of(arguments, is_file_name);
        file && kind_of_file(*file) == FileKind::topology)
        return *file;
    for (const std::string& found :
         {booksim_network(arguments), machine_of(arguments), near_network(arguments)})
        if (!found.empty())
            return found;
    return std::string(otherwise);
}

} // namespace nocturne::cli
