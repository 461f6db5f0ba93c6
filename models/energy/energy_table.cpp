#include "models/energy/energy_table.hpp"

#include "models/topology/files.hpp"
#include "models/topology/json_place.hpp"

#include <algorithm>

namespace nocturne {

namespace {

/// Picojoules, milliwatts or millimetres: more than anything that is built, and sums of them stay finite.
double figure(const JsonPlace& place)
{
    constexpr double most = 1e12;
    const double value = place.positive_real();
    if (value > most)
        place.fail("expected a number from 0 to 1e12");
    return value;
}

FlitEnergy read_flit_energy(const JsonPlace& place)
{
    place.check_members({"flit_bytes", "buffer_write_pj", "buffer_read_pj", "crossbar_pj"});
    return {place["flit_bytes"].number(1), figure(place["buffer_write_pj"]), figure(place["buffer_read_pj"]),
            figure(place["crossbar_pj"])};
}

/// Between and beside two points, and not below 0; a single point comes as both.
double on_line(const FlitEnergy& a, const FlitEnergy& b, unsigned flit_bytes, double FlitEnergy::* figure)
{
    if (a.flit_bytes == b.flit_bytes)
        return a.*figure * flit_bytes / a.flit_bytes;
    const double part =
        (static_cast<double>(flit_bytes) - a.flit_bytes) / (static_cast<double>(b.flit_bytes) - a.flit_bytes);
    return std::max(0.0, a.*figure + part * (b.*figure - a.*figure));
}

} // namespace

FlitEnergy EnergyTable::at(unsigned flit_bytes) const
{
    const auto wider = std::ranges::find_if(
        flits, [&](const FlitEnergy& energy) { return energy.flit_bytes >= flit_bytes; });
    const auto second = std::clamp(wider, flits.begin() + (flits.size() > 1 ? 1 : 0), flits.end() - 1);
    const FlitEnergy& b = *second;
    const FlitEnergy& a = flits.size() > 1 ? *(second - 1) : b;
    const auto at_width = [&](double FlitEnergy::* which) { return on_line(a, b, flit_bytes, which); };
    return {flit_bytes, at_width(&FlitEnergy::buffer_write_pj), at_width(&FlitEnergy::buffer_read_pj),
            at_width(&FlitEnergy::crossbar_pj)};
}

EnergyTable parse_energy_table(std::string_view text, std::string_view origin)
{
    const nlohmann::json document = parse_json(text, origin);
    const JsonPlace root(document, origin);
    root.check_members({"format", "version", "name", "source", "flits", "arbitration_pj", "clock_pj",
                        "leakage_mw", "link_pj_per_byte_mm", "link_mm"});
    if (root["format"].text() != "nocturne-energy")
        root["format"].fail("expected 'nocturne-energy'");
    if (root["version"].number(1) != 1)
        root["version"].fail("expected version 1");
    EnergyTable table{.name = root["name"].text(), .source = root["source"].text(), .flits = {}};
    for (const JsonPlace& place : root["flits"].elements()) {
        table.flits.push_back(read_flit_energy(place));
        if (table.flits.size() > 1 && table.flits.end()[-2].flit_bytes >= table.flits.back().flit_bytes)
            place["flit_bytes"].fail("widths ascend");
    }
    if (table.flits.empty())
        root["flits"].fail("expected one width or more");
    table.arbitration_pj = figure(root["arbitration_pj"]);
    table.clock_pj = figure(root["clock_pj"]);
    table.leakage_mw = figure(root["leakage_mw"]);
    table.link_pj_per_byte_mm = figure(root["link_pj_per_byte_mm"]);
    if (root.has("link_mm"))
        table.link_mm = figure(root["link_mm"]);
    return table;
}

EnergyTable read_energy_table(const std::filesystem::path& file)
{
    return parse_energy_table(read_file(file), file.string());
}

} // namespace nocturne
