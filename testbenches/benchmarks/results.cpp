#include "testbenches/benchmarks/results.hpp"

#include "models/topology/files.hpp"
#include "sim/report/plot.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne::benchmarks {

namespace {

struct Rate {
    std::string name;
    double per_second = 0;
    double per_step = 0; ///< of the calibration loop
    double mib = 0;
    double processors = 0;
};

/// The name without what Google Benchmark adds of its own settings.
std::string plain_name(const std::string& name)
{
    return name.substr(0, name.find("/iterations:"));
}

/// In the order of the file, each name once.
std::vector<Rate> rates_of(const std::filesystem::path& file)
{
    const nlohmann::json document = nlohmann::json::parse(read_file(file), nullptr, false);
    if (!document.is_object() || !document.contains("benchmarks") || document["benchmarks"].empty())
        throw std::runtime_error(fmt::format("{}: no results of Google Benchmark", file.string()));
    std::vector<Rate> rates;
    for (const nlohmann::json& run : document["benchmarks"]) {
        if (run.value("run_type", "") != "iteration" || run.value("error_occurred", false))
            continue;
        const Rate rate{plain_name(run.value("run_name", "")), run.value(work_counter, 0.0),
                        run.value(calibrated_counter, 0.0), run.value(memory_counter, 0.0),
                        run.value(processors_counter, 0.0)};
        const auto same = std::find_if(rates.begin(), rates.end(),
                                       [&](const Rate& other) { return other.name == rate.name; });
        if (same == rates.end())
            rates.push_back(rate);
        else if (rate.per_step > same->per_step)
            *same = rate;
    }
    return rates;
}

} // namespace

Table rates_table(const std::filesystem::path& run, const std::filesystem::path& stored)
{
    std::map<std::string, double> before;
    if (!stored.empty())
        for (const Rate& rate : rates_of(stored))
            before[rate.name] = rate.per_step;
    Table table{"Rates",
                {{"benchmark", "", Align::left},
                 {"work", "1/s"},
                 {"memory", "MiB"},
                 {"of a processor", "KiB"},
                 {"to the stored run", ""}},
                {}};
    for (const Rate& rate : rates_of(run)) {
        const auto known = before.find(rate.name);
        table.add_row({rate.name, Real{rate.per_second, 0}, Real{rate.mib, 0},
                       rate.processors > 0 ? Cell(Real{rate.mib * 1024 / rate.processors}) : Cell(),
                       known != before.end() && known->second > 0
                           ? Cell(Real{rate.per_step / known->second, 2})
                           : Cell()});
    }
    return table;
}

std::string cost_picture(const std::filesystem::path& run)
{
    LinePlot plot{"Processor time of a hop on meshes",
                  {"processors", Scale::log10},
                  {"time of a hop (ns)", Scale::linear, 0.0},
                  {}};
    for (const auto& [level, label] :
         {std::pair{"flit/", "flit-hop, flit level"}, std::pair{"worm/", "message-hop, message level"}}) {
        std::map<double, double> quickest; // of several loads on a mesh
        for (const Rate& rate : rates_of(run))
            if (rate.name.rfind(std::string(level) + "mesh:", 0) == 0 && rate.per_second > 0) {
                const double nanoseconds = 1e9 / rate.per_second;
                const auto [place, is_new] = quickest.emplace(rate.processors, nanoseconds);
                if (!is_new)
                    place->second = std::min(place->second, nanoseconds);
            }
        plot.curves.push_back({label, {quickest.begin(), quickest.end()}});
    }
    return draw(plot);
}

} // namespace nocturne::benchmarks
