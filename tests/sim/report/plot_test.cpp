#include "sim/report/gnuplot.hpp"
#include "sim/report/gnuplot_script.hpp"
#include "sim/report/pictures.hpp"
#include "sim/report/plot.hpp"
#include "tests/catch.hpp"
#include "tests/sim/report/sample_results.hpp"

#include <boost/property_tree/xml_parser.hpp>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace nocturne::plot_test {

using Catch::Contains;
using Catch::Matchers::Message;

namespace {

/// Is it one well-formed XML document, an SVG?
bool is_svg(const std::string& text)
{
    std::istringstream stream(text);
    boost::property_tree::ptree tree;
    boost::property_tree::read_xml(stream, tree); // throws if it is not well formed
    return tree.size() >= 1 && tree.count("svg") == 1;
}

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++found;
    return found;
}

/// The largest x of the lines and areas.
double rightmost(const std::string& svg)
{
    double most = 0;
    const std::regex point("[ML ]([0-9.]+),([0-9.]+)");
    for (auto at = std::sregex_iterator(svg.begin(), svg.end(), point); at != std::sregex_iterator(); ++at)
        most = std::max(most, std::stod((*at)[1]));
    return most;
}

/// Without the 128 of the scale beside it.
std::size_t fields_of_heat(const std::string& svg)
{
    return count(svg, "<polygon fill = 'rgb(") - 128;
}

GanttPlot sample_gantt(std::size_t groups)
{
    GanttPlot plot{"Gantt", {"time (µs)"}, "channel", {"00->01", "01->02"}, "step", {}, {}};
    for (std::size_t i = 0; i < groups; ++i) {
        plot.groups.push_back(std::to_string(i + 1));
        plot.boxes.push_back({i % 2, static_cast<double>(i), static_cast<double>(i + 1), i, "0>1"});
    }
    return plot;
}

} // namespace

TEST_CASE("the latency picture shows schedule, traffics, model and units", "[report][plot]")
{
    const std::string svg = draw(latency_plot(sample_comparison()));
    REQUIRE(is_svg(svg));
    for (const char* text : {"omega8_aab", "schedule", "shifted", "random", "model: (t0 + m t1) steps",
                             "message size (bytes)", "time of the collective (µs)", "64 Ki"}) {
        INFO(text);
        CHECK(count(svg, text) > 0);
    }
}

TEST_CASE("a run that failed is no point, and the legend says so", "[report][plot]")
{
    Comparison comparison = sample_comparison();
    comparison.baselines.back().stall = Stall{10, "circular wait", {{"00->01", 0, "0>4", "01->02"}}};
    CHECK_THAT(draw(latency_plot(comparison)), Contains("random (1 of 3: deadlock)"));

    // More than can be told apart: what the fastest takes, and the slowest.
    for (const std::string routing : {"xy", "yx", "updown", "valiant", "adaptive"})
        for (const std::uint64_t bytes : comparison.message_bytes) {
            comparison.baselines.push_back(sample_run("in-order", bytes, 1000));
            comparison.baselines.back().routing = routing;
        }
    CHECK_THAT(draw(latency_plot(comparison)), Contains("fastest of 7 runs without a schedule") &&
                                                   Contains("slowest of them (1 did not end)") &&
                                                   !Contains("shifted") && Contains("4 virtual channels"));
}

TEST_CASE("the occupancy picture names channels, messages and steps", "[report][plot]")
{
    RunResult run = sample_run("schedule", 64, 4000);
    run.channels = {{"P0->", 8, 1, 0.5}, {"00->01", 8, 1, 0.5}, {"02->03", 0, 0, 0}};
    run.occupancy = {{"00->01", "0>4", 1, 1000, 1900}, {"P0->", "0>5", 2, 3000, 3900}};
    const std::string svg = occupancy_picture(run, "omega8_aab, 64 bytes");
    REQUIRE(is_svg(svg));
    for (const char* text : {"omega8_aab, 64 bytes", "time (ns)", "step", "P0->", "00->01", "0>4", "0>5"}) {
        INFO(text);
        CHECK(count(svg, text) > 0);
    }
    CHECK(count(svg, "02->03") == 0); // carried nothing
}

TEST_CASE("without steps the occupancy picture is coloured by source", "[report][plot]")
{
    RunResult run = sample_run("random", 64, 4000);
    run.occupancy = {{"00->01", "0>4", 1, 1000, 1900}, {"P0->", "1>5", 0, 3000, 3900}};
    CHECK_THAT(occupancy_picture(run, "no schedule"), Contains("source"));
}

TEST_CASE("more channels than one can read are a heat map by sender", "[report][plot]")
{
    RunResult run = sample_run("schedule", 64, 4000);
    for (unsigned router = 0; router < 60; ++router)
        for (const char* to : {"a", "b"}) {
            const std::string channel = fmt::format("r{}->{}", router, to);
            run.channels.push_back({channel, 8, 1, 0.5});
            // One of the two for the first half, the other one for the second.
            const double begin = to[0] == 'a' ? 0 : 2000;
            run.occupancy.push_back({channel, "0>4", 1, begin, begin + 2000});
        }
    const std::string svg = occupancy_picture(run, "many");
    REQUIRE(is_svg(svg));
    CHECK_THAT(svg, Contains(">r59<") && !Contains("r59->a") && Contains("part of the channels"));
    CHECK(fields_of_heat(svg) == 1); // half of the channels of each, all the time
    CHECK_THAT(svg, Contains("> 0.5<") && !Contains("> 0.6<"));
}

TEST_CASE("the picture of a recovery has its phases, their times and the fault", "[report][plot]")
{
    RecoveryResult result;
    result.schedule = "AAS on ring:4";
    result.faults = {"link:0-1"};
    result.fault_ns = 100;
    result.time_ns = 1000;
    result.phases = {{"replay", 0, 100}, {"detect", 100, 400}, {"replay", 400, 1000}};
    const std::string svg = draw(recovery_plot(result));
    REQUIRE(is_svg(svg));
    CHECK_THAT(svg, Contains("AAS on ring:4: link:0-1") && Contains(">replay, 700 ns<") &&
                        Contains(">detect, 300 ns<") && Contains(">link:0-1, 900 ns<"));
    CHECK(count(svg, "<polygon fill = 'rgb(") >= 4);
}

TEST_CASE("every box is drawn, in a colour for each group, few or many", "[report][plot]")
{
    const std::size_t groups = GENERATE(1U, 7U, 8U, 9U, 40U);
    const std::string svg = draw(sample_gantt(groups));
    REQUIRE(is_svg(svg));
    CHECK(count(svg, "<polygon fill = 'rgb") >= groups);
    if (groups < 40) // and labelled where there is room
        CHECK(count(svg, ">0>1<") == groups);
}

TEST_CASE("a logarithmic axis has four labels or more, however short it is", "[report][plot]")
{
    const auto [scale, least, most] = GENERATE(table<Scale, double, double>({{Scale::log10, 80, 400},
                                                                             {Scale::log10, 100, 190},
                                                                             {Scale::log10, 0.3, 5e6},
                                                                             {Scale::log2, 2, 32},
                                                                             {Scale::log2, 64, 65536},
                                                                             {Scale::log2, 1, 1e12}}));
    INFO(least << " to " << most);
    const std::string svg = draw(LinePlot{"t", {"x"}, {"y", scale}, {{"c", {{1, least}, {2, most}}}}});
    const std::string other =
        draw(LinePlot{"t", {"x"}, {"y", Scale::linear, 0, 1}, {{"c", {{1, 0}, {2, 0}}}}});
    // Labels of both axes less those of the other: six on the linear y axis from 0 to 1.
    const std::size_t labels = count(svg, "<text>") - count(other, "<text>") + 6;
    CHECK(labels >= 4);
    CHECK(labels <= 24);
}

TEST_CASE("curves that coincide are both to be seen", "[report][plot]")
{
    LinePlot plot{
        "t", {"x"}, {"y"}, {{"first", {{1, 1}, {2, 2}, {3, 5}}}, {"second", {{1, 1}, {2, 2}, {3, 4}}}}};
    CHECK(count(draw(plot), "stroke-width=\"5.00\"") + count(draw(plot), "stroke-width='5.00'") > 0);
    plot.curves[1].points = {{1, 1}, {2, 3}, {3, 4}};
    CHECK(count(draw(plot), "stroke-width=\"5.00\"") + count(draw(plot), "stroke-width='5.00'") == 0);
}

TEST_CASE("every curve of many has a look of its own, in colours that show on white", "[report][plot]")
{
    std::set<std::pair<std::string, unsigned>> looks;
    std::set<std::string> colours;
    for (std::size_t i = 0; i < 84; ++i) {
        const gnuplot::CurveLook look = gnuplot::curve_look(i);
        looks.insert({look.colour, look.mark});
        colours.insert(look.colour);
        CHECK((std::string(look.dashes) == "solid") == (i % 21 < 7));
    }
    CHECK(looks.size() == 84);
    CHECK(colours.size() == 7);
    // Luminance as WCAG 2.1 has it for the contrast of graphics: yellow on white has 1.07.
    const auto luminance = [](const std::string& colour) {
        double sum = 0;
        for (const auto& [at, weight] : {std::pair{1U, 0.2126}, {3U, 0.7152}, {5U, 0.0722}}) {
            const double part = std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0;
            sum += weight * (part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
        }
        return sum;
    };
    for (const std::size_t count : {3U, 8U, 40U})
        for (std::size_t i = 0; i < count; ++i)
            colours.insert(gnuplot::area_colour(i, count));
    for (const std::string& colour : colours) {
        INFO(colour);
        CHECK(1.05 / (luminance(colour) + 0.05) > 2);
    }
}

TEST_CASE("long legends leave the curves the whole width", "[report][plot]")
{
    LinePlot plot{"t", {"x", Scale::linear, 0, 1}, {"y"}, {}};
    for (unsigned i = 0; i < 10; ++i)
        plot.curves.push_back(
            {"a curve with a long name, and where it saturates " + std::to_string(i), {{0, i}, {1, i}}});
    CHECK(rightmost(draw(plot)) > 900);
}

TEST_CASE("a curve that ends is led up to where there is no value any more", "[report][plot]")
{
    LinePlot plot{"t", {"x"}, {"y", Scale::linear, 0, 10}, {{"c", {{0, 1}, {1, 2}}}}};
    const std::size_t dashed = count(draw(plot), "stroke-dasharray");
    plot.curves[0].ends_at = 1.5;
    const std::string ended = draw(plot);
    CHECK(count(ended, "stroke-dasharray") == dashed + 1);
    CHECK_THAT(ended, !Contains("no value"));
    plot.end_meaning = "no value"; // is a line of the legend
    CHECK(count(draw(plot), "stroke-dasharray") == dashed + 2);
    CHECK_THAT(draw(plot), Contains("no value"));
    plot.y.to = 1.5; // the curve itself leaves the picture, and its mark is above it all the same
    const std::string left = draw(plot);
    CHECK(count(left, "stroke-dasharray") == dashed + 1);
    CHECK(count(left, "#gpPt6") == count(ended, "#gpPt6") - 1); // without the point that is above;
}

TEST_CASE("a group without a box, and boxes without labels, do no harm", "[report][plot]")
{
    GanttPlot plot = sample_gantt(3);
    plot.groups.push_back("idle");
    CHECK(is_svg(draw(plot)));
    for (GanttBox& box : plot.boxes)
        box.label.clear();
    CHECK(is_svg(draw(plot)));
}

TEST_CASE("the same picture is the same text", "[report][plot]")
{
    CHECK(draw(sample_gantt(7)) == draw(sample_gantt(7)));
}

TEST_CASE("no label can break out of its quotes", "[report][plot]")
{
    const std::string label = GENERATE("it's", "'; set output '/dev/null", "a\nquit\n", "\"`ls`\" \\ @x",
                                       "END", "$curve0", "{/Bold x}_1", "%d", "<b>&amp;");
    const Axis axis{label}; // GCC 12 warns in vain (maybe-uninitialized) where one brace holds the other
    const LinePlot lines{label, axis, axis, {{label, {{1, 1}, {2, 4}}}}};
    CHECK(is_svg(draw(lines)));
    const GanttPlot gantt{label, axis, label, {label}, label, {label}, {{0, 0, 1, 0, label}}};
    CHECK(is_svg(draw(gantt)));
}

TEST_CASE("points that an axis cannot show are left out", "[report][plot]")
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    LinePlot plot{"t", {"x", Scale::log2}, {"y", Scale::log10}, {{"a", {{0, 1}, {1, -1}, {2, nan}, {4, 5}}}}};
    CHECK(is_svg(draw(plot)));
    plot.curves[0].points.pop_back();
    CHECK_THROWS_MATCHES(draw(plot), std::invalid_argument, Message("picture t: there is no point to draw"));
}

TEST_CASE("a picture that makes no sense is refused", "[report][plot]")
{
    GanttPlot plot = sample_gantt(2);
    plot.boxes[1].row = 2;
    CHECK_THROWS_AS(draw(plot), std::invalid_argument);
    plot = sample_gantt(2);
    plot.boxes[1].group = 2;
    CHECK_THROWS_AS(draw(plot), std::invalid_argument);
    plot = sample_gantt(2);
    std::swap(plot.boxes[1].begin, plot.boxes[1].end);
    CHECK_THROWS_AS(draw(plot), std::invalid_argument);
    CHECK_THROWS_AS(draw(sample_gantt(0)), std::invalid_argument);
}

TEST_CASE("what gnuplot dislikes, and that it is missing, is one line", "[report][plot]")
{
    CHECK_THROWS_MATCHES(run_gnuplot("plot nonsense\n"), std::runtime_error,
                         Message("gnuplot: line 0: undefined variable: nonsense"));
    CHECK_THROWS_MATCHES(
        run_gnuplot("", "no-such-program"), std::runtime_error,
        Message("no-such-program is not installed; it draws the pictures (Debian: gnuplot-nox)"));
    CHECK_THROWS_MATCHES(run_gnuplot("", "/dev/null"), std::runtime_error,
                         Message("/dev/null: Permission denied"));
    CHECK_THROWS_MATCHES(run_gnuplot("", "false"), std::runtime_error, Message("false: no reason given"));
}

TEST_CASE("a heat picture has a field for each value, and refuses what is no matrix", "[report][plot]")
{
    HeatPlot plot{
        "heat", {"time", Scale::linear, 100, 300}, "channel", {"a->b", "b->a"}, "use", {{0, 1}, {0.5, 0.25}}};
    const std::string picture = draw(plot);
    CHECK_THAT(picture, Catch::Contains("a->b") && Catch::Contains("</svg>") && Catch::Contains("use"));
    CHECK_THAT(picture, Catch::Contains("102,  37,   6") || Catch::Contains("#662506")); // 1 is the darkest
    CHECK(fields_of_heat(picture) == 3); // the field of 0 stays white
    plot.values = {{0.11, 0.11}, {0.11, 0.11}};
    const std::string even = draw(plot);
    CHECK(fields_of_heat(even) == 1);
    CHECK_THAT(even, Contains("> 0.2<") && !Contains("> 0.3<")); // the end of the scale
    plot.values = {{0, 0}, {0, 0}};
    CHECK(is_svg(draw(plot)));
    plot.values[1].pop_back();
    CHECK_THROWS_WITH(draw(plot), Catch::Contains("different length"));
    plot.rows.clear();
    CHECK_THROWS_WITH(draw(plot), Catch::Contains("nothing to draw"));
}

} // namespace nocturne::plot_test
