#include "sim/cli/packet_options.hpp"

#include "models/topology/files.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/report/table.hpp"

#include <algorithm>
#include <span>

namespace nocturne::cli {

namespace {

/// As write_table(), of many results: only a few of them are a table at a time.
template <class Result>
void write_rows(const OptionValues& given, const char* option, const std::vector<Result>& results)
{
    if (!given.has(option))
        return;
    constexpr std::size_t at_a_time = 1024;
    const Origin origin = origin_of(given);
    write_file_atomically(given.text(option), [&](const ByteSink& sink) {
        std::size_t written = 0;
        do {
            const auto rest = std::span(results).subspan(written);
            const auto next = rest.first(std::min(rest.size(), at_a_time));
            const std::string text = csv_of(with_origin(table_of("", next), origin));
            const std::size_t begin = written == 0 ? 0 : text.find('\n') + 1; // one header
            sink(std::string_view(text).substr(begin));
            written += next.size();
        } while (written < results.size());
    });
}

} // namespace

OptionTable packet_options()
{
    return option_table(
        "Packets",
        {{"packet-log", written_value("FILE"),
          "write every packet as it arrives: class, source, destination, flits, cycles, hops; CSV, or binary "
          "if the name ends in .bin"},
         {"packet-sample",
          count_value(1, {1, 1'000'000'000'000}),
          "log on average one packet in N, drawn with --seed",
          {"packet-log"}},
         {"flows", written_value("FILE"), "write latency and rate per source and destination as CSV"},
         {"histogram", written_value("FILE"), "write the histogram of packet latencies as CSV"}});
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
    write_rows(given, "flows", flows);
    write_rows(given, "histogram", histogram);
}

} // namespace nocturne::cli
