#include "models/topology/make_topology.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/generators.hpp"
#include "models/topology/gpu_networks.hpp"
#include "models/topology/network_words.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace nocturne {

namespace {

using Sizes = std::span<const unsigned>;

constexpr unsigned any_number = std::numeric_limits<unsigned>::max();

Topology fat_tree_of(Sizes sizes)
{
    if (sizes.size() == 2)
        return make_fat_tree(sizes[0], sizes[1]);
    return make_fat_tree(2, exact_log2(fmt::format("fattree:{}", sizes[0]), sizes[0]));
}

std::uint64_t first_size(Sizes sizes)
{
    return sizes[0];
}

std::uint64_t product_of(Sizes sizes)
{
    std::uint64_t product = 1;
    for (const unsigned size : sizes)
        product = saturating_product({product, size});
    return product;
}

/// Of the routers of a field network, with the processors that its second size says, or one each.
template <std::uint64_t (*routers)(std::uint64_t)>
std::uint64_t field_processors(Sizes sizes)
{
    return saturating_product({routers(sizes[0]), sizes.size() == 2 ? sizes[1] : 1});
}

template <KiteSize size>
Topology kite_of(Sizes sizes)
{
    return make_kite(size, sizes[0], sizes[1]);
}

std::uint64_t power_of_two(Sizes sizes)
{
    return saturating_power(2, sizes[0]);
}

constexpr std::array kinds{
    TopologyKind{"omega", ":N", "Omega: N = 2^k processors, k columns of 2x2 switches, perfect shuffles",
                 "omega:8", ',', 1, 1, [](Sizes s) { return make_omega(s[0]); }, first_size},
    TopologyKind{"butterfly", ":N",
                 "Butterfly: N = 2^k processors, k columns of 2x2 switches, wired as the FFT", "butterfly:16",
                 ',', 1, 1, [](Sizes s) { return make_butterfly(s[0]); }, first_size},
    TopologyKind{"clos", ":n,m,r", "Clos: n processors on each of r input switches, m middle switches",
                 "clos:3,3,4", ',', 3, 3, [](Sizes s) { return make_clos(s[0], s[1], s[2]); },
                 [](Sizes s) { return saturating_product({s[0], s[2]}); }},
    TopologyKind{"benes", ":q,n[,r]",
                 "Benes: q^n processors, 2n-1 columns of qxq switches, the leftmost r removed", "benes:2,3",
                 ',', 2, 3, [](Sizes s) { return make_benes(s[0], s[1], s.size() == 3 ? s[2] : 0); },
                 [](Sizes s) { return saturating_power(s[0], s[1]); }},
    TopologyKind{"btree", ":N", "Binary tree: N = 2^k processors at the leaves, two on each bottom switch",
                 "btree:8", ',', 1, 1, [](Sizes s) { return make_binary_tree(s[0]); }, first_size},
    TopologyKind{"fattree", ":N or :k,n", "Fat tree: k-ary n-tree of k^n processors; N = 2^n has k = 2",
                 "fattree:4,3", ',', 1, 2, fat_tree_of,
                 [](Sizes s) { return s.size() == 2 ? saturating_power(s[0], s[1]) : s[0]; }},
    TopologyKind{"xgft", ":m1,...,mh,w1,...,wh",
                 "Extended generalized fat tree: m_i children and w_i parents at level i", "xgft:4,4,1,2",
                 ',', 2, any_number, make_generalized_fat_tree, generalized_fat_tree_processors},
    TopologyKind{"fbtree", ":P", "Full binary tree: a processor at each of the P = 2^h - 1 vertices",
                 "fbtree:15", ',', 1, 1, [](Sizes s) { return make_full_binary_tree(s[0]); }, first_size},
    TopologyKind{"mesh", ":RxC[x...]", "Mesh: any number of dimensions", "mesh:4x4", 'x', 1, any_number,
                 make_mesh, product_of},
    TopologyKind{"torus", ":RxC[x...]", "Torus: a mesh with every dimension of 3 or more closed to a ring",
                 "torus:4x4x4", 'x', 1, any_number, make_torus, product_of},
    TopologyKind{"folded_torus", ":RxC[x...]", "Folded torus: a torus without long wires, links of 2 places",
                 "folded_torus:4x4", 'x', 1, any_number, make_folded_torus, product_of},
    TopologyKind{"twisted_torus", ":R,C[,t]",
                 "Twisted torus: from the last row to the first t columns further, C/2 unless given",
                 "twisted_torus:4,8", ',', 2, 3,
                 [](Sizes s) { return make_twisted_torus(s[0], s[1], s.size() == 3 ? s[2] : s[1] / 2); },
                 [](Sizes s) { return saturating_product({s[0], s[1]}); }},
    TopologyKind{"cmesh", ":RxCxk", "Concentrated mesh: k processors at each router", "cmesh:4x4x4", 'x', 3,
                 3, [](Sizes s) { return make_concentrated_mesh(s[0], s[1], s[2]); }, product_of},
    TopologyKind{"elevator_mesh", ":LxRxCxE",
                 "Mesh of L layers with vertical links in every E-th row and column only",
                 "elevator_mesh:2x4x4x2", 'x', 4, 4,
                 [](Sizes s) { return make_elevator_mesh(s[0], s[1], s[2], s[3]); },
                 [](Sizes s) { return saturating_product({s[0], s[1], s[2]}); }},
    TopologyKind{"oneway_torus", ":RxC[x...]",
                 "One-way torus: a torus whose rings have channels in one direction only", "oneway_torus:4x4",
                 'x', 1, any_number, make_oneway_torus, product_of},
    TopologyKind{"coated_mesh", ":RxC", "Coated mesh: a mesh of switches with 2(R+C) processors around it",
                 "coated_mesh:4x4", 'x', 2, 2, [](Sizes s) { return make_coated_mesh(s[0], s[1]); },
                 [](Sizes s) { return 2 * (std::uint64_t{s[0]} + s[1]); }},
    TopologyKind{"hypercube", ":n", "Hypercube: 2^n routers", "hypercube:4", ',', 1, 1,
                 [](Sizes s) { return make_hypercube(s[0]); }, power_of_two},
    TopologyKind{
        "folded_hypercube", ":n", "Folded hypercube (K-ring): a hypercube with links between complements",
        "folded_hypercube:4", ',', 1, 1, [](Sizes s) { return make_folded_hypercube(s[0]); }, power_of_two},
    TopologyKind{"ccc", ":n", "Cube-connected cycles: a ring of n routers at each vertex of a hypercube",
                 "ccc:3", ',', 1, 1, [](Sizes s) { return make_cube_connected_cycles(s[0]); },
                 [](Sizes s) { return saturating_product({s[0], saturating_power(2, s[0])}); }},
    TopologyKind{"hyperx", ":S1xS2[x...]", "HyperX: every dimension of the grid is a complete graph",
                 "hyperx:4x4", 'x', 1, any_number, make_hyperx, product_of},
    TopologyKind{"regular_hyperx", ":L,S,K,T",
                 "HyperX: L dimensions of S places, K parallel links, T processors a router",
                 "regular_hyperx:2,4,2,4", ',', 4, 4,
                 [](Sizes s) { return make_regular_hyperx(s[0], s[1], s[2], s[3]); },
                 [](Sizes s) { return saturating_product({saturating_power(s[1], s[0]), s[3]}); }},
    TopologyKind{"flatfly", ":k,n", "Flattened butterfly: k^n processors, k at a router, n-1 dimensions of k",
                 "flatfly:4,3", ',', 2, 2, [](Sizes s) { return make_flattened_butterfly(s[0], s[1]); },
                 [](Sizes s) { return saturating_power(s[0], s[1]); }},
    TopologyKind{"dragonfly", ":p,a,h[,g]",
                 "Dragonfly: g groups of a routers, p processors and h global links each; g = a*h + 1",
                 "dragonfly:2,4,2", ',', 3, 4, make_dragonfly, dragonfly_processors},
    TopologyKind{
        "slimfly", ":q[,p]",
        "Slim Fly: 2q^2 routers of diameter 2, q a prime power 4w - 1, 4w or 4w + 1, p processors each",
        "slimfly:5", ',', 1, 2, [](Sizes s) { return make_slim_fly(s[0], s.size() == 2 ? s[1] : 1); },
        field_processors<[](std::uint64_t q) { return saturating_product({2, q, q}); }>},
    TopologyKind{"polarfly", ":q[,p]",
                 "PolarFly: q^2 + q + 1 routers of diameter 2, q a prime power, p processors each",
                 "polarfly:7", ',', 1, 2,
                 [](Sizes s) { return make_polarfly(s[0], s.size() == 2 ? s[1] : 1); },
                 field_processors<[](std::uint64_t q) { return saturating_product({q, q}) + q + 1; }>},
    TopologyKind{"kautz", ":d,n", "Kautz digraph: degree d, (d+1)d^(n-1) words of length n", "kautz:3,2", ',',
                 2, 2, [](Sizes s) { return make_kautz(s[0], s[1]); },
                 [](Sizes s) {
                     return saturating_product(
                         {s[0] + std::uint64_t{1}, saturating_power(s[0], s[1] - std::uint64_t{1})});
                 }},
    TopologyKind{"debruijn", ":d,n", "De Bruijn digraph: d^n words of length n, without self-loops",
                 "debruijn:2,4", ',', 2, 2, [](Sizes s) { return make_debruijn(s[0], s[1]); },
                 [](Sizes s) { return saturating_power(s[0], s[1]); }},
    TopologyKind{"octagon", ":N", "Octagon: ring of N = 8, 12, 16, ... with links across", "octagon:8", ',',
                 1, 1, [](Sizes s) { return make_octagon(s[0]); }, first_size},
    TopologyKind{"fat_octagon", ":N", "Fat octagon: an octagon of N routers with two processors each",
                 "fat_octagon:8", ',', 1, 1, [](Sizes s) { return make_fat_octagon(s[0]); },
                 [](Sizes s) { return 2 * std::uint64_t{s[0]}; }},
    TopologyKind{"spidergon", ":N", "Spidergon: ring of N = 4, 6, 8, ... with links across", "spidergon:10",
                 ',', 1, 1, [](Sizes s) { return make_spidergon(s[0]); }, first_size},
    TopologyKind{"ring", ":N", "Ring of N routers", "ring:8", ',', 1, 1,
                 [](Sizes s) { return make_ring(s[0]); }, first_size},
    TopologyKind{"star", ":N", "Star: N routers around a hub that has no processor", "star:8", ',', 1, 1,
                 [](Sizes s) { return make_star(s[0]); }, first_size},
    TopologyKind{"complete", ":N", "Complete graph of N routers", "complete:8", ',', 1, 1,
                 [](Sizes s) { return make_complete(s[0]); }, first_size},
    TopologyKind{"petersen", "", "Petersen graph: 10 routers of degree 3, diameter 2", "petersen", ',', 0, 0,
                 [](Sizes) { return make_petersen(); }, [](Sizes) { return std::uint64_t{10}; }},
    TopologyKind{"hoffman_singleton", "", "Hoffman-Singleton graph: 50 routers of degree 7, diameter 2",
                 "hoffman_singleton", ',', 0, 0, [](Sizes) { return make_hoffman_singleton(); },
                 [](Sizes) { return std::uint64_t{50}; }},
    TopologyKind{"hexamesh", ":r", "HexaMesh: a chiplet and r rings of chiplets around it, 1 + 3r(r+1)",
                 "hexamesh:2", ',', 1, 1, [](Sizes s) { return make_hexamesh(s[0]); },
                 [](Sizes s) { return saturating_product({3, s[0], s[0] + std::uint64_t{1}}) + 1; }},
    TopologyKind{"kite_small", ":RxC", "Kite with links of up to (1, 1), four ports a router",
                 "kite_small:4x5", 'x', 2, 2, kite_of<KiteSize::small>, product_of},
    TopologyKind{"kite_medium", ":RxC", "Kite with links of up to (2, 0), four ports a router",
                 "kite_medium:4x5", 'x', 2, 2, kite_of<KiteSize::medium>, product_of},
    TopologyKind{"kite_large", ":RxC", "Kite with links of up to (2, 1), four ports a router",
                 "kite_large:4x5", 'x', 2, 2, kite_of<KiteSize::large>, product_of},
    TopologyKind{"butterdonut", ":n", "ButterDonut: n x n routers, butterflies between columns, folded rows",
                 "butterdonut:4", ',', 1, 1, [](Sizes s) { return make_butterdonut(s[0]); },
                 [](Sizes s) { return saturating_product({s[0], s[0]}); }},
    TopologyKind{"dgx1", "", "DGX-1: eight V100 in a hybrid cube mesh of NVLinks", "dgx1", ',', 0, 0,
                 [](Sizes) { return make_dgx1(); }, [](Sizes) { return std::uint64_t{8}; }},
    TopologyKind{"dgx2", "", "DGX-2: sixteen V100 and twelve NVSwitches", "dgx2", ',', 0, 0,
                 [](Sizes) { return make_dgx2(); }, [](Sizes) { return std::uint64_t{16}; }},
    TopologyKind{"dgx_a100", "", "DGX A100: eight GPUs and six NVSwitches", "dgx_a100", ',', 0, 0,
                 [](Sizes) { return make_dgx_a100(); }, [](Sizes) { return std::uint64_t{8}; }},
    TopologyKind{"dgx_h100", "", "DGX H100: eight GPUs and four NVSwitches", "dgx_h100", ',', 0, 0,
                 [](Sizes) { return make_dgx_h100(); }, [](Sizes) { return std::uint64_t{8}; }},
    TopologyKind{"rail", ":n,g[,s]", "Rails: n boxes of g GPUs, g rail switches, s spine switches",
                 "rail:4,8,2", ',', 2, 3,
                 [](Sizes s) { return make_rail_cluster(s[0], s[1], s.size() == 3 ? s[2] : 0); },
                 [](Sizes s) { return saturating_product({s[0], s[1]}); }},
};

/// Small letters, without brackets and spaces: `Mesh(4,4` and `mesh_4,4` are the same.
std::string plain_word_of(std::string_view text)
{
    std::string word;
    for (const char c : text)
        if (c != ')' && c != ' ')
            word +=
                c == '-' || c == '(' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return word;
}

const TopologyKind& find_kind(std::string_view spec, std::string_view name)
{
    const auto found = std::ranges::find(kinds, name, &TopologyKind::name);
    if (found != kinds.end())
        return *found;
    if (const std::vector<std::string> meant = meant_specifications(spec); !meant.empty())
        throw std::invalid_argument(
            fmt::format("{}: unknown network: did you mean '{}'?", spec, fmt::join(meant, "' or '")));
    if (const std::string advice = advice_on_network(plain_word_of(name)); !advice.empty())
        throw std::invalid_argument(fmt::format("{}: unknown network: {}", spec, advice));
    std::vector<std::string> known;
    for (const TopologyKind& kind : kinds)
        known.emplace_back(kind.name);
    const std::vector<std::string> usual{"mesh",      "torus",    "ring",    "complete",  "star",
                                         "hypercube", "petersen", "fattree", "dragonfly", "omega",
                                         "dgx_a100",  "dgx_h100", "rail"};
    throw std::invalid_argument(fmt::format("{}: {} and {} others: 'nocturne topology --list'", spec,
                                            unknown_name("network", name, usual, known),
                                            known.size() - usual.size()));
}

std::vector<unsigned> parse_sizes(std::string_view spec, const TopologyKind& kind, std::string_view text)
{
    std::vector<unsigned> sizes;
    while (true) {
        const auto end = std::min(text.find(kind.separator), text.size());
        const std::string_view word = text.substr(0, end);
        unsigned size = 0;
        const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), size);
        if (error == std::errc::result_out_of_range)
            throw std::invalid_argument(fmt::format("{}: {} is too large a size", spec, shortened(word)));
        if (error != std::errc{} || stop != word.data() + word.size())
            throw std::invalid_argument(fmt::format("{}: '{}' is not a size; expected {}{}", spec,
                                                    shortened(word), kind.name, kind.parameters));
        sizes.push_back(size);
        if (end == text.size())
            return sizes;
        text.remove_prefix(end + 1);
    }
}

struct ParsedSpecification {
    const TopologyKind& kind;
    std::vector<unsigned> sizes;
};

ParsedSpecification parse(std::string_view spec)
{
    const auto colon = std::min(spec.find(':'), spec.size());
    const std::string shown = shortened(spec);
    const TopologyKind& kind = find_kind(shown, spec.substr(0, colon));
    std::vector<unsigned> sizes;
    if (colon < spec.size())
        sizes = parse_sizes(shown, kind, spec.substr(colon + 1));
    if (sizes.size() < kind.fewest_sizes || sizes.size() > kind.most_sizes)
        throw std::invalid_argument(
            fmt::format("{}: expected {}{}, such as {}", shown, kind.name, kind.parameters, kind.example));
    return {kind, std::move(sizes)};
}

/// The same, and an error says which specification was probably meant, also of a kind that exists
/// (`mesh:4,4`).
ParsedSpecification parse_or_help(std::string_view spec)
{
    try {
        return parse(spec);
    } catch (const std::invalid_argument& error) {
        const auto meant =
            names_topology_kind(spec) ? meant_specifications(spec) : std::vector<std::string>();
        if (meant.empty() || spec.find(':') == std::string_view::npos)
            throw;
        throw std::invalid_argument(
            fmt::format("{}; did you mean '{}'?", error.what(), fmt::join(meant, "' or '")));
    }
}

} // namespace

std::span<const TopologyKind> topology_kinds()
{
    return kinds;
}

bool is_specification(std::string_view text)
{
    if (!names_topology_kind(text))
        return false;
    try {
        parse(text);
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

bool names_topology_kind(std::string_view text)
{
    const std::string_view name = text.substr(0, text.find(':'));
    return std::ranges::any_of(kinds, [&](const TopologyKind& kind) { return kind.name == name; });
}

std::vector<std::string> meant_specifications(std::string_view spec)
{
    std::string word = plain_word_of(spec);
    const std::size_t colon = std::min(word.find(':'), word.size());
    if (const std::string_view kind = kind_of_word(std::string_view(word).substr(0, colon)); !kind.empty())
        word.replace(0, colon, kind);
    const std::size_t digits = std::min(word.find_first_of("0123456789"), word.size());
    std::string name = word.substr(0, digits), sizes = word.substr(digits);
    name.erase(name.find_last_not_of("_:") + 1);
    const std::vector<std::string> names =
        name.empty() ? std::vector<std::string>{"mesh", "torus"} : std::vector{name};
    std::vector<std::string> meant;
    // As BookSim2 calls them: torus88.
    const bool is_of_digits = sizes.size() > 1 && sizes.find_first_not_of(sizes.front()) == std::string::npos;
    if (colon == spec.size() && is_of_digits && (name == "mesh" || name == "torus"))
        return {fmt::format("{}:{}", name, fmt::join(sizes, "x"))};
    if (is_specification(word))
        meant.push_back(word);
    for (const char separator : {'x', ','}) {
        std::string their_sizes = sizes;
        std::ranges::replace_if(
            their_sizes, [](char c) { return c == 'x' || c == ',' || c == '_'; }, separator);
        for (const std::string& each : names)
            if (const std::string candidate = fmt::format("{}:{}", each, their_sizes);
                meant.size() < names.size() && is_specification(candidate))
                meant.push_back(candidate);
    }
    constexpr std::size_t fewest_letters = 3;
    for (const TopologyKind& kind : kinds)
        if (meant.empty() && kind.name == word)
            return {std::string(kind.example)};
    if (meant.empty() && word.size() >= fewest_letters)
        for (const TopologyKind& kind : kinds)
            if (kind.name.find(word) != std::string_view::npos)
                meant.emplace_back(kind.example);
    return meant;
}

std::uint64_t processors_of(std::string_view spec)
{
    const ParsedSpecification parsed = parse_or_help(spec);
    return parsed.kind.processors(parsed.sizes);
}

Topology make_topology(std::string_view spec)
{
    const ParsedSpecification parsed = parse_or_help(spec);
    return parsed.kind.make(parsed.sizes);
}

} // namespace nocturne
