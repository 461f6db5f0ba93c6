// Found before the header of the same name of Accellera's examples.
#pragma once

#include "tests/models/fabric/drop_in/fabric_bus.hpp"

template <int Initiators, int Targets>
using SimpleBusLT = nocturne::test::FabricBus<Initiators, Targets>;
