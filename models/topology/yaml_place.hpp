// Reading YAML value by value, with errors that say where they are.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace YAML {
class Node;
} // namespace YAML

namespace nocturne {

/// A value in a document together with where it is. What it throws are std::runtime_errors in one line:
/// `net.yml: line 7: 'x' is no whole number of 0 or more`. The origin must outlive it.
class YamlPlace {
public:
    /// The document. Throws for text that is not YAML.
    YamlPlace(std::string_view text, std::string_view origin);

    std::string_view origin() const { return origin_; }
    [[noreturn]] void fail(std::string_view reason) const;

    /// Is there such a member, and not null?
    bool has(const std::string& name) const;
    YamlPlace operator[](const std::string& name) const;
    /// The names of the members, as they stand there; none of what has no members.
    std::vector<std::string> names() const;
    std::vector<YamlPlace> elements() const;

    std::string text() const; ///< not empty
    /// A text, empty or not; of a list its elements with commas between; `...` of one with members.
    std::string shown() const;
    bool truth() const;
    unsigned number() const;
    /// A number alone is a list of one.
    std::vector<unsigned> numbers() const;

    /// Turns what a value refuses (std::invalid_argument) into an error at this place.
    template <class Action>
    auto here(Action action) const
    {
        try {
            return action();
        } catch (const std::invalid_argument& error) {
            fail(error.what());
        }
    }

private:
    YamlPlace(const YAML::Node& node, const YamlPlace& in);

    std::shared_ptr<const YAML::Node> node_;
    std::string_view origin_;
};

} // namespace nocturne
