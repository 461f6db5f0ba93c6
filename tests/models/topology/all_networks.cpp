#include "tests/models/topology/all_networks.hpp"

namespace nocturne::test {

std::vector<std::string> all_networks()
{
    std::vector<std::string> specs = small_networks();
    const auto add = [&](std::initializer_list<const char*> more) {
        specs.insert(specs.end(), more.begin(), more.end());
    };
    for (const char* kind : {"omega", "butterfly", "btree", "fattree"})
        for (const char* n : {"16", "32", "64", "128", "256"})
            specs.push_back(std::string(kind) + ':' + n);
    for (const char* kind : {"octagon", "ring", "star", "complete", "fat_octagon"})
        for (const char* n : {"12", "16", "20", "36", "40", "100"})
            specs.push_back(std::string(kind) + ':' + n);
    add({"clos:4,4,4", "clos:2,5,3", "clos:5,3,2", "clos:8,8,8", "clos:1,1,9", "clos:16,9,16"});
    add({"benes:2,4", "benes:2,4,2", "benes:2,6,3", "benes:3,3", "benes:3,3,1", "benes:3,3,2", "benes:4,3,1",
         "benes:5,2", "benes:16,2"});
    add({"fattree:3,3", "fattree:4,3", "fattree:5,2", "fattree:16,2", "fbtree:31", "fbtree:63",
         "fbtree:255"});
    add({"mesh:1", "mesh:9", "mesh:2x3", "mesh:3x11", "mesh:4x4x2", "mesh:3x4x5", "mesh:2x2x2x2",
         "mesh:16x16"});
    add({"torus:1", "torus:2", "torus:3", "torus:1x5", "torus:2x5", "torus:4x4", "torus:3x4x5", "torus:4x4x4",
         "torus:2x2x3", "torus:3x3x3x3", "torus:16x16"});
    add({"oneway_torus:1", "oneway_torus:5", "oneway_torus:2x3", "oneway_torus:10x12", "oneway_torus:3x2x4"});
    add({"coated_mesh:2x2", "coated_mesh:2x5", "coated_mesh:11x3", "coated_mesh:16x16"});
    add({"hypercube:5", "hypercube:8", "folded_hypercube:5", "folded_hypercube:8"});
    add({"kautz:2,3", "kautz:2,5", "kautz:4,2", "kautz:10,2", "kautz:3,4", "debruijn:3,3", "debruijn:2,8",
         "debruijn:11,2"});
    add({"dragonfly:2,4,2",
         "dragonfly:2,4,2,5",
         "hyperx:4x4",
         "hyperx:2x3x4",
         "regular_hyperx:2,3,2,2",
         "regular_hyperx:1,4,1,1",
         "flatfly:4,3",
         "flatfly:2,2",
         "cmesh:2x3x4",
         "folded_torus:4x4",
         "folded_torus:5x2x3",
         "twisted_torus:4,8",
         "twisted_torus:3,5,1",
         "elevator_mesh:2x4x4x2",
         "elevator_mesh:3x3x3x1",
         "xgft:4,4,1,2",
         "xgft:2,2,2,1,2,2",
         "xgft:3,1",
         "slimfly:4",
         "slimfly:5,2",
         "polarfly:3,3",
         "polarfly:4",
         "spidergon:4",
         "spidergon:10",
         "hexamesh:3",
         "kite_small:4x5",
         "kite_medium:4x5",
         "kite_large:4x5",
         "rail:3,4",
         "rail:2,4,2"});
    add({"dragonfly:1,3,1",
         "dragonfly:1,5,2",
         "dragonfly:2,4,2,2",
         "hyperx:16",
         "hyperx:3x3x3",
         "flatfly:8,2",
         "cmesh:4x4x4",
         "cmesh:8x8x1",
         "folded_torus:8x8",
         "folded_torus:7",
         "folded_torus:3x3x3",
         "twisted_torus:8,16",
         "twisted_torus:2,3,2",
         "twisted_torus:4,4,0",
         "elevator_mesh:4x5x5x3",
         "elevator_mesh:1x3x3x2",
         "xgft:8,4,1,4",
         "xgft:4,4,4,1,2,1",
         "slimfly:7",
         "slimfly:8",
         "slimfly:9",
         "slimfly:11",
         "polarfly:5",
         "polarfly:7",
         "polarfly:8",
         "polarfly:9",
         "polarfly:11",
         "spidergon:6",
         "spidergon:16",
         "ccc:4",
         "hexamesh:5",
         "kite_small:8x8",
         "kite_medium:8x8",
         "kite_large:8x8",
         "kite_large:2x2",
         "butterdonut:8",
         "rail:8,8,4"});
    return specs;
}

std::vector<std::string> small_networks()
{
    return {"omega:2",
            "omega:4",
            "omega:8",
            "butterfly:2",
            "butterfly:4",
            "butterfly:8",
            "clos:1,1,1",
            "clos:1,2,3",
            "clos:3,3,4",
            "benes:2,1",
            "benes:2,2",
            "benes:2,2,1",
            "benes:2,3",
            "benes:2,3,1",
            "benes:2,3,2",
            "benes:3,2",
            "btree:2",
            "btree:4",
            "btree:8",
            "fattree:2",
            "fattree:4",
            "fattree:8",
            "fattree:3,2",
            "fbtree:1",
            "fbtree:3",
            "fbtree:15",
            "mesh:2",
            "mesh:4x4",
            "mesh:2x3x4",
            "torus:4",
            "torus:2x2",
            "torus:3x3",
            "torus:5x2x1",
            "oneway_torus:4",
            "oneway_torus:3x3",
            "coated_mesh:4x4",
            "coated_mesh:2x3",
            "hypercube:1",
            "hypercube:2",
            "hypercube:3",
            "hypercube:4",
            "folded_hypercube:2",
            "folded_hypercube:3",
            "folded_hypercube:4",
            "kautz:1,1",
            "kautz:1,4",
            "kautz:3,1",
            "kautz:3,2",
            "debruijn:2,1",
            "debruijn:2,2",
            "debruijn:2,4",
            "octagon:8",
            "fat_octagon:8",
            "ring:3",
            "ring:8",
            "star:2",
            "star:8",
            "complete:2",
            "complete:8",
            "petersen",
            "hoffman_singleton",
            "dragonfly:1,2,1",
            "hyperx:2x3",
            "regular_hyperx:1,3,2,2",
            "flatfly:2,3",
            "cmesh:2x2x2",
            "folded_torus:4x3",
            "twisted_torus:3,4,1",
            "elevator_mesh:2x3x3x2",
            "xgft:2,3,1,2",
            "slimfly:3",
            "polarfly:2",
            "spidergon:6",
            "ccc:3",
            "hexamesh:1",
            "kite_small:3x3",
            "kite_medium:3x3",
            "kite_large:3x4",
            "butterdonut:4",
            "dgx1",
            "dgx2",
            "dgx_a100",
            "dgx_h100",
            "rail:2,3,1"};
}

Topology unusual_topology()
{
    Topology topology("odd \"name\" & <more>, \\ and a \xC3\xA9");
    topology.add_router("a b", Position{0.125, -3.5});
    topology.add_router("quote\"d", Position{1.0 / 3, 1e-9});
    topology.add_router("<x&y>", Position{7, 1e5});
    topology.add_router("10");
    topology.set_copying(3);
    topology.add_channel(Channel{0, 1, 7, 16, 2.5});
    topology.add_channel(Channel{1, 0, 7, 16, 2.5});
    topology.add_channel(Channel{1, 2, 1, 0, 0.1});
    topology.add_channel(Channel{2, 1, 2, 0, 0.1});
    topology.add_channel(Channel{0, 1, 4294967295u, 4294967295u, 1e300});
    topology.add_channel(Channel{2, 3});
    topology.add_channel(Channel{3, 0});
    topology.add_channel(Channel{3, 3, 5});
    topology.add_processor(2, 0, "first");
    topology.add_processor(0, 0, "second; {third}");
    topology.add_processor(0, 0, "->");
    topology.add_processor(3, 1, "#");
    topology.set_default_ports(PortModel{3});
    topology.set_grid(Grid{{2, 1, 2}, true});
    topology.set_routers_per_group(2);
    topology.set_tag_digits({{2, 4, true}, {3, 1, false}});
    return topology;
}

} // namespace nocturne::test
