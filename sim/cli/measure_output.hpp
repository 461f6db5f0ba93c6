// The measures of a network as lists of fields; what is infinite is null in JSON.
#pragma once

#include "models/measures/measures.hpp"
#include "sim/report/fields.hpp"

namespace nocturne::measures {

Fields<Measures> fields_of(const Measures*);
Fields<HopLatency> fields_of(const HopLatency*);
Fields<LatencyBound> fields_of(const LatencyBound*);
Fields<Contention> fields_of(const Contention*);
Fields<WireLengths> fields_of(const WireLengths*);
Fields<Bisection> fields_of(const Bisection*);
Fields<PathSpread> fields_of(const PathSpread*);
Fields<FaultLatency> fields_of(const FaultLatency*);

} // namespace nocturne::measures
