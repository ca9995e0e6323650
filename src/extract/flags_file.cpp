#include "extract/flags_file.hpp"

#include <algorithm>
#include <string>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/parse.hpp"

namespace flexslice::extract {

namespace {

using yaml::Kind;
using yaml::Node;

// `a,b`, or `^;^a;b` where an item has a comma; nothing where each usual separator is in one.
std::optional<std::string> joined(const std::vector<std::string>& items) {
  for (const std::string_view separator : {",", ";", "|", "::::"}) {
    if (any_of(items, [&](const std::string& item) { return item.find(separator) != item.npos; }))
      continue;
    std::string text = text::join(items, separator);
    return separator == "," ? text : "^" + std::string(separator) + "^" + std::move(text);
  }
  return std::nullopt;
}

// Joins a list or a mapping; returns nothing if it holds another one.
std::optional<std::string> joined_value(const Node& node) {
  std::vector<std::string> items;
  for (const Node& item : node.items) {
    if (item.kind != Kind::scalar) return std::nullopt;
    items.push_back(item.text);
  }
  for (const auto& [key, value] : node.members) {
    if (value.kind != Kind::scalar) return std::nullopt;
    items.push_back(key.text + "=" + value.text);
  }
  return joined(items);
}

// Returns false if it is no mapping of flags that can be read.
bool add_flags(const Node& flags, const Word& flag, std::vector<Word>& words) {
  if (flags.kind != Kind::mapping) return false;
  for (const auto& [key, value] : flags.members) {
    if (key.text == "--flags-file") return false;
    Word word;
    word.text = key.text;
    word.where = word.flags_file = flag.where;
    const bool is_switch =
        value.kind == Kind::null || yaml::type_of(value) == yaml::ScalarType::boolean;
    if (value.kind == Kind::scalar && !is_switch) {
      word.text += "=" + value.text;
    } else if (!is_switch) {
      const auto text = joined_value(value);
      if (!text) return false;
      word.text += "=" + *text;
    }
    word.is_denied = is_switch && text::lower(value.text) == "false";
    words.push_back(std::move(word));
  }
  return true;
}

}  // namespace

std::optional<std::vector<Word>> flags_in_file(std::string_view text, const Word& flag) {
  Sources sources;
  diag::Sink ignored;
  const auto tree = yaml::parse(sources, sources.add({"", std::string(text), 1}), ignored);
  std::vector<Word> words;
  if (!tree || !ignored.found().empty()) return std::nullopt;
  if (tree->kind == Kind::sequence) {
    for (const Node& item : tree->items) {
      if (!add_flags(item, flag, words)) return std::nullopt;
    }
    return words;
  }
  if (!add_flags(*tree, flag, words)) return std::nullopt;
  return words;
}

}  // namespace flexslice::extract
