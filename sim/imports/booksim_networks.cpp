#include "models/topology/make_topology.hpp"
#include "models/topology/size.hpp"
#include "sim/imports/simulators.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>

namespace nocturne {

namespace {

constexpr std::array shape_keys{"topology", "k", "n", "c", "x", "y", "xr", "yr"};

/// What BookSim2 numbers.
struct Shape {
    unsigned k, n, c, x, y, xr, yr;
    bool has_lengths; ///< use_noc_latency
};

Shape shape_of(const CommandDraft& draft)
{
    constexpr std::uint64_t most = 1024;
    const auto size = [&](const char* key) { return static_cast<unsigned>(draft.count(key, 1, most)); };
    return {size("k"), size("n"),  size("c"),  size("x"),
            size("y"), size("xr"), size("yr"), draft.count("use_noc_latency") == 1};
}

/// The routers and channels of `base`, channels as long as said, and BookSim2's processors: node (x, y) of a
/// grid whose router r has `xr` by `yr` of them.
Topology with_clients(const Topology& base, const Shape& shape, unsigned columns,
                      const std::function<unsigned(RouterId, RouterId)>& cycles)
{
    Topology made(base.name());
    for (RouterId r = 0; r < base.router_count(); ++r)
        made.add_router(base.router_name(r), base.position(r));
    for (Channel channel : base.channels()) {
        channel.latency_cycles = shape.has_lengths ? cycles(channel.source, channel.target) : 1;
        made.add_channel(channel);
    }
    const auto nodes = static_cast<std::uint32_t>(base.processor_count());
    const std::uint32_t row = columns * shape.xr; // of nodes
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const RouterId router = node / row / shape.yr * columns + node % row / shape.xr;
        made.add_processor(router, router, fmt::format("{}", node));
    }
    if (base.grid())
        made.set_grid(*base.grid());
    return made;
}

BooksimNetwork concentrated_mesh(CommandDraft& draft, const Shape& shape)
{
    if (shape.n != 2 || shape.c != 4 || shape.xr != 2 || shape.yr != 2 || shape.x != shape.y)
        draft.fail("a cmesh has n = 2, c = 4, xr = yr = 2 and x = y");
    const std::string name = fmt::format("cmesh:{0}x{0}x4", shape.k);
    return {.topology =
                with_clients(make_topology(name), shape, shape.k, [](RouterId, RouterId) { return 2u; })};
}

BooksimNetwork flattened_butterfly(CommandDraft& draft, const Shape& shape)
{
    if (shape.c != shape.xr * shape.yr || shape.x != shape.y || shape.xr != shape.yr || shape.n > 4)
        draft.fail("a flatfly has c = xr * yr, xr = yr, x = y and n up to 4");
    const std::string name = fmt::format("regular_hyperx:{},{},1,{}", shape.n, shape.k, shape.c);
    const auto nodes = saturating_product({saturating_power(shape.k, shape.n), shape.c});
    if (nodes % (std::uint64_t{shape.x} * shape.xr) != 0)
        draft.fail("x * xr does not divide the nodes of the flatfly");
    const auto length = [&](RouterId a, RouterId b) {
        const auto apart = [](unsigned from, unsigned to) { return from < to ? to - from : from - to; };
        return std::max(1u, shape.xr * apart(a % shape.x, b % shape.x) +
                                shape.yr * apart(a / shape.x, b / shape.x));
    };
    return {.topology = with_clients(make_topology(name), shape, shape.x, length)};
}

/// The k-ary n-fly (Dally and Towles, Principles and Practices of Interconnection Networks, ch. 4): the first
/// stage joins the sources that differ in the last digit.
BooksimNetwork fly(const Shape& shape)
{
    Topology made(fmt::format("fly:{},{}", shape.k, shape.n));
    const std::uint64_t switches = saturating_power(shape.k, shape.n - 1);
    check_size(made.name(), {saturating_product({switches, shape.k}), saturating_product({switches, shape.n}),
                             saturating_product({switches, shape.n, shape.k})});
    const auto width = static_cast<unsigned>(switches);
    for (unsigned stage = 0; stage < shape.n; ++stage)
        for (unsigned s = 0; s < width; ++s)
            made.add_router(fmt::format("c{}s{}", stage, s), Position{2.0 * stage, 1.0 * s});
    unsigned weight = width;
    std::vector<TagDigit> digits;
    for (unsigned stage = 0; stage < shape.n; ++stage) {
        digits.push_back({.radix = shape.k, .divisor = weight, .free = false});
        weight /= shape.k;
        if (stage + 1 == shape.n)
            break;
        for (unsigned s = 0; s < width; ++s)
            for (unsigned output = 0; output < shape.k; ++output) {
                const unsigned target = s + output * weight - s / weight % shape.k * weight;
                made.add_channel(stage * width + s, (stage + 1) * width + target);
            }
    }
    for (unsigned node = 0; node < width * shape.k; ++node)
        made.add_processor(node / shape.k, (shape.n - 1) * width + node / shape.k, fmt::format("{}", node));
    made.set_tag_digits(digits);
    return {.topology = std::move(made)};
}

/// `8x8`
std::string extents(const Shape& shape)
{
    std::string text = fmt::format("{}", shape.k);
    for (unsigned dimension = 1; dimension < shape.n; ++dimension)
        text += fmt::format("x{}", shape.k);
    return text;
}

BooksimNetwork network_of(CommandDraft& draft, const Shape& shape)
{
    const std::string& topology = draft.text("topology");
    if (topology == "mesh")
        return {.specification = "mesh:" + extents(shape)};
    if (topology == "torus")
        return {.specification = "torus:" + extents(shape),
                .parts = shape.has_lengths && shape.k > 2 ? std::vector<std::string>{"link *->*: latency=2"}
                                                          : std::vector<std::string>()};
    if (topology == "cmesh")
        return concentrated_mesh(draft, shape);
    if (topology == "flatfly")
        return flattened_butterfly(draft, shape);
    if (topology == "fly")
        return fly(shape);
    if (topology == "fattree")
        return {.specification = fmt::format("fattree:{},{}", shape.k, shape.n)};
    if (topology == "dragonflynew") {
        if (shape.n != 1)
            draft.fail("dragonflynew has n = 1");
        return {.specification = fmt::format("dragonfly:{0},{1},{0}", shape.k, 2 * shape.k),
                .parts = {"link local: latency=10", "link global: latency=100"}};
    }
    if (topology == "qtree") {
        if (shape.k != 4 || shape.n != 3)
            draft.fail("qtree has k = 4 and n = 3");
        return {.specification = "xgft:4,4,4,1,1,1"};
    }
    if (topology == "anynet") {
        if (draft.text("network_file").empty())
            draft.fail("anynet needs a network_file");
        return {.specification = draft.text("network_file")};
    }
    draft.fail(fmt::format("Nocturne has no network like BookSim2's topology '{}'", topology));
}

/// Which of the keys of shapes a topology reads, beside `topology`.
std::string_view keys_read_by(std::string_view topology)
{
    if (topology == "anynet")
        return " ";
    return topology == "cmesh" || topology == "flatfly" ? " k n c x y xr yr " : " k n ";
}

} // namespace

BooksimNetwork booksim_network(CommandDraft& draft)
{
    const Shape shape = shape_of(draft);
    BooksimNetwork network = network_of(draft, shape);
    const std::string& topology = draft.text("topology");
    const std::string here = network.topology ? network.topology->name() : network.specification;
    for (const std::string_view key : shape_keys)
        if (key == "topology" || keys_read_by(topology).find(fmt::format(" {} ", key)) != std::string::npos)
            draft.carry({key}, here);
        else
            draft.ignore(key, "not read for this topology");
    if (topology == "anynet")
        draft.carry({"network_file"}, here);
    else
        draft.ignore("network_file", "only with topology = anynet");
    if (topology == "torus" || topology == "cmesh" || topology == "flatfly") {
        const bool is_long = shape.has_lengths && topology == "flatfly" && shape.xr > 2;
        draft.carry({"use_noc_latency"},
                    network.parts.empty() ? here : "--part '" + network.parts.front() + "'",
                    is_long ? "channels to nodes have 1 cycle here, those to far nodes have more there" : "");
    } else
        draft.ignore("use_noc_latency", topology == "dragonflynew"
                                            ? "10 cycles within groups, 100 between them"
                                            : "all channels have 1 cycle, or what their "
                                              "file says");
    return network;
}

} // namespace nocturne
