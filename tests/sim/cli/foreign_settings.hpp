// Values that other simulators take for the keys of their configurations.
#pragma once

#include "sim/imports/foreign_keys.hpp"

#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace nocturne::test {

using Texts = std::vector<std::string>;
using Settings = std::map<std::string, std::string>;
/// Values that the other simulator takes, by key.
using LegalValues = std::map<std::string, Texts>;

struct BooksimBase {
    Settings network;
    Texts routings;
};

/// Small networks of each kind that is imported, with the routings that are.
const std::vector<BooksimBase>& booksim_bases();
const LegalValues& booksim_values();
const LegalValues& noxim_values();
/// What Noxim has no default for.
const Settings& noxim_needs();
const LegalValues& garnet_values();

class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}

    std::string one_of(const Texts& values)
    {
        return values[std::uniform_int_distribution<std::size_t>(0, values.size() - 1)(random_)];
    }

    /// Adds values for some of the keys that `settings` does not have: legal ones, numbers for a default that
    /// is a number, and otherwise a name.
    void add(Settings& settings, std::span<const ForeignKey> table, const LegalValues& legal, double share);

private:
    std::mt19937 random_;
};

} // namespace nocturne::test
