// Configurations of other simulators, and topologies of GPU machines, known by how they read.
#pragma once

#include <string>
#include <string_view>

namespace nocturne {

/// What a file is called of which `text` is the beginning: `a BookSim2 configuration`, `a Noxim
/// configuration`, `a gem5 command line`, `an ASTRA-sim network`, `an ASTRA-sim system`, `a topology of NCCL
/// or RCCL`, `a matrix of nvidia-smi topo`, `a matrix of rocm-smi` or `a SimAI topology`. Empty for anything
/// else.
std::string_view foreign_configuration(std::string_view text);

/// `net.cfg: this is a BookSim2 configuration; 'nocturne import net.cfg' prints the command for it`; empty
/// for anything else.
std::string import_hint(std::string_view path, std::string_view text);

} // namespace nocturne
