// Files that are written and read piece by piece.
#include "models/topology/files.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne::file_pieces_test {

using Catch::Matchers::Contains;
using test::TemporaryFolder;

TEST_CASE("a file comes and goes in pieces", "[topology][files]")
{
    const TemporaryFolder folder;
    write_file_atomically(folder / "a.txt", [](const ByteSink& sink) {
        for (const char* const piece : {"one ", "", "two ", "three"})
            sink(piece);
    });
    FilePieces file(folder / "a.txt");
    std::string read;
    char piece[5];
    while (const std::size_t count = file.next(piece))
        read.append(piece, count);
    CHECK(read == "one two three");
    CHECK_THROWS_WITH(FilePieces(folder / "gone"), Contains("gone: cannot read: No such file or directory"));
    CHECK_THROWS_WITH(FilePieces(folder / ""), Contains("cannot read: Is a directory"));
}

TEST_CASE("a file whose content ends in an exception is as it was", "[topology][files]")
{
    const TemporaryFolder folder;
    write_file_atomically(folder / "a.txt", "first");
    const auto half = [](const ByteSink& sink) {
        sink("sec");
        throw std::invalid_argument("no more");
    };
    CHECK_THROWS_WITH(write_file_atomically(folder / "a.txt", half), "no more");
    CHECK_THROWS_WITH(write_file_atomically(folder / "b.txt", half), "no more");
    CHECK(read_file(folder / "a.txt") == "first");
    CHECK(folder.names() == std::vector<std::string>{"a.txt"});
}

} // namespace nocturne::file_pieces_test
