#include "models/topology/topology_files.hpp"

#include "models/text/foreign_configuration.hpp"
#include "models/text/utf8.hpp"
#include "models/topology/anynet_format.hpp"
#include "models/topology/composition.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/files.hpp"
#include "models/topology/floogen_format.hpp"
#include "models/topology/graphml_format.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace nocturne {

namespace {

/// A composition contains files, which may be compositions: deeper than that it contains itself.
constexpr unsigned most_levels = 16;

Topology load_at_level(const std::filesystem::path& path, unsigned level);

/// Of a topology or, as its member "format" says, a composition.
Topology topology_of_json_file(std::string_view text, const std::filesystem::path& path, unsigned level);

struct Format {
    std::string_view extension;
    Topology (*read)(std::string_view text, std::string_view origin); ///< null: topology_of_json_file()
};

constexpr std::array file_formats{Format{".json", nullptr},
                                  Format{".dot", topology_from_dot},
                                  Format{".gv", topology_from_dot},
                                  Format{".graphml", topology_from_graphml},
                                  Format{".anynet", topology_from_anynet},
                                  Format{".yml", topology_from_floogen},
                                  Format{".yaml", topology_from_floogen}};

const Format* with_extension(std::string_view extension)
{
    const auto found = std::ranges::find(file_formats, extension, &Format::extension);
    return found == file_formats.end() ? nullptr : &*found;
}

const Format* format_of(const std::filesystem::path& path)
{
    return with_extension(path.extension().string());
}

bool starts_with_word(std::string_view text, std::string_view word)
{
    return boost::algorithm::istarts_with(text, word) &&
           (text.size() == word.size() || std::isalnum(static_cast<unsigned char>(text[word.size()])) == 0);
}

/// What a file whose name says nothing must be, by how it begins; null if it is none of them.
const Format* format_by_content(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const auto begins_with_one_of = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::any_of(words,
                                   [&](std::string_view word) { return starts_with_word(text, word); });
    };
    if (text.starts_with('{'))
        return with_extension(".json");
    if (text.starts_with('<'))
        return with_extension(".graphml");
    if (begins_with_one_of({"graph", "digraph", "strict"}) || text.starts_with("//") ||
        text.starts_with("/*"))
        return with_extension(".dot");
    if (text.starts_with("name:") || text.find("\nrouters:") != text.npos)
        return with_extension(".yml");
    const std::string_view behind_word = text.substr(std::min(text.find_first_of(" \t,"), text.size()));
    return begins_with_one_of({"router", "node"}) && !behind_word.starts_with(',') // of CSV
               ? with_extension(".anynet")
               : nullptr;
}

/// `graph [`, behind comments and a line that says who made it.
bool is_gml(std::string_view text)
{
    while (!text.empty()) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
        if (!text.starts_with('#') && !starts_with_word(text, "creator") &&
            !starts_with_word(text, "version"))
            break;
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
    if (!starts_with_word(text, "graph"))
        return false;
    text.remove_prefix(std::string_view("graph").size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text.starts_with('[');
}

/// A name with an ending or a folder, which no specification has, is one of a file, which may be missing.
bool is_file(std::string_view text, const std::filesystem::path& path)
{
    if (format_of(text) != nullptr)
        return true;
    if (names_topology_kind(text))
        return false;
    std::error_code error;
    const std::string ending = std::filesystem::path(text).extension().string();
    const bool has_ending = ending.size() > 1 && std::isalpha(static_cast<unsigned char>(ending[1])) != 0;
    return has_ending || text.find('/') != std::string_view::npos ||
           std::filesystem::is_regular_file(path, error);
}

Topology topology_of_json_file(std::string_view text, const std::filesystem::path& path, unsigned level)
{
    const std::string origin = path.string();
    const nlohmann::json document = parse_json(text, origin);
    if (!document.is_object() || document.value("format", nlohmann::json()) != composition_format)
        return topology_from_document(document, origin);
    const JsonPlace root(document, origin);
    if (level == most_levels)
        root.fail(fmt::format("compositions in compositions, more than {} deep", most_levels));
    return compose(root, [&](std::string_view network) {
        const std::filesystem::path file = path.parent_path() / network;
        return is_file(network, file) ? load_at_level(file, level + 1) : make_topology(network);
    });
}

Topology load_at_level(const std::filesystem::path& path, unsigned level)
{
    const std::string text = read_file(path);
    if (path.extension() == ".gml" || is_gml(text))
        throw std::runtime_error(fmt::format("{}: GML is not read; GraphML is, which networkx makes of it "
                                             "(write_graphml(read_gml(...), ...))",
                                             path.string()));
    const Format* format = format_of(path);
    if (const std::string hint = import_hint(path.string(), text); !hint.empty())
        throw std::runtime_error(hint);
    if (format == nullptr)
        format = format_by_content(text);
    if (format == nullptr) {
        std::vector<std::string_view> known;
        for (const Format& each : file_formats)
            known.push_back(each.extension);
        throw std::runtime_error(
            fmt::format("{}: not a topology file: unknown extension and content; extensions are {}",
                        path.string(), fmt::join(known, ", ")));
    }
    require_utf8(text, path.string());
    if (format->read == nullptr)
        return topology_of_json_file(text, path, level);
    return format->read(text, path.string());
}

} // namespace

Topology load_topology(const std::filesystem::path& path)
{
    return load_at_level(path, 1);
}

bool is_topology_text(const std::filesystem::path& path, std::string_view begin)
{
    const Format* const named = format_of(path);
    if (named != nullptr)
        return named->read != nullptr;
    const Format* const seen = format_by_content(begin);
    const bool is_other_xml = seen == with_extension(".graphml") && begin.find("<graphml") == begin.npos;
    return seen != nullptr && seen->read != nullptr && !is_other_xml;
}

Topology without_parts(const Topology& topology, std::string_view parts)
{
    std::vector<std::string> faults;
    for (std::size_t comma = parts.find(", "); comma != std::string_view::npos; comma = parts.find(", ")) {
        faults.emplace_back(parts.substr(0, comma));
        parts.remove_prefix(comma + 2);
    }
    faults.emplace_back(parts);
    return with_faults(topology, faults);
}

Topology topology_from(std::string_view spec_or_file)
{
    std::error_code missing; // a file may be called so
    if (const std::size_t end = spec_or_file.find(without_word);
        end != std::string_view::npos && !std::filesystem::exists(spec_or_file, missing))
        return without_parts(topology_from(spec_or_file.substr(0, end)),
                             spec_or_file.substr(end + without_word.size()));
    return is_file(spec_or_file, spec_or_file) ? load_topology(spec_or_file) : make_topology(spec_or_file);
}

} // namespace nocturne
