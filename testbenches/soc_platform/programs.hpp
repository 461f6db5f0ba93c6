// What the platform computes: a two-dimensional Fourier transform, and a product of matrices.
#pragma once

#include "testbenches/soc_platform/exchange.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nocturne::soc_platform {

/// Time of a floating-point operation, ns.
inline constexpr double flop_ns = 0.5;

/// A program for the tiles, and its data.
struct TileWorkload {
    std::string name;                ///< `fft:64`
    std::uint64_t message_bytes = 0; ///< of all its exchanges
    std::vector<TileExchange> exchanges;
    std::function<void(Platform&)> load; ///< puts the data into the memories
    std::function<void(Cpu&, const std::function<void(std::size_t exchange)>&)> program;
    std::function<std::string(Platform&)> find_error; ///< in what is in the memories at the end; empty: none
};

/// Of `fft:N` the transform of N x N complex numbers of 16 bytes, N a multiple of the number of tiles, each
/// of which has N / tiles rows. FFTW transforms the rows; the matrix is transposed; FFTW transforms what were
/// columns; it is transposed back. Compared with FFTW's transform of the whole.
///
/// Of `matmul:N` the product of two matrices of N x N numbers of 8 bytes, N a multiple of the side of the
/// (square) grid of tiles, each of which has a block of each matrix: SUMMA (van de Geijn and Watts,
/// Concurrency: Practice and Experience 9(4), 1997) in panels of a block's width, which their owners
/// broadcast along rows and columns. Compared with the sums of products, one after the other.
///
/// Throws std::invalid_argument, one line, for anything else, a size that the tiles cannot share or their
/// memories hold, and as transposition() and line_broadcasts().
TileWorkload make_workload(const std::string& name, const Topology& topology, const Routing& routing);

} // namespace nocturne::soc_platform
