#include "sim/simulation/network_model.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

std::string to_string(NetworkModel model)
{
    return model == NetworkModel::flit ? "flit" : "worm";
}

NetworkModel parse_model(std::string_view text)
{
    for (const NetworkModel value : {NetworkModel::flit, NetworkModel::worm})
        if (text == to_string(value))
            return value;
    throw std::invalid_argument(fmt::format("model '{}': expected flit or worm", text));
}

} // namespace nocturne
