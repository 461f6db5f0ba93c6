// The message-level model beside the flit-level model: how far it is from it, and how fast.
#include "testbenches/testbench.hpp"
#include "testbenches/worm_model/accuracy.hpp"
#include "testbenches/worm_model/speed.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <sstream>

namespace {

using namespace nocturne;
using namespace nocturne::worm_model;

/// The largest error, %, of messages of 16 flits and more up to a part of saturation.
double worst_error(const std::vector<Accuracy>& rows, double of_saturation)
{
    double worst = 0;
    for (const Accuracy& row : rows)
        if (std::stoul(row.cell.packet_flits) >= 16 && row.of_saturation < of_saturation + 0.01)
            worst = std::max(worst, std::abs(row.error_percent()));
    return worst;
}

int run_accuracy(const std::string& only, std::uint64_t window_cycles, const std::string& output)
{
    std::vector<TrafficCell> cells;
    for (const TrafficCell& cell : all_cells())
        if (only.empty() || cell.topology == only)
            cells.push_back(cell);
    testbench::require_chosen(cells.size(), only, "the cells");
    const std::vector<Accuracy> rows = measure_accuracy(cells, window_cycles);
    print_text(std::cout, accuracy_table(rows));
    if (!output.empty())
        testbench::write_files(output, {{"accuracy.csv", csv_of(accuracy_table(rows))}});
    const double worst = worst_error(rows, 0.7);
    fmt::print(
        "\nmessages of 16 flits and more: within {:.1f} % up to half of saturation, {:.1f} % up to 70 %, "
        "{:.1f} % up to 90 %\n",
        worst_error(rows, 0.5), worst, worst_error(rows, 0.9));
    std::vector<std::string> failed;
    if (worst > 5)
        failed.push_back(fmt::format("{:.1f} % is more than 5 %", worst));
    return testbench::status_of("worm_model", failed);
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    SpeedOptions speed;
    std::string what;
    std::string only;
    std::string output;
    std::uint64_t window = 0;
    po::options_description description;
    description.add_options()("measure", po::value(&what)->default_value("accuracy"), "accuracy or speed")(
        "only", po::value(&only)->default_value(""), "accuracy: of this topology")(
        "window", po::value(&window)->default_value(50000), "accuracy: cycles that are measured")(
        "output", po::value(&output)->default_value(""), "accuracy: folder for accuracy.csv")(
        "topology", po::value(&speed.topology)->default_value(speed.topology), "speed: specification")(
        "routing", po::value(&speed.routing)->default_value(speed.routing), "speed: routing function")(
        "pattern", po::value(&speed.pattern)->default_value(speed.pattern),
        "speed: pattern")("load", po::value(&speed.load)->default_value(speed.load),
                          "speed: offered flits per processor and cycle")(
        "packet-flits", po::value(&speed.packet_flits)->default_value(speed.packet_flits),
        "speed: flits of a message")("cycles", po::value(&speed.cycles)->default_value(speed.cycles),
                                     "speed: cycles in which messages are made");
    return testbench::run(argc, argv, "worm_model", description, [&] {
        if (what == "accuracy")
            return run_accuracy(only, window, output);
        if (what != "speed")
            throw std::invalid_argument(fmt::format("--measure {}: accuracy or speed", what));
        measure_speed(speed);
        return 0;
    });
}
