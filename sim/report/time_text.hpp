// Times as people read them.
#pragma once

#include <string>

namespace nocturne {

/// Four digits in ns, us, ms or s, whichever leaves one to three before the point: `26.22 us`, `1.5 ms`.
std::string time_text(double ns);

} // namespace nocturne
