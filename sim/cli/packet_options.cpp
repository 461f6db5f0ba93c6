#include "sim/cli/packet_options.hpp"

#include "models/topology/files.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/report/table.hpp"

namespace nocturne::cli {

OptionTable packet_options()
{
    return option_table(
        "Packets",
        {{"packet-log", written_value("FILE"),
          "write every packet while it runs: class, source, destination, flits, cycles, hops; as CSV, or as "
          "binary records if the name ends in .bin"},
         {"packet-sample",
          count_value(1, {1, 1'000'000'000'000}),
          "one of so many packets in the mean, drawn with --seed",
          {"packet-log"}},
         {"flows", written_value("FILE"), "write latencies and rates by source and destination, as CSV"},
         {"histogram", written_value("FILE"), "write how many packets took how long, as CSV"}});
}

bool wants_packets(const OptionValues& given)
{
    return given.has("packet-log") || given.has("flows") || given.has("histogram");
}

void with_packet_records(const OptionValues& given, const std::function<void(const PacketRecords&)>& run)
{
    PacketRecords records{{}, given.has("flows"), given.has("histogram")};
    if (!given.has("packet-log")) {
        run(records);
        return;
    }
    records.log.sample = given.count("packet-sample");
    records.log.seed = given.count("seed");
    records.log.format = packet_log_format(given.text("packet-log"));
    // The worker writes into the file that is open here: it takes its name when all has gone well.
    write_file_atomically(given.text("packet-log"), [&](const ByteSink& sink) {
        records.log.sink = sink;
        run(records);
    });
}

void write_packet_tables(const OptionValues& given, const std::vector<FlowLatency>& flows,
                         const std::vector<LatencyCount>& histogram)
{
    write_table(given, "flows", table_of("Flows", flows));
    write_table(given, "histogram", table_of("Latencies", histogram));
}

} // namespace nocturne::cli
