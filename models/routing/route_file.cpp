#include "models/routing/noxim_table.hpp"
#include "models/routing/route_table.hpp"
#include "models/routing/routings.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/csv_rows.hpp"
#include "models/topology/files.hpp"
#include "models/topology/json_place.hpp"
#include "models/topology/plain_numbers.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace nocturne {

namespace {

constexpr std::string_view routes_header = "source,destination,path,classes";
constexpr std::string_view next_hops_header = "router,destination,next,class";

/// What a file has of either kind.
struct WrittenTable {
    std::vector<TableRoute> routes;
    std::vector<TableHop> next_hops;
};

/// Vertices by name or number.
class Vertices {
public:
    explicit Vertices(const Topology& topology)
        : topology_(topology), processors_(topology, "processors"), routers_(topology, "routers")
    {
    }
    ProcessorId processor(const std::string& name)
    {
        const auto id = processors_.find_processor(name);
        if (!id)
            throw std::invalid_argument(
                fmt::format("{} has no processor '{}'", topology_.name(), shortened(name)));
        return *id;
    }
    RouterId router(const std::string& name)
    {
        const auto id = routers_.find_router(name);
        if (!id)
            throw std::invalid_argument(
                fmt::format("{} has no router '{}'", topology_.name(), shortened(name)));
        return *id;
    }
    PlainNumbers& processors() { return processors_; }
    PlainNumbers& routers() { return routers_; }

private:
    const Topology& topology_;
    PlainNumbers processors_;
    PlainNumbers routers_;
};

std::uint32_t class_in(const std::string& text)
{
    const auto number = number_of<std::uint32_t>(text);
    if (!number)
        throw std::invalid_argument(fmt::format("class '{}' is no whole number", shortened(text)));
    return *number;
}

/// A single class stands for all hops.
std::vector<std::uint32_t> for_all_hops(std::vector<std::uint32_t> classes, std::size_t routers)
{
    if (classes.size() == 1 && routers > 2)
        classes.assign(routers - 1, classes.front());
    return classes;
}

TableRoute csv_route(Vertices& vertices, const std::vector<std::string>& fields, std::string place)
{
    TableRoute route{vertices.processor(fields[0]), vertices.processor(fields[1]), {}, {}, std::move(place)};
    std::vector<std::string> names;
    for (std::size_t from = 0; from <= fields[2].size();) {
        const std::size_t to = std::min(fields[2].find("->", from), fields[2].size());
        names.push_back(fields[2].substr(from, to - from));
        from = to + 2;
    }
    for (std::string& name : names) {
        boost::trim(name);
        route.routers.push_back(vertices.router(name));
    }
    if (fields.size() == 4) {
        std::istringstream list(fields[3]);
        for (std::string word; list >> word;)
            route.classes.push_back(class_in(word));
        route.classes = for_all_hops(std::move(route.classes), route.routers.size());
    }
    return route;
}

TableHop csv_next_hop(Vertices& vertices, const std::vector<std::string>& fields, std::string place)
{
    return {vertices.router(fields[0]), vertices.processor(fields[1]), vertices.router(fields[2]),
            fields.size() == 4 && !fields[3].empty() ? class_in(fields[3]) : 0, std::move(place)};
}

/// Is the header this one, or this one without its last column?
bool is_header(const std::string& line, std::string_view header)
{
    return line == header || line == header.substr(0, header.rfind(','));
}

WrittenTable read_csv(const Topology& topology, const std::string& path, const std::string& text)
{
    WrittenTable table;
    Vertices vertices(topology);
    std::string header;
    read_csv_rows(text, path, [&](const std::vector<std::string>& fields, std::size_t number) {
        if (header.empty()) {
            const std::string line = csv_line(fields);
            if (!is_header(line, routes_header) && !is_header(line, next_hops_header))
                throw std::invalid_argument(
                    fmt::format("expected the header {} or {}", routes_header, next_hops_header));
            header = line;
            return;
        }
        require_csv_fields(fields.size(), header);
        std::string place = fmt::format("{}:{}", path, number);
        if (is_header(header, routes_header))
            table.routes.push_back(csv_route(vertices, fields, std::move(place)));
        else
            table.next_hops.push_back(csv_next_hop(vertices, fields, std::move(place)));
    });
    if (header.empty())
        throw std::runtime_error(
            fmt::format("{}: expected the header {} or {}", path, routes_header, next_hops_header));
    return table;
}

TableRoute json_route(Vertices& vertices, const JsonPlace& place, std::string where)
{
    place.check_members({"source", "destination", "path", "classes"});
    const auto processor = [&](const char* name) {
        return place[name].here([&] { return vertices.processors().processor_in(place[name].value()); });
    };
    TableRoute route{processor("source"), processor("destination"), {}, {}, std::move(where)};
    for (const JsonPlace& router : place["path"].elements())
        route.routers.push_back(router.here([&] { return vertices.routers().router_in(router.value()); }));
    if (!place.has("classes"))
        return route;
    const JsonPlace classes = place["classes"];
    if (classes.value().is_array())
        for (const JsonPlace& each : classes.elements())
            route.classes.push_back(each.number(0));
    else
        route.classes = for_all_hops({classes.number(0)}, route.routers.size());
    return route;
}

TableHop json_next_hop(Vertices& vertices, const JsonPlace& place, std::string where)
{
    place.check_members({"router", "destination", "next", "class"});
    const auto router = [&](const char* name) {
        return place[name].here([&] { return vertices.routers().router_in(place[name].value()); });
    };
    const JsonPlace destination = place["destination"];
    return {router("router"),
            destination.here([&] { return vertices.processors().processor_in(destination.value()); }),
            router("next"), place.has("class") ? place["class"].number(0) : 0, std::move(where)};
}

WrittenTable read_json(const Topology& topology, const std::string& path, const std::string& text)
{
    const nlohmann::json document = parse_json(text, path);
    const JsonPlace root(document, path);
    root.check_members({"routes", "next_hops"});
    if (root.has("routes") == root.has("next_hops"))
        root.fail("expected either routes or next_hops");
    WrittenTable table;
    Vertices vertices(topology);
    const char* const member = root.has("routes") ? "routes" : "next_hops";
    std::size_t number = 0;
    for (const JsonPlace& entry : root[member].elements()) {
        std::string where = fmt::format("{}: /{}/{}", path, member, number++);
        if (root.has("routes"))
            table.routes.push_back(json_route(vertices, entry, std::move(where)));
        else
            table.next_hops.push_back(json_next_hop(vertices, entry, std::move(where)));
    }
    return table;
}

} // namespace

Routing read_routes(const Topology& topology, const std::string& path, std::uint64_t seed)
{
    const std::string text = read_file(path);
    const auto read = [&]() -> Routing {
        const bool is_json = path.ends_with(".json");
        if (!is_json && is_noxim_table(text))
            return read_noxim_table(topology, path, text, seed);
        const WrittenTable table = is_json ? read_json(topology, path, text) : read_csv(topology, path, text);
        return table.next_hops.empty() ? routes_of_table(topology, path, table.routes)
                                       : routes_of_next_hops(topology, path, table.next_hops);
    };
    Routing routing = read();
    routing.name = "file:" + path;
    return routing;
}

} // namespace nocturne
