// Texts of GPU machines that are right.
#pragma once

#include <string>

namespace nocturne::test {

/// Two servers of two GPUs, and a switch for both.
inline const std::string simai_servers = "7 2 2 1 8 H100\n"
                                         "4 5 6 \n"
                                         "0 4 2880Gbps 0.000025ms 0\n"
                                         "1 4 2880Gbps 0.000025ms 0\n"
                                         "2 5 2880Gbps 0.000025ms 0\n"
                                         "3 5 2880Gbps 0.000025ms 0\n"
                                         "0 6 400Gbps 0.0005ms 0\n"
                                         "1 6 400Gbps 0.0005ms 0\n"
                                         "2 6 400Gbps 0.0005ms 0\n"
                                         "3 6 400Gbps 0.0005ms 0\n";

/// A hybrid mesh of four V100, with a NIC beside GPU 0.
inline const std::string smi_mesh = "Here it is:\n"
                                    "$ nvidia-smi topo -m\n"
                                    "        GPU0   GPU1   GPU2   GPU3   NIC0   CPU Affinity\r\n"
                                    "GPU0     X     NV2    NV1    SYS    PIX    0-19\r\n"
                                    "GPU1    NV2     X     SYS    NV1    PHB    0-19\r\n"
                                    "GPU2    NV1    SYS     X     NV2    SYS    20-39\r\n"
                                    "GPU3    SYS    NV1    NV2     X     NODE   20-39\r\n"
                                    "NIC0    PIX    PHB    SYS    NODE    X\r\n"
                                    "\r\n"
                                    "Legend:\r\n"
                                    "  X    = Self\r\n"
                                    "  PIX  = one PCIe bridge\r\n"
                                    "  NV#  = # NVLinks\r\n"
                                    "NIC Legend:\r\n"
                                    "  NIC0: mlx5_0\r\n";

} // namespace nocturne::test
