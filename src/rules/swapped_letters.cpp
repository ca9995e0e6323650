#include "rules/swapped_letters.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "rules/rules.hpp"

namespace flexslice::rules {

using yaml::Node;

namespace {

constexpr std::size_t shortest = 5, longest = 63;  // words that are shorter may both be right

bool is_lower_name(std::string_view text) {
  return text.size() >= shortest && text.size() <= longest && ascii::is_lower(text.front()) &&
         std::ranges::all_of(text, [](char c) {
           return ascii::is_lower(c) || ascii::is_digit(c) || c == '-' || c == '.' || c == '/';
         });
}

bool is_about(const Diagnostic& finding, Span where, const std::string& name) {
  const auto says_it = [&](const std::string& text) {
    return text.find("`" + name + "`") != text.npos;
  };
  return finding.where == where || says_it(finding.message) || any_of(finding.helps, says_it);
}

}  // namespace

void NamesOfFile::add(const Text& name) {
  if (!name.usable() || !is_lower_name(name.value)) return;
  const auto [place, is_new] = names_.try_emplace(name.value, NamePlace{name.where.span});
  ++place->second.count;
}

void NamesOfFile::add(const Node& object) {
  constexpr std::string_view words_of_programs[] = {"command", "args", "data", "stringData"};
  if (object.kind == yaml::Kind::scalar) return add(claimed_name(object));
  for (const Node& item : object.items) add(item);
  for (const yaml::Member& member : object.members) {
    if (contains(words_of_programs, member.key.text)) continue;
    add(member.key);
    add(member.value);
  }
}

void NamesOfFile::judge(std::span<const MadeObject> objects, Sink& sink) const {
  std::set<std::string_view> of_objects;
  for (const MadeObject& object : objects) of_objects.insert(object.name.value);
  std::vector<std::pair<Span, const std::string*>> once;
  for (const auto& [name, place] : names_) {
    if (place.count == 1) once.emplace_back(place.first, &name);
  }
  std::ranges::sort(once, {}, [](const auto& each) { return each.first; });
  for (const auto& [where, name] : once) {
    std::string other = *name;
    for (std::size_t i = 0; i + 1 < other.size(); ++i) {
      if (other[i] == other[i + 1] || !ascii::is_lower(other[i]) || !ascii::is_lower(other[i + 1]))
        continue;
      std::swap(other[i], other[i + 1]);
      const auto found = names_.find(other);
      std::swap(other[i], other[i + 1]);
      // The later of two that are there once is the slip.
      if (found == names_.end() || of_objects.contains(*name) ||
          of_objects.contains(found->first) ||
          (found->second.count == 1 && where < found->second.first) ||
          any_of(sink.found(), [&, &where = where, &name = name](const Diagnostic& each) {
            return is_about(each, where, *name);
          }))
        continue;
      sink.report<Code::NearName>(where, *name, found->first, "which the file says elsewhere")
          .also(found->second.first, "it is here")
          .help("did you mean `{}`?", found->first);
      break;
    }
  }
}

}  // namespace flexslice::rules
