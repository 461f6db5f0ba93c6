#include "sim/report/benes_results.hpp"

namespace nocturne {

Fields<BenesPoint> fields_of(const BenesPoint*)
{
    using Point = BenesPoint;
    const auto of_circuits = [](const char* name, const char* unit, const char* meaning, auto member,
                                Shown shown = Shown::everywhere) {
        return Field<Point>(name, unit, meaning, member, shown).null_unless([](const Point& point) {
            return point.network_cycle_clocks > 0;
        });
    };
    const auto of_search = [](const Point& point) { return !point.search_start.empty(); };
    return {
        "benes point",
        "One network with one kind of randomization, over many permutations; circuit fields are null for "
        "`wormhole`.",
        {{"network", "", "Name of the network: `benes:4,5,3`.", &Point::network},
         {"switch_size", "", "Inputs of a switch.", &Point::switch_size, Shown::in_files},
         {"digits", "", "Digits of an address, in base of the switch size.", &Point::digits, Shown::in_files},
         {"truncated", "", "Columns removed from the full network.", &Point::truncated, Shown::in_files},
         {"columns", "", "Columns of switches.", &Point::columns},
         {"link_bits", "bits", "Width of a link.", &Point::link_bits},
         {"randomization", "",
          "`single` or `multiple`, or a reference: `looping` (no conflicts) or `wormhole` (flit level).",
          &Point::randomization},
         {"permutations", "", "`random`, `reversal`, `worst` and others.", &Point::permutations},
         {"search_start", "", "For `worst` permutations: start of the search; null for others.",
          &Point::search_start},
         Field<Point>("searched_delay", "network cycles",
                      "For `worst` permutations: mean delay with the tags of the search; null for others.",
                      &Point::searched_delay)
             .null_unless(of_search),
         {"samples", "", "Routed permutations.", &Point::samples},
         of_circuits("mean_delay", "network cycles", "Mean over the permutations.", &Point::mean_delay),
         of_circuits("mean_delay_error", "network cycles",
                     "Half width of the 95 % confidence interval of the mean (Student's t).",
                     &Point::delay_error),
         of_circuits("maximum_delay", "network cycles", "Maximum over the permutations.", &Point::most_delay),
         of_circuits("share_within_limit", "", "Share of permutations within the delay limit, 0 to 1.",
                     &Point::share_within_limit),
         of_circuits("share_low", "", "Lower end of its 95 % confidence interval (Clopper and Pearson).",
                     &Point::share_low, Shown::in_files),
         of_circuits("share_high", "", "Upper end of its 95 % confidence interval.", &Point::share_high,
                     Shown::in_files),
         of_circuits("messages_within_limit", "",
                     "Share of messages delivered within the delay limit, 0 to 1.",
                     &Point::messages_within_limit, Shown::in_files),
         of_circuits("network_cycle_clocks", "clocks",
                     "Clock cycles of a network cycle: set-up and transfer.", &Point::network_cycle_clocks),
         {"rounds", "", "Number of times a permutation is routed to move whole messages.", &Point::rounds,
          Shown::in_files},
         {"mean_latency_clocks", "clocks", "Mean latency of a permutation.", &Point::mean_clocks},
         {"mean_latency_error_clocks", "clocks", "Half width of the 95 % confidence interval of the mean.",
          &Point::clocks_error},
         {"maximum_latency_clocks", "clocks", "Maximum over the permutations.", &Point::most_clocks}}};
}

Fields<BenesResults> fields_of(const BenesResults*)
{
    return {"benes",
            "Randomized routing of permutations on Benes networks of one size.",
            {{"points", "", "One row per network, kind of permutation and randomization.",
              &BenesResults::points, Shown::as_rows}}};
}

} // namespace nocturne
