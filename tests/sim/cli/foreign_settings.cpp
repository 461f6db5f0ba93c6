#include "tests/sim/cli/foreign_settings.hpp"

namespace nocturne::test {

const std::vector<BooksimBase>& booksim_bases()
{
    static const std::vector<BooksimBase> bases{
        {{{"topology", "mesh"}, {"k", "3"}, {"n", "2"}},
         {"dor", "dim_order", "dim_order_ni", "xy_yx", "romm", "min_adapt", "valiant", "planar_adapt"}},
        {{{"topology", "torus"}, {"k", "4"}, {"n", "2"}},
         {"dim_order", "dim_order_bal", "dim_order_ni", "min_adapt", "valiant", "valiant_ni"}},
        {{{"topology", "cmesh"},
          {"k", "4"},
          {"n", "2"},
          {"c", "4"},
          {"x", "4"},
          {"y", "4"},
          {"xr", "2"},
          {"yr", "2"}},
         {"dor_no_express", "xy_yx_no_express", "dor", "xy_yx"}},
        {{{"topology", "fly"}, {"k", "3"}, {"n", "2"}}, {"dest_tag"}},
        {{{"topology", "fattree"}, {"k", "2"}, {"n", "3"}}, {"nca", "anca"}},
        {{{"topology", "qtree"}, {"k", "4"}, {"n", "3"}}, {"nca"}},
        {{{"topology", "flatfly"},
          {"k", "3"},
          {"n", "2"},
          {"c", "4"},
          {"x", "3"},
          {"y", "3"},
          {"xr", "2"},
          {"yr", "2"}},
         {"ran_min", "xyyx", "valiant", "ugal"}},
        {{{"topology", "dragonflynew"}, {"k", "1"}, {"n", "1"}}, {"min", "ugal"}},
        {{{"topology", "anynet"}, {"network_file", PROJECT_FOLDER "/examples/networks/anynet_file"}},
         {"min"}},
    };
    return bases;
}

const LegalValues& booksim_values()
{
    static const LegalValues values{
        {"use_noc_latency", {"0", "1"}},
        {"c", {"1"}},
        {"x", {"2", "8"}},
        {"y", {"2", "8"}},
        {"xr", {"1"}},
        {"yr", {"1"}},
        {"router", {"iq", "event", "chaos"}},
        {"credit_delay", {"0", "1", "2"}},
        {"num_vcs", {"8", "16"}},
        {"vc_buf_size", {"4", "8"}},
        {"speculative", {"0", "1"}},
        {"spec_sw_allocator", {"prio", "islip"}},
        {"internal_speedup", {"1.0", "2.0"}},
        {"input_speedup", {"1", "2"}},
        {"buffer_policy", {"private", "shared"}},
        {"routing_delay", {"0", "1", "2"}},
        {"vc_alloc_delay", {"1", "2"}},
        {"sw_alloc_delay", {"1", "2"}},
        {"st_prepare_delay", {"0", "1"}},
        {"st_final_delay", {"1", "2"}},
        {"vc_allocator",
         {"islip", "separable_input_first", "separable_output_first", "wavefront", "max_size", "pim"}},
        {"sw_allocator",
         {"islip", "separable_input_first", "separable_output_first", "wavefront", "max_size", "select"}},
        {"arb_type", {"round_robin", "matrix", "tree"}},
        {"alloc_iters", {"1", "2"}},
        {"classes", {"1", "2"}},
        {"traffic",
         {"uniform", "transpose", "bitcomp", "bitrev", "shuffle", "tornado", "neighbor", "randperm",
          "hotspot(0)", "hotspot({{0,1}})", "hotspot({{0,1},{2,2}})"}},
        {"injection_rate", {"0.01", "0.02"}},
        {"injection_rate_uses_flits", {"0", "1"}},
        {"packet_size", {"1", "5", "{1,4}", "{{1,4}}"}},
        {"packet_size_rate", {"1", "{{1,3}}"}},
        {"injection_process", {"bernoulli", "on_off", "on_off({0.1,0.2,0.5})"}},
        {"burst_alpha", {"0.1"}},
        {"burst_beta", {"0.2"}},
        {"burst_r1", {"-1.0", "0.25"}},
        {"priority", {"none", "age", "class", "local_age", "queue_length"}},
        {"use_read_write", {"0", "1"}},
        {"sim_type", {"latency", "throughput", "batch"}},
        {"warmup_periods", {"0", "1", "3"}},
        {"sample_period", {"50"}},
        {"max_samples", {"4"}},
        {"sim_count", {"1", "2"}},
        {"seed", {"0", "5", "time"}},
    };

    return values;
}

const LegalValues& noxim_values()
{
    static const LegalValues values{
        {"topology", {"MESH"}},
        {"mesh_dim_x", {"2", "3"}},
        {"mesh_dim_y", {"2", "4"}},
        {"n_delta_tiles", {"8"}},
        {"buffer_depth", {"1", "4", "16"}},
        {"flit_size", {"8", "20", "32", "64"}},
        {"min_packet_size", {"1", "2"}},
        {"max_packet_size", {"2", "5"}},
        {"routing_algorithm",
         {"XY", "WEST_FIRST", "NORTH_LAST", "NEGATIVE_FIRST", "ODD_EVEN", "DYAD", "OWN"}},
        {"selection_strategy", {"RANDOM", "BUFFER_LEVEL", "NOP", "OWN"}},
        {"packet_injection_rate", {"0", "0.005", "0.01"}},
        {"probability_of_retransmission", {"0.005", "0.01", "0.02"}},
        {"traffic_distribution", {"TRAFFIC_RANDOM"}},
        {"clock_period_ps", {"250", "1000"}},
        {"simulation_time", {"400"}},
        {"n_virtual_channels", {"1", "2", "4"}},
        {"stats_warm_up_time", {"0", "100"}},
        {"use_winoc", {"true", "false"}},
        {"use_wirxsleep", {"true", "false"}},
        {"winoc_dst_hops", {"0", "2"}},
        {"max_volume_to_be_drained", {"0", "100"}},
        {"dyad_threshold", {"0.6"}},
    };
    return values;
}

const Settings& noxim_needs()
{
    static const Settings values{{"mesh_dim_x", "3"},
                                 {"mesh_dim_y", "3"},
                                 {"buffer_depth", "4"},
                                 {"flit_size", "32"},
                                 {"min_packet_size", "2"},
                                 {"max_packet_size", "4"},
                                 {"routing_algorithm", "XY"},
                                 {"selection_strategy", "RANDOM"},
                                 {"packet_injection_rate", "0.01"},
                                 {"probability_of_retransmission", "0.01"},
                                 {"traffic_distribution", "TRAFFIC_RANDOM"},
                                 {"clock_period_ps", "1000"},
                                 {"simulation_time", "400"},
                                 {"n_virtual_channels", "1"},
                                 {"stats_warm_up_time", "100"}};

    return values;
}

const LegalValues& garnet_values()
{
    static const LegalValues values{
        {"--synthetic",
         {"uniform_random", "bit_complement", "bit_reverse", "bit_rotation", "shuffle", "transpose"}},
        {"--injectionrate", {"0.01", "0.02"}},
        {"--sim-cycles", {"300"}},
        {"--single-sender-id", {"-1"}},
        {"--single-dest-id", {"-1", "5"}},
        {"--inj-vnet", {"-1", "0", "1", "2"}},
        {"--num-packets-max", {"-1", "50"}},
        {"--network", {"garnet", "simple"}},
        {"--router-latency", {"1", "2", "4"}},
        {"--link-latency", {"1", "3"}},
        {"--link-width-bits", {"64", "128", "256"}},
        {"--vcs-per-vnet", {"1", "2", "4"}},
        {"--routing-algorithm", {"0", "1", "2"}},
        {"--num-dirs", {"16"}},
        {"--ruby-clock", {"2GHz", "500MHz"}},
        {"--sys-clock", {"1GHz", "800MHz"}},
        {"--network-fault-model", {"true", "false"}},
    };
    return values;
}

void Draw::add(Settings& settings, std::span<const ForeignKey> table, const LegalValues& legal, double share)
{
    for (const ForeignKey& row : table) {
        const std::string name(row.name);
        if (settings.contains(name) || !std::bernoulli_distribution(share)(random_))
            continue;
        const auto values = legal.find(name);
        if (values != legal.end())
            settings[name] = one_of(values->second);
        else
            settings[name] = row.otherwise.find_first_not_of("-.0123456789") == std::string_view::npos &&
                                     !row.otherwise.empty()
                                 ? one_of({"0", "1", "2", "7", std::string(row.otherwise)})
                                 : one_of({"name", std::string(row.otherwise)});
        if (settings[name].empty())
            settings.erase(name);
    }
}

} // namespace nocturne::test
