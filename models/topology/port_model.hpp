// How many messages a processor can send, and receive, in one step.
#pragma once

#include <string>
#include <string_view>

namespace nocturne {

/// one-port, k-port, or all-port: as many as its router has channels.
struct PortModel {
    unsigned ports = 0; ///< 0 stands for all-port

    bool is_all_port() const { return ports == 0; }
    friend bool operator==(PortModel, PortModel) = default;
};

/// More than any processor has, or would gain by.
inline constexpr unsigned most_ports = 1024;

inline constexpr PortModel one_port{1};
inline constexpr PortModel all_port{0};

/// `1`, `k` (up to most_ports) or `all`; `to_string` is its inverse. Throws std::invalid_argument
/// otherwise.
PortModel parse_port_model(std::string_view text);
std::string to_string(PortModel ports);

} // namespace nocturne
