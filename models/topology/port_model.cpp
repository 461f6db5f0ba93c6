#include "models/topology/port_model.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace nocturne {

PortModel parse_port_model(std::string_view text)
{
    if (text == "all")
        return all_port;
    unsigned ports = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ports);
    if (error != std::errc{} || end != text.data() + text.size() || ports == 0 || ports > most_ports)
        throw std::invalid_argument(
            fmt::format("ports '{}': expected a number from 1 to {}, or 'all'", text, most_ports));
    return PortModel{ports};
}

std::string to_string(PortModel ports)
{
    return ports.is_all_port() ? "all" : std::to_string(ports.ports);
}

} // namespace nocturne
