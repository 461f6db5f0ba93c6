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

/// Messages of 16 flits and more, up to 70 % of saturation.
bool is_claimed(const Accuracy& row)
{
    return std::stoul(row.cell.packet_flits) >= 16 && row.of_saturation < 0.71;
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
    double worst = 0;
    double worst_of_several = 0; // with more virtual channels than the routing needs
    for (const Accuracy& row : rows)
        if (is_claimed(row)) {
            double& most = row.cell.vcs == 0 ? worst : worst_of_several;
            most = std::max(most, std::abs(row.error_percent()));
        }
    fmt::print("\nmessages of 16 flits and more up to 70 % of saturation: within {:.1f} %, with 4 virtual "
               "channels within {:.1f} %\n",
               worst, worst_of_several);
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
