#include "sim/simulation/model_parts.hpp"

#include "models/network/clocks.hpp"
#include "models/worm/worm_network.hpp"

namespace nocturne {

void require_parts(NetworkModel model, const Topology& topology, const HardwareConfig& hardware)
{
    if (model == NetworkModel::worm)
        require_common_parts(topology);
    require_clocks(topology, hardware);
}

} // namespace nocturne
