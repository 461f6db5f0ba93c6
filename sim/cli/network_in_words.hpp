// The network that people mean who do not know how networks are written here.
#pragma once

#include "sim/cli/typed_words.hpp"

#include <string>

namespace nocturne::cli {

struct NetworkInWords {
    std::string network; ///< a specification; empty if none is meant
    std::string advice;  ///< of a network that is not built in: how it is made
};

/// Of `mesh 8 8`, `8-ary 3-cube`, `two DGX A100`, `16 node ring`; its words are used then.
NetworkInWords network_in(TypedWords& words);

} // namespace nocturne::cli
