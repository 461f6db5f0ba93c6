#include "models/topology/network_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nocturne {

namespace {

/// Words between spaces, and what they stand for.
struct NetworkWords {
    std::string_view words;
    std::string_view meant;
};

constexpr std::array words_of_kinds{
    NetworkWords{"fully_connected fully_connected_graph full_mesh fullmesh clique complete_graph",
                 "complete"},
    NetworkWords{"crossbar xbar cross_bar switch single_switch star_graph hub_and_spoke", "star"},
    NetworkWords{"cycle cycle_graph circle bidirectional_ring", "ring"},
    NetworkWords{"grid grid_2d grid2d grid_graph grid_2d_graph mesh_2d 2d_mesh mesh_3d mesh3d 3d_mesh "
                 "path_graph linear chain array",
                 "mesh"},
    NetworkWords{"torus_2d 2d_torus torus_3d 3d_torus periodic_grid tpu tpu_v4 tpu_pod tpu_v5p", "torus"},
    NetworkWords{"cube hyper_cube hypercube_graph ncube n_cube binary_cube", "hypercube"},
    NetworkWords{"concentrated_mesh", "cmesh"},
    NetworkWords{"fat_tree folded_clos k_ary_n_tree leaf_spine spine_leaf", "fattree"},
    NetworkWords{"binary_tree balanced_tree tree", "btree"},
    NetworkWords{"dragon_fly dragonfly_plus", "dragonfly"},
    NetworkWords{"slim_fly", "slimfly"},
    NetworkWords{"flattened_butterfly", "flatfly"},
    NetworkWords{"cube_connected_cycles", "ccc"},
    NetworkWords{"de_bruijn de_bruijn_graph", "debruijn"},
    NetworkWords{"petersen_graph", "petersen"},
    NetworkWords{"hoffman_singleton_graph", "hoffman_singleton"},
    NetworkWords{"nvlink nvlink8 nvswitch h100x8 8xh100 hgx hgx_h100 h100_sxm", "dgx_h100"},
    NetworkWords{"a100x8 8xa100 hgx_a100 a100_sxm", "dgx_a100"},
    NetworkWords{"v100x8 8xv100 dgx_1", "dgx1"},
    NetworkWords{"v100x16 16xv100 dgx_2", "dgx2"},
    NetworkWords{"rails rail_optimized gpu_cluster superpod", "rail"},
};

constexpr std::array words_of_advice{
    NetworkWords{
        "random_regular_graph random_regular random_graph random jellyfish",
        "'nocturne design 64 --links 4 -o network.json' makes a network of 64 routers with four links "
        "each"},
    NetworkWords{
        "erdos_renyi erdos_renyi_graph gnp_random_graph watts_strogatz watts_strogatz_graph "
        "barabasi_albert barabasi_albert_graph small_world networkx nx",
        "graphs of networkx are read as GraphML: write_graphml(graph, 'network.graphml') of networkx, "
        "'nocturne topology network.graphml'; in Python nocturne.from_networkx(graph)"},
};

/// As `nocturne import --gpu` calls them.
struct GpuWords {
    std::string_view words;
    std::string_view gpu;
    std::string_view matrix; ///< what prints how they are connected
};

constexpr std::array words_of_gpus{
    GpuWords{"gb200 nvl72 gb200_nvl72 nvl36 nvl4", "GB200", "nvidia-smi topo -m"},
    GpuWords{"gb300 gb300_nvl72", "GB300", "nvidia-smi topo -m"},
    GpuWords{"b200 b200x8 8xb200 dgx_b200 hgx_b200", "B200", "nvidia-smi topo -m"},
    GpuWords{"b300 b300x8 8xb300 dgx_b300 hgx_b300", "B300", "nvidia-smi topo -m"},
    GpuWords{"h200 h200x8 8xh200 dgx_h200 hgx_h200", "H200", "nvidia-smi topo -m"},
    GpuWords{"h800 h800x8 8xh800", "H800", "nvidia-smi topo -m"},
    GpuWords{"h20 h20x8 8xh20", "H20", "nvidia-smi topo -m"},
    GpuWords{"mi300x mi300 mi300xx8 mi300x8 8xmi300x", "MI300X", "rocm-smi --showtopo"},
    GpuWords{"mi325x 8xmi325x", "MI325X", "rocm-smi --showtopo"},
    GpuWords{"mi350x 8xmi350x", "MI350X", "rocm-smi --showtopo"},
    GpuWords{"mi355x 8xmi355x", "MI355X", "rocm-smi --showtopo"},
    GpuWords{"mi250 mi250x 8xmi250x", "MI250X", "rocm-smi --showtopo"},
    GpuWords{"mi210", "MI210", "rocm-smi --showtopo"},
    GpuWords{"mi100", "MI100", "rocm-smi --showtopo"},
};

template <class Rows>
auto row_with(const Rows& rows, std::string_view word)
{
    return std::ranges::find_if(rows, [&](const auto& row) {
        return !word.empty() && word.find(' ') == std::string_view::npos &&
               fmt::format(" {} ", row.words).find(fmt::format(" {} ", word)) != std::string::npos;
    });
}

} // namespace

std::string_view kind_of_word(std::string_view word)
{
    const auto row = row_with(words_of_kinds, word);
    return row == words_of_kinds.end() ? std::string_view() : row->meant;
}

std::string advice_on_network(std::string_view word)
{
    if (const auto row = row_with(words_of_advice, word); row != words_of_advice.end())
        return std::string(row->meant);
    if (const auto row = row_with(words_of_gpus, word); row != words_of_gpus.end())
        return fmt::format("'nocturne import topo.txt --gpu {} -o network.json' makes it of what {} prints",
                           row->gpu, row->matrix);
    return {};
}

} // namespace nocturne
