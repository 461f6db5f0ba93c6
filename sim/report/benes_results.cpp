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
        "One network, routed in one way, over many permutations; `wormhole` sets no circuits, null for it.",
        {{"network", "", "`benes:4,5,3`.", &Point::network},
         {"switch_size", "", "Inputs of a switch.", &Point::switch_size, Shown::in_files},
         {"digits", "", "Of an address, in base of the switch size.", &Point::digits, Shown::in_files},
         {"truncated", "", "Columns that are left out.", &Point::truncated, Shown::in_files},
         {"columns", "", "Of switches.", &Point::columns},
         {"link_bits", "bits", "Width of a link.", &Point::link_bits},
         {"randomization", "",
          "`single` or `multiple`, or a reference: `looping` (no conflicts) or `wormhole` (flit level).",
          &Point::randomization},
         {"permutations", "", "`random`, `reversal`, `worst` and others.", &Point::permutations},
         {"search_start", "", "Of `worst` permutations: where the climb to it began; null for others.",
          &Point::search_start},
         Field<Point>("searched_delay", "network cycles",
                      "Of `worst` permutations: mean with the tags of the search; null for others.",
                      &Point::searched_delay)
             .null_unless(of_search),
         {"samples", "", "Permutations that were routed.", &Point::samples},
         of_circuits("mean_delay", "network cycles", "Mean over the permutations.", &Point::mean_delay),
         of_circuits("mean_delay_error", "network cycles",
                     "Half the width of the 95 % confidence interval of the mean (Student's t).",
                     &Point::delay_error),
         of_circuits("maximum_delay", "network cycles", "Of all permutations.", &Point::most_delay),
         of_circuits("share_within_limit", "", "Of permutations with at most the limit of delay, 0 to 1.",
                     &Point::share_within_limit),
         of_circuits("share_low", "", "Low end of its 95 % confidence interval (Clopper and Pearson).",
                     &Point::share_low, Shown::in_files),
         of_circuits("share_high", "", "High end of it.", &Point::share_high, Shown::in_files),
         of_circuits("messages_within_limit", "",
                     "Share of messages that are through after so many attempts, 0 to 1.",
                     &Point::messages_within_limit, Shown::in_files),
         of_circuits("network_cycle_clocks", "clocks", "Of a network cycle: set-up and transfer.",
                     &Point::network_cycle_clocks),
         {"rounds", "", "How often a permutation is routed to move whole messages.", &Point::rounds,
          Shown::in_files},
         {"mean_latency_clocks", "clocks", "Of a permutation.", &Point::mean_clocks},
         {"mean_latency_error_clocks", "clocks",
          "Half the width of the 95 % confidence interval of the mean.", &Point::clocks_error},
         {"maximum_latency_clocks", "clocks", "Of all permutations.", &Point::most_clocks}}};
}

Fields<BenesResults> fields_of(const BenesResults*)
{
    return {"benes",
            "Randomized routing of permutations on Benes networks of one size.",
            {{"points", "", "One for each network, kind of permutation and manner of routing.",
              &BenesResults::points, Shown::as_rows}}};
}

} // namespace nocturne
