// Files that are written and read piece by piece, folders of files, and who has read what.
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/topology_files.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne::file_pieces_test {

using Catch::Contains;
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

TEST_CASE("a new folder does not touch what exists", "[files]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("file", "kept");
    std::filesystem::create_directory(folder / "empty");
    std::filesystem::create_symlink("nowhere", folder / "dangling");
    for (const std::string& path : {file, folder / "empty", folder / "dangling"})
        CHECK_THROWS_WITH(write_new_folder(path, {}), path + ": exists already; a new folder is written");
    CHECK(read_file(file) == "kept");
    CHECK(folder.names() == std::vector<std::string>{"dangling", "empty", "file"});
}

TEST_CASE("a folder gets all files or none", "[files]")
{
    const TemporaryFolder folder;
    const auto two = [](const std::string& content) {
        return [content](const FolderSink& write) {
            write("a", content);
            write("b", content);
        };
    };
    const auto one_and_a_half = [](const FolderSink& write) {
        write("a", "half");
        throw std::invalid_argument("no more");
    };
    const std::string made = folder / "not/there/yet";
    CHECK_THROWS_WITH(write_folder(made, one_and_a_half), "no more");
    CHECK(folder.names().empty());
    write_folder(made + "/", two("first"));
    CHECK(read_file(made + "/b") == "first");
    write_file_atomically(made + "/c", "kept");
    CHECK_THROWS_WITH(write_folder(made, one_and_a_half), "no more");
    CHECK(read_file(made + "/a") == "first");
    write_folder(made, two("second"));
    CHECK(read_file(made + "/a") + read_file(made + "/b") + read_file(made + "/c") == "secondsecondkept");
    const auto wrong_name = [](const FolderSink& write) { write("no/such", ""); };
    CHECK_THROWS_WITH(write_folder(made, wrong_name),
                      made + "/no/such: cannot write: No such file or directory");
    std::filesystem::create_directory(made + "/d");
    const auto on_a_folder = [](const FolderSink& write) {
        write("a", "third");
        write("d", "third");
    };
    CHECK_THROWS_WITH(write_folder(made, on_a_folder), made + "/d: cannot write: Is a directory");
    CHECK(read_file(made + "/a") == "second");
    const auto entries = std::filesystem::directory_iterator(made);
    CHECK(std::distance(begin(entries), end(entries)) == 4); // no temporary folder is left
    CHECK_THROWS_WITH(write_folder(made + "/a", two("x")), Contains("a: "));
}

TEST_CASE("a log has the files that are read, not those that are written", "[files]")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("net.anynet", "router 0 node 0");
    const std::string other = folder.file("other", "x");
    CHECK(content_digest(file).size() == 16);
    CHECK(content_digest(file) != content_digest(other));
    CHECK(content_digest(folder / "gone").empty());
    CHECK(content_digest(folder / "").empty());
    const InputLog outer;
    {
        const InputLog inner;
        load_topology(file);
        read_file(other);
        write_file_atomically(other, "y");
        write_file_atomically(folder / "new", "y");
        CHECK(inner.files() == FileDigests{{file, content_digest(file)}});
    }
    read_file(other);
    CHECK(outer.files() == FileDigests{{file, content_digest(file)}, {other, content_digest(other)}});
}

} // namespace nocturne::file_pieces_test
