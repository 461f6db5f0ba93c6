// Catch2, version 2 or 3: what the tests use of both, by the names of version 2.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>

#include <string>

namespace Catch {

using Matchers::EndsWith;
using Matchers::Equals;
using Matchers::Predicate;
using Matchers::StartsWith;

/// Of texts; version 3 calls it by another name, since its own Contains is of ranges.
inline Matchers::StringContainsMatcher Contains(const std::string& part)
{
    return Matchers::ContainsSubstring(part);
}

} // namespace Catch

using Catch::Approx; // version 2 does so itself
#else
#include <catch2/catch.hpp>
#endif
