#include "sim/rtl/verilog_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

namespace nocturne {

std::string concatenation(const std::vector<std::string>& from_lowest)
{
    return fmt::format("{{{}}}", fmt::join(from_lowest.rbegin(), from_lowest.rend(), ", "));
}

std::vector<std::string> signal_names(std::string_view prefix, const std::vector<std::uint32_t>& numbers,
                                      std::string_view suffix)
{
    std::vector<std::string> names;
    for (const std::uint32_t number : numbers)
        names.push_back(fmt::format("{}{}{}", prefix, number, suffix));
    return names;
}

std::vector<std::uint32_t> numbers_from(std::uint32_t first, unsigned count)
{
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

namespace {

/// `none`, `4`, `4 to 7`.
std::string range(std::size_t first, std::size_t end)
{
    if (first == end)
        return "none";
    return end - first == 1 ? fmt::format("{}", first) : fmt::format("{} to {}", first, end - 1);
}

} // namespace

std::string describe_links(const NetworkPlan& plan)
{
    const std::size_t injection = plan.numbers.first_injection_link(0);
    const std::size_t ejection = plan.numbers.first_ejection_link(0);
    return fmt::format("{} are the channels in the order of the network (`nocturne topology NETWORK -o "
                       "FILE.json`),\n{} the injection links of the processors in their order, {} the "
                       "ejection links",
                       range(0, injection), range(injection, ejection), range(ejection, plan.links.size()));
}

std::string_view images_parameter()
{
    return "#(\n    parameter IMAGES = \"./\" // the folder of the images, with a slash behind it\n) ";
}

std::string_view clock_and_reset()
{
    return R"(    logic clock = 1'b0;
    logic reset = 1'b1;
    always #1 clock = ~clock;
    initial begin
        repeat (2) @(posedge clock);
        @(negedge clock);
        reset = 1'b0;
    end
)";
}

std::string_view trace_file()
{
    return R"(    integer trace = 0;
    reg [8*1024-1:0] trace_name;
    initial
        if ($value$plusargs("trace=%s", trace_name))
            trace = $fopen(trace_name, "w");
)";
}

} // namespace nocturne
