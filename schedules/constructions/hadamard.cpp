#include "schedules/constructions/hadamard.hpp"

#include <cstddef>
#include <cstdint>

namespace nocturne {
namespace {

using BitMatrix = std::vector<std::vector<bool>>; ///< true for -1

bool is_prime(unsigned n)
{
    for (unsigned d = 2; d <= n / d; ++d)
        if (n % d == 0)
            return false;
    return n > 1;
}

/// By number modulo the prime: is it, 0 apart, no square?
std::vector<bool> non_squares(unsigned prime)
{
    std::vector<bool> non_square(prime, true);
    non_square[0] = false;
    for (unsigned i = 1; i < prime; ++i)
        non_square[std::uint64_t{i} * i % prime] = false;
    return non_square;
}

BitMatrix doubled(const BitMatrix& matrix)
{
    const std::size_t n = matrix.size();
    BitMatrix result(2 * n, std::vector<bool>(2 * n));
    for (std::size_t i = 0; i < 2 * n; ++i)
        for (std::size_t j = 0; j < 2 * n; ++j)
            result[i][j] = matrix[i % n][j % n] != (i >= n && j >= n);
    return result;
}

/// Of order p + 1, for p = 3 modulo 4.
BitMatrix first_paley(unsigned prime)
{
    const auto non_square = non_squares(prime);
    BitMatrix matrix(prime + 1, std::vector<bool>(prime + 1, false));
    for (unsigned i = 1; i <= prime; ++i) {
        matrix[i][0] = true;
        for (unsigned j = 1; j <= prime; ++j)
            matrix[i][j] = non_square[(i + prime - j) % prime];
    }
    return matrix;
}

/// Of order 2 (p + 1), for p = 1 modulo 4: a 2x2 block for each place of a symmetric conference matrix.
BitMatrix second_paley(unsigned prime)
{
    const auto non_square = non_squares(prime);
    BitMatrix matrix(2 * (prime + 1), std::vector<bool>(2 * (prime + 1)));
    for (unsigned i = 0; i <= prime; ++i)
        for (unsigned j = 0; j <= prime; ++j)
            for (const unsigned row : {0U, 1U})
                for (const unsigned column : {0U, 1U}) {
                    const bool both = row == 1 && column == 1;
                    const bool minus = i > 0 && j > 0 && non_square[(i + prime - j) % prime];
                    matrix[2 * i + row][2 * j + column] = i == j ? row == 1 || column == 1 : minus != both;
                }
    return matrix;
}

std::optional<BitMatrix> unnormalised(unsigned order)
{
    if (order == 1)
        return BitMatrix{{false}};
    if (order % 4 == 0 && is_prime(order - 1))
        return first_paley(order - 1);
    if (order % 8 == 4 && is_prime(order / 2 - 1))
        return second_paley(order / 2 - 1);
    if (order % 2 != 0 || order == 0)
        return std::nullopt;
    const auto half = unnormalised(order / 2);
    return half ? std::optional(doubled(*half)) : std::nullopt;
}

} // namespace

std::optional<std::vector<std::vector<bool>>> hadamard_matrix(unsigned order)
{
    auto matrix = unnormalised(order);
    if (matrix)
        for (std::vector<bool>& row : *matrix)
            if (row[0])
                row.flip();
    return matrix;
}

} // namespace nocturne
