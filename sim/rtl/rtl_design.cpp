#include "sim/rtl/rtl_design.hpp"

#include "models/topology/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace nocturne {

void RtlDesign::add_source(RtlFile file)
{
    design_sources.push_back(file.name);
    add(std::move(file));
}

void RtlDesign::add_bench_source(RtlFile file)
{
    bench_sources.push_back(file.name);
    add(std::move(file));
}

namespace {

/// Without a slash at its end.
std::filesystem::path named(const std::filesystem::path& folder)
{
    return (folder / "").parent_path();
}

} // namespace

void require_new_folder(const std::filesystem::path& folder)
{
    if (std::filesystem::exists(std::filesystem::symlink_status(named(folder))))
        throw std::runtime_error(
            fmt::format("{}: exists already; a design gets a folder of its own", named(folder).string()));
}

void write_design(const std::filesystem::path& folder, const RtlDesign& design)
{
    require_new_folder(folder);
    const std::filesystem::path path = named(folder);
    const std::filesystem::path part = fmt::format("{}.{}.part", path.string(), ::getpid());
    std::error_code error;
    if (!std::filesystem::create_directory(part, error))
        throw std::runtime_error(fmt::format("{}: cannot create: {}", path.string(), error.message()));
    try {
        for (const RtlFile& file : design.files)
            write_file_atomically(part / file.name, file.content);
        std::filesystem::rename(part, path);
    } catch (...) {
        std::filesystem::remove_all(part, error);
        throw;
    }
}

unsigned bits_for(std::uint64_t largest)
{
    return largest == 0 ? 1 : static_cast<unsigned>(std::bit_width(largest));
}

void HexWord::append(std::uint64_t value, unsigned bits)
{
    for (unsigned bit = 0; bit < bits; ++bit)
        bits_.push_back(bit < 64 && (value >> bit & 1) != 0);
}

std::string HexWord::text() const
{
    std::string digits;
    for (std::size_t first = 0; first < bits_.size(); first += 4) {
        unsigned digit = 0;
        for (std::size_t bit = first; bit < std::min(first + 4, bits_.size()); ++bit)
            digit |= bits_[bit] ? 1u << (bit - first) : 0;
        digits.insert(digits.begin(), "0123456789abcdef"[digit]);
    }
    return digits;
}

} // namespace nocturne
