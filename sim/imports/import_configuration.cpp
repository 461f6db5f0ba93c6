#include "sim/imports/import_configuration.hpp"

#include "models/text/foreign_configuration.hpp"
#include "models/topology/topology_files.hpp"
#include "sim/imports/machine_text.hpp"
#include "sim/imports/simulators.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::string_view astra_network = "an ASTRA-sim network", astra_system = "an ASTRA-sim system";

ImportedCommand import_astra_texts(std::span<const ForeignText> texts, const std::string& network_file)
{
    const bool is_system_first = foreign_configuration(texts.front().text) == astra_system;
    if (texts.size() == 1 && is_system_first)
        throw std::runtime_error(fmt::format(
            "{0}: this is an ASTRA-sim system: give its network, too: nocturne import NETWORK.yml {0}",
            texts.front().origin));
    if (texts.size() == 1)
        return import_astra(texts.front(), std::nullopt, network_file);
    const ForeignText &network = texts[is_system_first ? 1 : 0], &system = texts[is_system_first ? 0 : 1];
    if (foreign_configuration(network.text) != astra_network ||
        foreign_configuration(system.text) != astra_system)
        throw std::runtime_error(fmt::format("{} and {}: expected one network and one system of ASTRA-sim",
                                             texts[0].origin, texts[1].origin));
    return import_astra(network, system, network_file);
}

} // namespace

ImportedCommand import_configuration(std::span<const ForeignText> texts, std::span<const std::string> changes,
                                     const std::string& network_file, const MachineOptions& machine)
{
    const ForeignText& first = texts.front();
    const std::string_view kind = foreign_configuration(first.text);
    const bool is_astra = kind == astra_network || kind == astra_system;
    if (texts.size() > (is_astra ? 2 : 1))
        throw std::runtime_error(fmt::format(
            "{}: expected one file, or the network and the system of ASTRA-sim", texts.back().origin));
    const bool is_json = first.text.find_first_not_of(" \t\r\n") == first.text.find('{');
    if (kind.empty() && is_topology_text(first.origin, first.text) &&
        (!is_json || first.text.find("\"format\"") != first.text.npos))
        throw std::runtime_error(fmt::format(
            "{0}: this is a network, which is read as it is: 'nocturne topology {0}'", first.origin));
    if (kind.empty())
        throw std::runtime_error(fmt::format(
            "{}: this is not a configuration of BookSim2, Noxim, gem5 or ASTRA-sim, nor a topology of "
            "NCCL, RCCL, nvidia-smi topo -m, rocm-smi --showtopo or SimAI",
            first.origin));
    const bool is_machine = is_machine_kind(kind);
    if (!is_machine)
        refuse_machine_options(machine, kind, first.origin);
    if (kind == "a BookSim2 configuration")
        return import_booksim(first.text, changes, first.origin, network_file);
    if (!changes.empty())
        throw std::runtime_error(
            fmt::format("'{}': only a BookSim2 configuration is changed by KEY=VALUE, and "
                        "{} is {}",
                        changes.front(), first.origin, kind));
    if (is_machine)
        return import_machine(kind, first, machine, network_file);
    if (kind == "a Noxim configuration")
        return import_noxim(first.text, first.origin);
    if (kind == "a gem5 command line")
        return import_garnet(first.text, first.origin);
    return import_astra_texts(texts, network_file);
}

} // namespace nocturne
