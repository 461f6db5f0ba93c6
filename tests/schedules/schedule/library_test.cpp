// The schedules printed in the papers.
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"

namespace nocturne::library_test {

using namespace nocturne::test;

TEST_CASE("the printed schedules are valid once their paths are completed", "[schedule][library]")
{
    struct Printed {
        const char* file;
        const char* topology;
        CollectiveKind collective;
        std::size_t steps;
        bool names_paths;
    };
    const auto expected =
        GENERATE(Printed{"omega8_aab.json", "omega:8", CollectiveKind::allgather, 7, false},
                 Printed{"fat_tree8_aas.json", "fattree:8", CollectiveKind::alltoall, 7, false},
                 Printed{"octagon8_aas.json", "octagon:8", CollectiveKind::alltoall, 4, true});
    const auto [as_printed, network, claims, defaults, is_bound] =
        load_schedule(std::string(SCHEDULE_LIBRARY) + "/" + expected.file);
    CHECK(network.name() == expected.topology);
    CHECK(as_printed.collective.kind == expected.collective);
    CHECK(as_printed.steps.size() == expected.steps);
    CHECK(count_transfers(as_printed) == 56);
    CHECK(is_complete(as_printed) == expected.names_paths);

    const auto [schedule, topology] = printed(expected.file);
    CHECK(is_complete(schedule));
    CHECK(validate(schedule, topology).empty());
}

} // namespace nocturne::library_test
