#include "models/topology/port_model.hpp"

#include "models/text/number.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

PortModel parse_port_model(std::string_view text)
{
    if (text == "all")
        return all_port;
    const std::optional<unsigned> ports = number_of<unsigned>(text);
    if (!ports || *ports == 0 || *ports > most_ports)
        throw std::invalid_argument(
            fmt::format("ports '{}': expected a number from 1 to {}, or 'all'", text, most_ports));
    return PortModel{*ports};
}

std::string to_string(PortModel ports)
{
    return ports.is_all_port() ? "all" : std::to_string(ports.ports);
}

} // namespace nocturne
