#include "testbenches/soc_platform/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstring>
#include <fftw3.h>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace nocturne::soc_platform {

namespace {

using Complex = std::complex<double>;

std::vector<double> random_numbers(std::size_t count, std::uint64_t seed)
{
    SplitMix64 random(seed);
    std::vector<double> numbers(count);
    for (double& number : numbers)
        number = 2 * random.uniform() - 1;
    return numbers;
}

fftw_complex* as_fftw(Complex* numbers)
{
    return reinterpret_cast<fftw_complex*>(numbers); // the layouts are the same: FFTW's manual, 4.1.1
}

using Plan = std::shared_ptr<fftw_plan_s>;

/// Not measured: the same numbers on each run.
Plan plan_row(unsigned n)
{
    std::vector<Complex> any(n);
    return {fftw_plan_dft_1d(static_cast<int>(n), as_fftw(any.data()), as_fftw(any.data()), FFTW_FORWARD,
                             FFTW_ESTIMATE | FFTW_UNALIGNED),
            fftw_destroy_plan};
}

std::string describe_error(double error, double tolerance)
{
    return error <= tolerance ? "" : fmt::format("off by {:.3g}, at most {:.3g} is right", error, tolerance);
}

/// The rows of the matrix, then messages on their way out, then those that came first, and those that came
/// back: a processor ahead of simulated time must not write to where another one still reads.
struct FftLayout {
    unsigned n;
    unsigned tiles;

    unsigned rows() const { return n / tiles; } ///< of a tile
    std::size_t block() const { return std::size_t{rows()} * rows(); }
    std::uint64_t message_bytes() const { return block() * sizeof(Complex); }
    std::uint64_t region_bytes() const { return tiles * message_bytes(); }
    /// Of the message between this tile and another one.
    std::uint64_t outgoing(unsigned tile) const { return region_bytes() + tile * message_bytes(); }
    std::uint64_t incoming(unsigned exchange, unsigned tile) const
    {
        return (2 + exchange) * region_bytes() + tile * message_bytes();
    }
};

/// Rows in the order of the matrix, which are transformed, and cut into blocks for the tiles that have them
/// as columns, column by column.
void send_transformed(Cpu& processor, const FftLayout& layout, const Plan& plan, unsigned exchange,
                      std::vector<Complex>& rows)
{
    const unsigned n = layout.n;
    const unsigned height = layout.rows();
    processor.begin_phase("transform");
    std::vector<Complex> block(layout.block());
    for (unsigned row = 0; row < height; ++row)
        fftw_execute_dft(plan.get(), as_fftw(&rows[std::size_t{row} * n]),
                         as_fftw(&rows[std::size_t{row} * n]));
    processor.compute(std::round(5 * height * n * std::log2(n) * flop_ns));
    for (unsigned tile = 0; tile < layout.tiles; ++tile) {
        for (unsigned column = 0; column < height; ++column)
            for (unsigned row = 0; row < height; ++row)
                block[column * height + row] = rows[std::size_t{row} * n + tile * height + column];
        const bool stays = tile == processor.tile();
        processor.store(stays ? layout.incoming(exchange, tile) : layout.outgoing(tile), block.data(),
                        layout.message_bytes());
    }
    processor.end_phase();
}

/// The other way round: what has come from all tiles, as rows.
std::vector<Complex> receive_rows(Cpu& processor, const FftLayout& layout, unsigned exchange)
{
    const unsigned height = layout.rows();
    std::vector<Complex> rows(std::size_t{layout.n} * height);
    std::vector<Complex> block(layout.block());
    for (unsigned tile = 0; tile < layout.tiles; ++tile) {
        processor.load(layout.incoming(exchange, tile), block.data(), layout.message_bytes());
        for (unsigned row = 0; row < height; ++row)
            std::copy_n(&block[std::size_t{row} * height], height,
                        &rows[std::size_t{row} * layout.n + tile * height]);
    }
    return rows;
}

std::string find_fft_error(Platform& platform, const FftLayout& layout, std::vector<Complex> matrix)
{
    const int n = static_cast<int>(layout.n);
    const Plan plan(
        fftw_plan_dft_2d(n, n, as_fftw(matrix.data()), as_fftw(matrix.data()), FFTW_FORWARD, FFTW_ESTIMATE),
        fftw_destroy_plan);
    fftw_execute(plan.get());
    double error = 0;
    const std::size_t share = std::size_t{layout.n} * layout.rows();
    std::vector<Complex> rows(share);
    for (unsigned tile = 0; tile < layout.tiles; ++tile) {
        std::memcpy(static_cast<void*>(rows.data()), platform.memory(tile).data(), layout.region_bytes());
        for (std::size_t i = 0; i < share; ++i)
            error = std::max(error, std::abs(rows[i] - matrix[tile * share + i]));
    }
    return describe_error(error, 1e-12 * n);
}

TileWorkload make_fft(unsigned n, const Topology& topology, const Routing& routing)
{
    const FftLayout layout{n, static_cast<unsigned>(topology.processor_count())};
    if (n == 0 || n % layout.tiles != 0 || 4 * layout.region_bytes() > program_offset)
        throw std::invalid_argument(fmt::format("fft:{}: a multiple of {} tiles whose four copies fit into "
                                                "{} bytes of each tile is needed",
                                                n, layout.tiles, program_offset));
    const Schedule schedule = transposition(topology, routing);
    const Messages messages = schedule.collective.messages();
    TileWorkload workload{"", layout.message_bytes(), {}, {}, {}, {}};
    for (const unsigned which : {0u, 1u})
        workload.exchanges.emplace_back(TileExchange{which == 0 ? "transpose" : "transpose back", {}, {}})
            .add(
                schedule, layout.message_bytes(),
                [&](MessageId id) { return layout.outgoing(messages[id].receivers.front()); },
                [&](MessageId id) { return layout.incoming(which, messages[id].origin); });
    const std::vector<double> numbers = random_numbers(std::size_t{2} * n * n, n);
    std::vector<Complex> matrix(std::size_t{n} * n);
    for (std::size_t i = 0; i < matrix.size(); ++i)
        matrix[i] = {numbers[2 * i], numbers[2 * i + 1]};
    workload.load = [layout, matrix](Platform& platform) {
        for (unsigned tile = 0; tile < layout.tiles; ++tile)
            std::memcpy(platform.memory(tile).data(), &matrix[std::size_t{tile} * layout.n * layout.rows()],
                        layout.region_bytes());
    };
    workload.program = [layout, plan = plan_row(n)](Cpu& processor, const auto& exchange) {
        std::vector<Complex> rows(std::size_t{layout.n} * layout.rows());
        processor.load(0, rows.data(), layout.region_bytes());
        send_transformed(processor, layout, plan, 0, rows);
        exchange(0);
        rows = receive_rows(processor, layout, 0);
        send_transformed(processor, layout, plan, 1, rows);
        exchange(1);
        rows = receive_rows(processor, layout, 1);
        processor.store(0, rows.data(), layout.region_bytes());
    };
    workload.find_error = [layout, matrix](Platform& platform) {
        return find_fft_error(platform, layout, matrix);
    };
    return workload;
}

/// Blocks of three matrices, and two panels of each factor: one is used while the next one arrives.
struct ProductLayout {
    unsigned n;
    unsigned side; ///< of the grid of tiles

    unsigned width() const { return n / side; } ///< of a block
    std::size_t block() const { return std::size_t{width()} * width(); }
    std::uint64_t message_bytes() const { return block() * sizeof(double); }
    std::uint64_t own(unsigned matrix) const { return matrix * message_bytes(); }
    std::uint64_t panel(unsigned matrix, unsigned which) const
    {
        return (3 + 2 * (which % 2) + matrix) * message_bytes();
    }
    std::uint64_t bytes() const { return 7 * message_bytes(); }
};

/// The block of a tile, row by row.
std::vector<double> block_of(const std::vector<double>& matrix, const ProductLayout& layout, unsigned tile)
{
    const unsigned width = layout.width();
    std::vector<double> block(layout.block());
    for (unsigned row = 0; row < width; ++row)
        std::copy_n(&matrix[std::size_t{tile / layout.side * width + row} * layout.n +
                            std::size_t{tile % layout.side} * width],
                    width, &block[std::size_t{row} * width]);
    return block;
}

/// Adds the product of two square matrices of that width to a third.
void add_product(const double* a, const double* b, double* sum, std::size_t width)
{
    for (std::size_t row = 0; row < width; ++row)
        for (std::size_t k = 0; k < width; ++k)
            for (std::size_t column = 0; column < width; ++column)
                sum[row * width + column] += a[row * width + k] * b[k * width + column];
}

void multiply(Cpu& processor, const ProductLayout& layout, const std::function<void(std::size_t)>& exchange)
{
    const unsigned row = processor.tile() / layout.side;
    const unsigned column = processor.tile() % layout.side;
    std::vector<double> a(layout.block());
    std::vector<double> b(layout.block());
    std::vector<double> sum(layout.block());
    for (unsigned k = 0; k < layout.side; ++k) {
        exchange(k);
        processor.begin_phase("multiply");
        processor.load(column == k ? layout.own(0) : layout.panel(0, k), a.data(), layout.message_bytes());
        processor.load(row == k ? layout.own(1) : layout.panel(1, k), b.data(), layout.message_bytes());
        add_product(a.data(), b.data(), sum.data(), layout.width());
        processor.compute(std::round(2 * std::pow(layout.width(), 3) * flop_ns));
        processor.end_phase();
    }
    processor.store(layout.own(2), sum.data(), layout.message_bytes());
}

std::string find_product_error(Platform& platform, const ProductLayout& layout, const std::vector<double>& a,
                               const std::vector<double>& b)
{
    std::vector<double> product(a.size());
    add_product(a.data(), b.data(), product.data(), layout.n);
    double error = 0;
    std::vector<double> found(layout.block());
    for (unsigned tile = 0; tile < layout.side * layout.side; ++tile) {
        std::memcpy(found.data(), platform.memory(tile).data() + layout.own(2), layout.message_bytes());
        const std::vector<double> expected = block_of(product, layout, tile);
        for (std::size_t i = 0; i < found.size(); ++i)
            error = std::max(error, std::abs(found[i] - expected[i]));
    }
    return describe_error(error, 1e-13 * layout.n);
}

TileWorkload make_product(unsigned n, const Topology& topology, const Routing& routing)
{
    const auto side = static_cast<unsigned>(std::lround(std::sqrt(topology.processor_count())));
    const ProductLayout layout{n, side};
    if (side * side != topology.processor_count() || n == 0 || n % side != 0 ||
        layout.bytes() > program_offset)
        throw std::invalid_argument(
            fmt::format("matmul:{}: a square grid of tiles, a multiple of its side, and "
                        "seven blocks in {} bytes of each tile are needed",
                        n, program_offset));
    TileWorkload workload{"", layout.message_bytes(), {}, {}, {}, {}};
    for (unsigned k = 0; k < side; ++k) {
        TileExchange& exchange =
            workload.exchanges.emplace_back(TileExchange{fmt::format("panel {}", k), {}, {}});
        for (const unsigned matrix : {0u, 1u})
            exchange.add(
                line_broadcasts(topology, routing, matrix == 0 ? Lines::rows : Lines::columns, k),
                layout.message_bytes(), [&](MessageId) { return layout.own(matrix); },
                [&](MessageId) { return layout.panel(matrix, k); });
    }
    const std::vector<double> a = random_numbers(std::size_t{n} * n, n);
    const std::vector<double> b = random_numbers(std::size_t{n} * n, n + 1);
    workload.load = [layout, a, b](Platform& platform) {
        for (unsigned tile = 0; tile < layout.side * layout.side; ++tile)
            for (const unsigned matrix : {0u, 1u})
                std::memcpy(platform.memory(tile).data() + layout.own(matrix),
                            block_of(matrix == 0 ? a : b, layout, tile).data(), layout.message_bytes());
    };
    workload.program = [layout](Cpu& processor, const auto& exchange) {
        multiply(processor, layout, exchange);
    };
    workload.find_error = [layout, a, b](Platform& platform) {
        return find_product_error(platform, layout, a, b);
    };
    return workload;
}

} // namespace

TileWorkload make_workload(const std::string& name, const Topology& topology, const Routing& routing)
{
    const std::size_t colon = name.find(':');
    unsigned n = 0;
    const char* const end = name.data() + name.size();
    if (colon == std::string::npos)
        throw std::invalid_argument(fmt::format("'{}': fft:N or matmul:N", name));
    const auto [behind, error] = std::from_chars(name.data() + colon + 1, end, n);
    if (behind != end || error != std::errc{})
        throw std::invalid_argument(fmt::format("'{}': fft:N or matmul:N", name));
    const std::string_view kind = std::string_view(name).substr(0, colon);
    if (kind != "fft" && kind != "matmul")
        throw std::invalid_argument(fmt::format("'{}': fft:N or matmul:N", name));
    TileWorkload workload =
        kind == "fft" ? make_fft(n, topology, routing) : make_product(n, topology, routing);
    workload.name = name;
    return workload;
}

} // namespace nocturne::soc_platform
