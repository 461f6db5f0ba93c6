#include "models/topology/topology_files.hpp"

#include "models/topology/anynet_format.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/files.hpp"
#include "models/topology/graphml_format.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/specification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace nocturne {

namespace {

struct Format {
    std::string_view extension;
    Topology (*read)(std::string_view text, std::string_view origin);
};

constexpr std::array file_formats{Format{".json", topology_from_json}, Format{".dot", topology_from_dot},
                                  Format{".gv", topology_from_dot}, Format{".graphml", topology_from_graphml},
                                  Format{".anynet", topology_from_anynet}};

const Format* format_of(const std::filesystem::path& path)
{
    const auto found = std::ranges::find(file_formats, path.extension().string(), &Format::extension);
    return found == file_formats.end() ? nullptr : &*found;
}

} // namespace

Topology load_topology(const std::filesystem::path& path)
{
    const Format* format = format_of(path);
    if (format == nullptr) {
        std::vector<std::string_view> known;
        for (const Format& each : file_formats)
            known.push_back(each.extension);
        throw std::runtime_error(fmt::format("{}: not a topology file; their names end in {}", path.string(),
                                             fmt::join(known, ", ")));
    }
    return format->read(read_file(path), path.string());
}

Topology topology_from(std::string_view spec_or_file)
{
    if (format_of(spec_or_file) != nullptr)
        return load_topology(spec_or_file);
    return make_topology(spec_or_file);
}

} // namespace nocturne
