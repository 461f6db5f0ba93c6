#include "models/routing/random.hpp"
#include "sim/audit/measured_log.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace nocturne::measured_log_test {

using Catch::Contains;

namespace {

const std::string ranks_of_two =
    "#  Rank  0 Group  0 Pid   1000 on      nodeA device  0 [0000:10:00] NVIDIA GB200\n"
    "#  Rank  1 Group  0 Pid   1001 on      nodeB device  0 [0000:18:00] NVIDIA GB200\n";
const std::string title =
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   "
    "algbw   busbw #wrong\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  "
    "(GB/s)  (GB/s)\n";
const std::string both_places = "   536870912     134217728     float     sum      -1   1806.7  297.16  "
                                "297.16      0   1835.9  292.43  292.43    "
                                "N/A\n";

MeasuredRun only_run(const std::string& text)
{
    const MeasuredLog log = read_measured_log(text, "a.log");
    CHECK(log.remarks.empty());
    REQUIRE(log.runs.size() == 1);
    return log.runs.front();
}

} // namespace

TEST_CASE("a log of nccl-tests says collective, ranks, hosts and both places", "[audit]")
{
    const MeasuredRun run =
        only_run("# Collective test starting: all_reduce_perf\n" + ranks_of_two + title + both_places);
    CHECK(run.tool == "nccl-tests");
    CHECK(run.kind == CollectiveKind::allreduce);
    CHECK_FALSE(run.is_kind_inferred);
    CHECK(run.ranks == 2);
    CHECK(run.hosts == 2);
    CHECK(run.device == "NVIDIA GB200");
    REQUIRE(run.rows.size() == 2);
    const LogRow& out = run.rows.front();
    CHECK(out.line == 6);
    CHECK(out.size == 536870912);
    CHECK(out.time_us == 1806.7);
    CHECK(out.algorithm_bandwidth == 297.16);
    CHECK(out.bus_bandwidth == 297.16);
    CHECK(out.place == "out");
    CHECK_FALSE(out.is_wrong);
    CHECK(run.rows.back().place == "in");
    CHECK(run.rows.back().time_us == 1835.9);
}

TEST_CASE("rows are found whatever their columns and whatever stands before them", "[audit]")
{
    // Columns behind size, count and type: redop and root, each, or none; with the check and without.
    const auto [row, measurements] =
        GENERATE(std::pair{"1024 256 float sum -1 10.5 0.10 0.10 0 11.5 0.09 0.09 0", 2},
                 std::pair{"1024 256 float sum 10.5 0.10 0.10 0e+00 11.5 0.09 0.09 0e+00", 2},
                 std::pair{"1024 256 float 0 10.5 0.10 0.10 0e+00 11.5 0.09 0.09 N/A", 2},
                 std::pair{"1024 256 float 10.5 0.10 0.10 0e+00 11.5 0.09 0.09 0e+00", 2},
                 std::pair{"1024 256 float none 10.5 0.10 0.10 11.5 0.09 0.09", 2},
                 std::pair{"1024 256 float sum -1 10.5 0.10 0.10 0", 1},
                 std::pair{"1024 256 float none 10.5 0.10 0.10 0", 1},
                 std::pair{"1024 256 bfloat16 none -1 10.5 0.10 0.10", 1});
    const std::string before =
        GENERATE("", "[1,0]<stdout>:", "[1,0]<stdout>:   ", "0: ", "2026-01-02T03:04:05 stdout F ");
    CAPTURE(row, before);
    const MeasuredRun run = only_run("mpirun ./build/all_gather_perf -b 1K\n" + before + row + "\n");
    CHECK(run.kind == CollectiveKind::allgather);
    CHECK(run.ranks == 0);
    REQUIRE(run.rows.size() == static_cast<std::size_t>(measurements));
    CHECK(run.rows.front().size == 1024);
    CHECK(run.rows.front().time_us == 10.5);
    CHECK(run.rows.front().bus_bandwidth == 0.10);
    if (measurements == 2)
        CHECK(run.rows.back().time_us == 11.5);
}

TEST_CASE("empty measurements are left out and counted, wrong ones are marked", "[audit]")
{
    const MeasuredLog log = read_measured_log("all_reduce_perf\n"
                                              "0 0 float sum -1 5.0 0.00 0.00 0 5.1 0.00 0.00 0\n"
                                              "8 2 float sum -1 0.00 0.00 0.00 0 12.0 0.00 0.00 N/A\n"
                                              "1.5 nothing\n"
                                              "16 4 float sum -1 2.68e+8 0.00 0.00 3 12.0 0.00 0.00 1e+00\n",
                                              "a.log");
    REQUIRE(log.runs.size() == 1);
    REQUIRE(log.remarks.size() == 1);
    CHECK_THAT(log.remarks.front(), Contains("2 measurements of 0 bytes or without a time"));
    const std::vector<LogRow>& rows = log.runs.front().rows;
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].place == "in");
    CHECK_FALSE(rows[0].is_wrong);
    CHECK(rows[1].time_us == 2.68e8);
    CHECK(rows[1].is_wrong);
    CHECK(rows[2].is_wrong);
}

TEST_CASE("of a row whose end is missing the figures count that are whole, and it is named", "[audit]")
{
    const auto [row, time] = GENERATE(
        std::pair{"8589934592 2147483648 float sum -1 33800.0 254.14 476.52 0 33790.0", 33800.0},
        std::pair{"8589934592 2147483648 float none 0 33800.0 254.14 476.52 0 33790.0", 33800.0},
        std::pair{
            "8589934592 2147483648 float sum -1 33800.0 254.14 476.52 0 33790.0node2: Test NCCL failure",
            33800.0},
        std::pair{"8589934592 2147483648 float sum -1 33800.0 254.14", 0.0},
        std::pair{"8589934592 2147483648 float sum", 0.0}, std::pair{"8589934592 2147483648 float", 0.0});
    CAPTURE(row);
    const MeasuredLog log =
        read_measured_log("all_reduce_perf\n" + ranks_of_two + title + both_places + row + "\n", "a.log");
    REQUIRE(log.runs.size() == 1);
    CHECK_THAT(log.remarks.back(), Contains("line 7: the end of this row is missing"));
    const std::vector<LogRow>& rows = log.runs.front().rows;
    REQUIRE(rows.size() == (time > 0 ? 3 : 2));
    if (time > 0) {
        CHECK(rows.back().time_us == time);
        CHECK(rows.back().bus_bandwidth == 476.52);
        CHECK(rows.back().place == "out");
    }
}

TEST_CASE("failures of the benchmark are remarked", "[audit]")
{
    const MeasuredLog log = read_measured_log("all_reduce_perf\n" + ranks_of_two + title + both_places +
                                                  "nodeA: Test NCCL failure all_reduce.cu:44\n",
                                              "a.log");
    CHECK(log.remarks == std::vector<std::string>{
                             "line 7: the benchmark failed: nodeA: Test NCCL failure all_reduce.cu:44"});
}

TEST_CASE("a collective that no line names is told by its columns and bandwidths", "[audit]")
{
    const auto run_of = [](const std::string& row) { return only_run(ranks_of_two + title + row + "\n"); };
    CHECK(run_of("8192 2048 float sum -1 10 0.82 0.82 0").kind == CollectiveKind::allreduce);
    CHECK(run_of("8192 2048 float sum -1 10 0.82 0.82 0").is_kind_inferred);
    CHECK(run_of("8192 2048 float sum -1 10 0.82 0.41 0").kind == CollectiveKind::reduce_scatter);
    CHECK(run_of("8192 2048 float sum 0 10 0.82 0.82 0").kind == CollectiveKind::reduce);
    CHECK(run_of("8192 2048 float none 0 10 0.82 0.82 0").kind == CollectiveKind::broadcast);
    // An allgather or an alltoall: their columns are alike.
    CHECK_FALSE(run_of("8192 2048 float none -1 10 0.82 0.41 0").kind);
}

TEST_CASE("several runs in a log are told apart", "[audit]")
{
    const std::string first = "# nThread 1 nGpus 2\n", row = "1024 256 float sum -1 10.5 0.10 0.10 0\n",
                      other_row = "1024 256 float sum -1 20.5 0.05 0.05 0\n";
    SECTION("one behind the other")
    {
        const MeasuredLog log =
            read_measured_log("all_reduce_perf\n" + first + ranks_of_two + row + "reduce_scatter_perf\n" +
                                  first + ranks_of_two + other_row,
                              "a");
        CHECK(log.remarks.empty());
        REQUIRE(log.runs.size() == 2);
        CHECK(log.runs[0].kind == CollectiveKind::allreduce);
        CHECK(log.runs[1].kind == CollectiveKind::reduce_scatter);
        CHECK(log.runs[1].ranks == 2);
        CHECK(log.runs[1].rows.front().time_us == 20.5);
    }
    SECTION("at the same time, without MPI")
    {
        const MeasuredLog log = read_measured_log(
            "all_reduce_perf\n" + first + first + ranks_of_two + ranks_of_two + row + other_row, "a");
        REQUIRE(log.runs.size() == 2);
        CHECK(log.runs[0].ranks == 2);
        CHECK(log.runs[0].rows.size() == 1);
        CHECK(log.runs[1].rows.front().time_us == 20.5);
        REQUIRE(log.remarks.size() == 1);
        CHECK_THAT(log.remarks.front(), Contains("2 runs of 2 ranks each") && Contains("without MPI"));
    }
}

TEST_CASE("logs of benchmarks of MPI count blocks", "[audit]")
{
    SECTION("OSU")
    {
        const MeasuredRun run =
            only_run("\n# OSU MPI-CUDA Alltoall Latency Test v5.8\n"
                     "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
                     "4096                   467.38            460.00            470.00        1000\n");
        CHECK(run.tool == "OSU micro-benchmarks");
        CHECK(run.kind == CollectiveKind::alltoall);
        CHECK(run.size_meaning == SizeMeaning::one_block);
        CHECK(run.ranks == 0);
        REQUIRE(run.rows.size() == 1);
        CHECK(run.rows.front().size == 4096);
        CHECK(run.rows.front().time_us == 467.38);
    }
    SECTION("Intel")
    {
        const MeasuredLog log =
            read_measured_log("# Benchmarking PingPong \n# #processes = 2 \n"
                              "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
                              "            4         1000         0.50         8.00\n"
                              "# Benchmarking Allreduce \n# #processes = 16 \n"
                              "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
                              "            0         1000         0.03         0.04         0.03\n"
                              "         1024         1000         9.50        11.50        10.50\n",
                              "imb.txt");
        REQUIRE(log.runs.size() == 1);
        CHECK(log.runs.front().ranks == 16);
        REQUIRE(log.runs.front().rows.size() == 1);
        CHECK(log.runs.front().rows.front().time_us == 11.5);
        REQUIRE(log.remarks.size() == 2);
        CHECK_THAT(log.remarks.front(), Contains("1 measurement of 0 bytes"));
        CHECK_THAT(log.remarks.back(), Contains("'PingPong'"));
    }
}

TEST_CASE("a table names its columns", "[audit]")
{
    const MeasuredLog log = read_measured_log("op,bytes,time_us,algbw_GBs,busbw_GBs,place,ranks,note\n"
                                              "all_reduce,1024,10.5,0.10,0.15,out,4,\"a, b\"\n"
                                              "osu_allgather,2048,20,,,,4,\n"
                                              "all_reduce,4096,,,,in,4,\n"
                                              "barrier,8,1,,,,4,\n",
                                              "t.csv");
    REQUIRE(log.runs.size() == 2);
    CHECK(log.runs[0].kind == CollectiveKind::allreduce);
    CHECK(log.runs[0].ranks == 4);
    REQUIRE(log.runs[0].rows.size() == 1);
    CHECK(log.runs[0].rows.front().bus_bandwidth == 0.15);
    CHECK(log.runs[1].size_meaning == SizeMeaning::one_block);
    CHECK(log.remarks.size() == 2);
}

TEST_CASE("what is no log is refused in one line", "[audit]")
{
    for (const char* text :
         {"", "\n\n", "op,bytes\nall_reduce,4\n", "# OSU MPI Barrier Latency Test v5.8\n1.5\n", "mesh:4x4",
          "1024 256 float", "op,bytes,time_us\n"}) {
        CAPTURE(text);
        CHECK_THROWS_WITH(read_measured_log(text, "b.log"),
                          Contains("b.log: no measured collective: expected"));
    }
    CHECK_THROWS_WITH(read_measured_log("op,bytes,time_us\nall_reduce,\"4,5\n", "b.csv"),
                      Contains("b.csv: line 2: "));
}

TEST_CASE("any bytes are a log or none", "[audit][property]")
{
    SplitMix64 random(7);
    const std::string pieces[] = {"1024 256 float sum -1 10.5 0.10 0.10 0",
                                  "# Rank 0 on a device 0",
                                  "all_reduce_perf",
                                  "\n",
                                  " ",
                                  "OSU MPI-CUDA ",
                                  "Benchmarking",
                                  "op,bytes,time_us\n",
                                  "\"",
                                  ",",
                                  "#processes = 9",
                                  "N/A",
                                  "-1",
                                  "1e999",
                                  "t_max",
                                  "\xff\xfe",
                                  "<stdout>:"};
    for (unsigned i = 0; i < 3000; ++i) {
        std::string text;
        for (auto left = random.below(30); left > 0; --left)
            text += random.below(4) == 0 ? std::string(1, static_cast<char>(random.below(256)))
                                         : pieces[random.below(std::size(pieces))];
        try {
            for (const MeasuredRun& run : read_measured_log(text, "x").runs) {
                REQUIRE_FALSE(run.rows.empty());
                for (const LogRow& row : run.rows)
                    REQUIRE((row.size > 0 && row.time_us > 0));
            }
        } catch (const std::runtime_error& error) {
            REQUIRE_THAT(error.what(), Catch::StartsWith("x: "));
        }
    }
}

TEST_CASE("sizes mean what each benchmark counts", "[audit]")
{
    using enum CollectiveKind;
    const auto bytes = [](SizeMeaning meaning, CollectiveKind kind) {
        return contributed_bytes(meaning, kind, 800, 8);
    };
    CHECK(bytes(SizeMeaning::whole, allreduce) == 800);
    CHECK(bytes(SizeMeaning::whole, allgather) == 100);
    CHECK(bytes(SizeMeaning::whole, reduce_scatter) == 800);
    CHECK(bytes(SizeMeaning::whole, alltoall) == 700);
    CHECK(bytes(SizeMeaning::one_block, allreduce) == 800);
    CHECK(bytes(SizeMeaning::one_block, allgather) == 800);
    CHECK(bytes(SizeMeaning::one_block, alltoall) == 5600);
    CHECK(bytes(SizeMeaning::one_block, scatter) == 5600);
    CHECK(bytes(SizeMeaning::one_block, reduce_scatter) == 800);
}

} // namespace nocturne::measured_log_test
