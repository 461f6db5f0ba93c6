#include "models/topology/floogen_format.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"
#include "models/topology/floogen_keys.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/size.hpp"
#include "models/topology/yaml_place.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nocturne {

namespace {

constexpr unsigned most_tree_levels = 32; ///< of a tree

struct FlooGenVertex {
    bool is_router = true;
    std::uint32_t id = 0; ///< router, or number of the endpoint
};

/// What a name of the file stands for: of a tree the routers by level, in the order of FlooGen.
struct FlooGenGroup {
    std::vector<std::vector<std::string>> by_level;
};

class FlooGenReader {
public:
    explicit FlooGenReader(const YamlPlace& root)
        : root_(root), origin_(root.origin()), topology_(root_["name"].text())
    {
    }

    Topology read()
    {
        unknown_ = unknown_floogen_keys(root_);
        check_sizes();
        const std::vector<YamlPlace> routers = root_["routers"].elements();
        for (const YamlPlace& place : routers)
            add_routers(place);
        for (const YamlPlace& place : root_["endpoints"].elements())
            add_endpoints(place);
        for (const YamlPlace& place : root_["connections"].elements())
            connect(place);
        for (std::uint32_t i = 0; i < endpoints_.size(); ++i) {
            if (!router_of_[i])
                root_["endpoints"].fail(
                    fmt::format("no connection puts endpoint {} on a router", endpoints_[i]));
            topology_.add_processor(*router_of_[i], *router_of_[i], endpoints_[i]);
        }
        if (endpoints_.empty())
            root_["endpoints"].fail("no endpoint");
        topology_.set_default_ports(parse_port_model("1"));
        if (routers.size() == 1 && routers.front().has("array"))
            if (const auto array = routers.front()["array"].numbers(); array.size() == 2)
                topology_.set_grid({{array[1], array[0]}, false});
        remark();
        return std::move(topology_);
    }

private:
    /// So many vertices as an array has places, or a tree of so many at each router of the level above.
    std::uint64_t count_of(const YamlPlace& place) const
    {
        if (place.has("array") && place.has("tree"))
            place.fail("an array or a tree");
        if (place.has("array")) {
            const std::vector<unsigned> array = place["array"].numbers();
            if (array.empty() || array.size() > 2 || std::ranges::count(array, 0u) > 0)
                place["array"].fail("an array has one dimension or two, of 1 or more");
            return array.size() == 1 ? array[0] : saturating_product({array[0], array[1]});
        }
        if (!place.has("tree"))
            return 1;
        const std::vector<unsigned> tree = place["tree"].numbers();
        if (tree.empty() || tree.size() > most_tree_levels || std::ranges::count(tree, 0u) > 0)
            place["tree"].fail(fmt::format("a tree has 1 to {} levels, of 1 or more", most_tree_levels));
        std::uint64_t level = 1, all = 0;
        for (const unsigned each : tree) {
            level = saturating_product({level, each});
            all = std::min<std::uint64_t>(all + level, std::uint64_t{largest_network.routers} + 1);
        }
        return all;
    }

    void check_sizes() const
    {
        NetworkSize size{0, 0, 0};
        for (const YamlPlace& place : root_["routers"].elements()) {
            size.routers += std::min<std::uint64_t>(count_of(place), largest_network.routers + 1);
            place.here([&] { check_size("network", size); });
        }
        for (const YamlPlace& place : root_["endpoints"].elements()) {
            size.processors += std::min<std::uint64_t>(count_of(place), largest_network.processors + 1);
            place.here([&] { check_size("network", size); });
        }
    }

    FlooGenGroup& new_group(const YamlPlace& place)
    {
        const std::string name = place["name"].text();
        const auto [at, is_new] = groups_.try_emplace(name);
        if (!is_new)
            place.fail(fmt::format("'{}' is there already", shortened(name)));
        return at->second;
    }

    void add(const YamlPlace& place, const std::string& name, FlooGenVertex vertex)
    {
        if (!vertices_.emplace(name, vertex).second)
            place.fail(fmt::format("'{}' is there already", shortened(name)));
    }
    RouterId add_router(const YamlPlace& place, const std::string& name,
                        std::optional<Position> position = std::nullopt)
    {
        add(place, name, {true, static_cast<RouterId>(topology_.router_count())});
        return topology_.add_router(name, position);
    }

    void add_routers(const YamlPlace& place)
    {
        FlooGenGroup& group = new_group(place);
        const std::string name = place["name"].text();
        const bool joins = !place.has("auto_connect") || place["auto_connect"].truth();
        has_offsets_ = has_offsets_ || place.has("xy_id_offset") || place.has("id_offset");
        if (place.has("array"))
            add_router_array(place, place["array"].numbers(), joins);
        else if (place.has("tree"))
            add_subtree(place, group, {}, place["tree"].numbers(), joins);
        else
            add_router(place, name);
    }

    /// `array`: columns and rows; the routers of a row follow each other.
    void add_router_array(const YamlPlace& place, const std::vector<unsigned>& array, bool joins)
    {
        const std::string name = place["name"].text();
        const unsigned columns = array.front(), rows = array.size() == 2 ? array[1] : 1;
        const bool is_whole = root_["routers"].elements().size() == 1; // others would be in the same places
        for (unsigned y = 0; y < rows; ++y)
            for (unsigned x = 0; x < columns; ++x) {
                const std::string router =
                    array.size() == 2 ? fmt::format("{}_{}_{}", name, x, y) : fmt::format("{}_{}", name, x);
                std::optional<Position> position;
                if (is_whole) // north, where y is higher, is up
                    position = Position{static_cast<double>(x), static_cast<double>(rows - 1 - y)};
                const RouterId id = add_router(place, router, position);
                if (joins && x > 0)
                    add_link(place, id - 1, id);
                if (joins && y > 0)
                    add_link(place, id - columns, id);
            }
    }

    /// Depth first: those below a router follow it. `above`: what leads there, the indices by level.
    void add_subtree(const YamlPlace& place, FlooGenGroup& group, const std::vector<unsigned>& above,
                     const std::vector<unsigned>& tree, bool joins)
    {
        if (above.size() == tree.size())
            return;
        group.by_level.resize(tree.size());
        const std::string parent = above.empty()
                                       ? place["name"].text()
                                       : fmt::format("{}_{}", place["name"].text(), fmt::join(above, "_"));
        for (unsigned i = 0; i < tree[above.size()]; ++i) {
            const std::string router = fmt::format("{}_{}", parent, i);
            const RouterId id = add_router(place, router);
            group.by_level[above.size()].push_back(router);
            if (joins && !above.empty())
                add_link(place, vertices_.at(parent).id, id);
            std::vector<unsigned> here = above;
            here.push_back(i);
            add_subtree(place, group, here, tree, joins);
        }
    }

    void add_endpoints(const YamlPlace& place)
    {
        new_group(place);
        const std::string name = place["name"].text();
        if (place.has("tree"))
            place["tree"].fail("endpoints are no trees");
        has_offsets_ = has_offsets_ || place.has("xy_id_offset") || place.has("id_offset");
        has_addresses_ = has_addresses_ || place.has("addr_range");
        is_one_sided_ = is_one_sided_ || place.has("mgr_port_protocol") != place.has("sbr_port_protocol");
        const auto add_one = [&](const std::string& endpoint) {
            add(place, endpoint, {false, static_cast<std::uint32_t>(endpoints_.size())});
            endpoints_.push_back(endpoint);
            router_of_.emplace_back();
        };
        if (!place.has("array")) {
            add_one(name);
            return;
        }
        const std::vector<unsigned> array = place["array"].numbers();
        for (unsigned x = 0; x < array[0]; ++x)
            for (unsigned y = 0; y < (array.size() == 2 ? array[1] : 1); ++y)
                add_one(array.size() == 2 ? fmt::format("{}_{}_{}", name, x, y)
                                          : fmt::format("{}_{}", name, x));
    }

    void add_channel(const YamlPlace& place, RouterId from, RouterId to)
    {
        if (!joined_.emplace(from, to).second)
            place.fail(fmt::format("a second link from {} to {}", topology_.router_name(from),
                                   topology_.router_name(to)));
        place.here([&] { check_size("network", {0, 0, topology_.channel_count() + 1}); });
        topology_.add_channel(from, to);
    }
    void add_link(const YamlPlace& place, RouterId a, RouterId b)
    {
        add_channel(place, a, b);
        add_channel(place, b, a);
    }

    /// The names that a range stands for, dimension by dimension.
    void add_range(const YamlPlace& place, const std::string& name, std::span<const YamlPlace> ranges,
                   std::vector<std::string>& names) const
    {
        if (ranges.empty()) {
            if (!vertices_.contains(name))
                place.fail(fmt::format("there is no '{}'", shortened(name)));
            names.push_back(name);
            return;
        }
        const std::vector<unsigned> ends = ranges.front().numbers();
        if (ends.size() != 2)
            ranges.front().fail("expected the first and the last index");
        for (unsigned i = ends[0];; i = ends[1] > ends[0] ? i + 1 : i - 1) {
            add_range(place, fmt::format("{}_{}", name, i), ranges.subspan(1), names);
            if (i == ends[1])
                return;
        }
    }

    /// `which`: src or dst.
    std::vector<FlooGenVertex> end_of(const YamlPlace& place, const std::string& which) const
    {
        const std::string name = place[which].text();
        const auto group = groups_.find(name);
        if (group == groups_.end()) {
            std::vector<std::string> known;
            for (const auto& [each, unused] : groups_)
                known.push_back(each);
            place[which].fail(unknown_name("router or endpoint", name, known));
        }
        const std::string index = which + "_idx", range = which + "_range", level = which + "_lvl";
        if (place.has(index) + place.has(range) + place.has(level) > 1)
            place.fail(fmt::format("one of {}, {} and {}", index, range, level));
        std::vector<std::string> names;
        if (place.has(index)) {
            const YamlPlace at = place[index];
            add_range(at, fmt::format("{}_{}", name, fmt::join(at.numbers(), "_")), {}, names);
        } else if (place.has(range)) {
            const YamlPlace at = place[range];
            const std::vector<YamlPlace> ranges = at.elements();
            if (ranges.empty())
                at.fail("an empty range");
            add_range(at, name, ranges, names);
        } else if (place.has(level)) {
            const YamlPlace at = place[level];
            if (at.number() >= group->second.by_level.size())
                at.fail(fmt::format("{} has {} levels", name, group->second.by_level.size()));
            names = group->second.by_level[at.number()];
        } else if (!vertices_.contains(name)) {
            place[which].fail(fmt::format("{} is an array or a tree: {}, {} or {} says what of it", name,
                                          index, range, level));
        } else {
            names = {name};
        }
        std::vector<FlooGenVertex> vertices;
        for (const std::string& each : names)
            vertices.push_back(vertices_.at(each));
        return vertices;
    }

    void connect(const YamlPlace& place)
    {
        has_directions_ = has_directions_ || place.has("src_dir") || place.has("dst_dir");
        if (place.has("bidirectional") && !place["bidirectional"].truth())
            place["bidirectional"].fail("connections in one direction are not read");
        const std::vector<FlooGenVertex> from = end_of(place, "src"), to = end_of(place, "dst");
        const bool is_multiple = place.has("allow_multi") && place["allow_multi"].truth();
        const std::size_t count = std::max(from.size(), to.size());
        const auto fits = [&](const std::vector<FlooGenVertex>& end) {
            return end.size() == count || (is_multiple && count % end.size() == 0);
        };
        if (!fits(from) || !fits(to))
            place.fail(
                fmt::format("{} with {}: as many, or with allow_multi a multiple", from.size(), to.size()));
        for (std::size_t i = 0; i < count; ++i)
            join(place, from[i * from.size() / count], to[i * to.size() / count]);
    }

    void join(const YamlPlace& place, const FlooGenVertex& a, const FlooGenVertex& b)
    {
        if (a.is_router && b.is_router) {
            if (a.id == b.id)
                place.fail(fmt::format("{} is joined to itself", topology_.router_name(a.id)));
            add_link(place, a.id, b.id);
            return;
        }
        if (!a.is_router && !b.is_router)
            place.fail(
                fmt::format("{} and {}: two endpoints cannot be joined", endpoints_[a.id], endpoints_[b.id]));
        const std::uint32_t endpoint = a.is_router ? b.id : a.id;
        if (router_of_[endpoint])
            place.fail(fmt::format("endpoint {} is on router {} already", endpoints_[endpoint],
                                   topology_.router_name(*router_of_[endpoint])));
        router_of_[endpoint] = a.is_router ? a.id : b.id;
    }

    /// What is not used, and what is left open.
    void remark() const
    {
        std::vector<std::string> unused;
        const auto note = [&](bool is_there, const char* what) {
            if (is_there)
                unused.emplace_back(what);
        };
        note(has_addresses_, "address ranges");
        note(root_.has("protocols"), "protocols");
        note(root_.has("network_type") && root_["network_type"].text() != "axi",
             "which links are narrow and wide (one network is read)");
        note(is_one_sided_, "which endpoints only send or only answer");
        note(has_directions_, "directions of ports");
        note(has_offsets_, "offsets of coordinates");
        note(root_.has("params"), "parameters");
        unused.insert(unused.end(), unknown_.begin(), unknown_.end());
        std::string text = fmt::format(
            "{}: defaults for what it does not say: width of all channels (that of a flit)", origin_);
        if (!unused.empty())
            text += fmt::format("; ignored: {}", fmt::join(unused, ", "));
        if (root_.has("routing"))
            text += routing_text(root_["routing"]["route_algo"]);
        InputLog::remark(one_line(text));
    }

    static std::string routing_text(const YamlPlace& place)
    {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 6> routings{
            {{"XY", "xy"},
             {"YX", "yx"},
             {"XY_MIRRORED", "xy"},
             {"YX_MIRRORED", "yx"},
             {"ID", "shortest"},
             {"SRC", "shortest"}}};
        const std::string name = place.text();
        std::vector<std::string> known;
        for (const auto& [theirs, ours] : routings) {
            if (theirs == name)
                return fmt::format("; its routing {} is --routing {}", theirs, ours);
            known.emplace_back(theirs);
        }
        place.fail(unknown_name("routing", name, known));
    }

    YamlPlace root_;
    std::string_view origin_;
    Topology topology_;
    std::map<std::string, FlooGenGroup> groups_;
    std::map<std::string, FlooGenVertex> vertices_;
    std::vector<std::string> endpoints_;
    std::vector<std::optional<RouterId>> router_of_; ///< by endpoint
    std::set<std::pair<RouterId, RouterId>> joined_;
    std::vector<std::string> unknown_; ///< names of members
    bool has_addresses_ = false;
    bool is_one_sided_ = false;
    bool has_directions_ = false;
    bool has_offsets_ = false;
};

} // namespace

Topology topology_from_floogen(std::string_view text, std::string_view origin)
{
    return FlooGenReader(YamlPlace(text, origin)).read();
}

} // namespace nocturne
