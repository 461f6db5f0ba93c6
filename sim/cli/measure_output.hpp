// The measures of a network as lists of fields; what is infinite is null in JSON.
#pragma once

#include "models/measures/measures.hpp"
#include "sim/report/fields.hpp"

namespace nocturne::measures {

const Fields<Measures>& fields_of(const Measures*);
const Fields<HopLatency>& fields_of(const HopLatency*);
const Fields<LatencyBound>& fields_of(const LatencyBound*);
const Fields<Contention>& fields_of(const Contention*);
const Fields<WireLengths>& fields_of(const WireLengths*);
const Fields<Bisection>& fields_of(const Bisection*);
const Fields<PathSpread>& fields_of(const PathSpread*);
const Fields<FaultLatency>& fields_of(const FaultLatency*);

} // namespace nocturne::measures
