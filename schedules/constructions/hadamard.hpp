// Hadamard matrices.
#pragma once

#include <optional>
#include <vector>

namespace nocturne {

/// A matrix of so many rows and columns, by row, in which any two columns differ in half of the rows; the
/// first column is all false. So of two other columns each pair of values is there in a quarter of the rows.
/// By doubling (Sylvester) and from the squares modulo a prime (Paley 1933, both constructions): for orders
/// 2^k, 2^k (p+1) with p = 3 modulo 4, and 2^(k+1) (p+1) with p = 1 modulo 4. Nothing for other orders.
std::optional<std::vector<std::vector<bool>>> hadamard_matrix(unsigned order);

} // namespace nocturne
