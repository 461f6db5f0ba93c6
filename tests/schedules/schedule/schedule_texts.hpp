// Texts of schedules that tests change here and there.
#pragma once

#include "tests/catch.hpp"

#include <string>

namespace nocturne::test {

/// The text with the first of these words replaced.
inline std::string with(std::string text, const std::string& what, const std::string& other)
{
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), other);
}

/// A small schedule on ring:4.
inline const std::string small_schedule =
    R"({"format": "nocturne-schedule", "version": 1, "topology": "ring:4",
 "collective": {"kind": "OAB", "source": "0"}, "ports": "1",
 "steps": [[{"from": "0", "to": "1", "path": ["0", "1"]}],
  [{"from": "0", "to": "3"}, {"from": "1", "to": "2", "message": {"origin": 0}}]]})";

/// Files of chunks as they were before memories, on ring:3: of a broadcast from 1, in two parts.
inline const std::string old_head = R"({"format": "nocturne-chunks", "version": 1, "topology": "ring:3",
        "collective": {"kind": "broadcast", "root": 1, "parts": 2}, )";
inline const std::string old_steps =
    old_head + R"("synchronization": "steps", "rounds": [1, 2], "transfers": [
        {"from": 1, "to": 2, "chunk": 0, "step": 0}, {"from": 1, "to": 0, "read": 1, "write": 7, "step": 1},
        {"from": 0, "to": 0, "read": 7, "write": 1, "add": true, "step": 1}]})";

} // namespace nocturne::test
