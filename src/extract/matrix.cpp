#include "extract/matrix.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr size_t most_runs = 32;
constexpr std::string_view opening = "${{", closing = "}}";

// `value` of a key of the matrix: a scalar, or a mapping of scalars.
bool add_matrix_values(const std::string& name, const yaml::Node& value, Expressions& run) {
  for (const yaml::Member& member : value.members) {
    if (!add_matrix_values(name + "." + member.key.text, member.value, run)) return false;
  }
  if (value.kind == yaml::Kind::mapping) return true;
  if (value.kind != yaml::Kind::scalar || value.text.find(opening) != std::string::npos)
    return false;
  run[name] = value.text;
  return true;
}

// One of `include` and `exclude`.
std::optional<Expressions> matrix_entry(const yaml::Node& item) {
  Expressions entry;
  for (const auto& [key, value] : item.members) {
    if (!add_matrix_values("matrix." + key.text, value, entry)) return std::nullopt;
  }
  return item.kind == yaml::Kind::mapping ? std::optional(entry) : std::nullopt;
}

class MatrixReader {
 public:
  explicit MatrixReader(const yaml::Node& matrix) : matrix_(matrix) {}

  // Empty: not all of it is known.
  std::vector<Expressions> read() {
    if (matrix_.kind != yaml::Kind::mapping || !multiply()) return {};
    if (!for_each("exclude", [&](const Expressions& entry) { exclude(entry); })) return {};
    const std::vector<Expressions> originals = runs_;
    if (!for_each("include", [&](const Expressions& entry) { include(entry, originals); }))
      return {};
    return runs_.size() <= most_runs ? runs_ : std::vector<Expressions>();
  }

 private:
  bool multiply() {
    for (const auto& [key, list] : matrix_.members) {
      if (key.text == "include" || key.text == "exclude") continue;
      if (list.kind != yaml::Kind::sequence || list.items.empty()) return false;
      std::vector<Expressions> next;
      for (const Expressions& run : runs_.empty() ? std::vector<Expressions>(1) : runs_) {
        for (const yaml::Node& item : list.items) {
          Expressions longer = run;
          if (!add_matrix_values("matrix." + key.text, item, longer)) return false;
          for (const auto& [name, value] : longer) keys_.insert(name);
          next.push_back(std::move(longer));
        }
      }
      runs_ = std::move(next);
      if (runs_.size() > most_runs) return false;
    }
    return true;
  }

  bool for_each(std::string_view list, const auto& act) {
    const yaml::Node* entries = matrix_.find(list);
    if (entries == nullptr) return true;
    for (const yaml::Node& item : entries->items) {
      const auto entry = matrix_entry(item);
      if (!entry) return false;
      act(*entry);
    }
    return entries->kind == yaml::Kind::sequence;
  }

  void exclude(const Expressions& entry) {
    std::erase_if(runs_, [&](const Expressions& run) {
      return std::ranges::all_of(entry, [&](const auto& each) {
        const auto found = run.find(each.first);
        return found != run.end() && found->second == each.second;
      });
    });
  }

  // It adds to each run whose values of the lists it does not change, and else is a run of its own.
  void include(const Expressions& entry, const std::vector<Expressions>& originals) {
    bool is_added = false;
    for (size_t i = 0; i < originals.size(); ++i) {
      const bool changes = any_of(entry, [&](const auto& each) {
        const auto found = originals[i].find(each.first);
        return keys_.contains(each.first) &&
               (found == originals[i].end() || found->second != each.second);
      });
      if (changes) continue;
      for (const auto& [name, value] : entry) runs_[i][name] = value;
      is_added = true;
    }
    if (!is_added) runs_.push_back(entry);
  }

  const yaml::Node& matrix_;
  std::vector<Expressions> runs_;
  std::set<std::string, std::less<>> keys_;  // of the lists
};

// Calls `act` with each expression: where it begins and ends, and its value or null.
void for_expressions(std::string_view text, const Expressions& values, const auto& act) {
  for (size_t at = 0; (at = text.find(opening, at)) != text.npos;) {
    const size_t end = text.find(closing, at);
    if (end == text.npos) return;
    const auto inner = text::trim(text.substr(at + opening.size(), end - at - opening.size()));
    const auto value = values.find(inner);
    act(at, end + closing.size(), value == values.end() ? nullptr : &value->second);
    at = end;
  }
}

}  // namespace

std::vector<Expressions> matrix_of(const yaml::Node& job) {
  const yaml::Node* const matrix = job.at({"strategy", "matrix"});
  std::vector<Expressions> runs;
  if (matrix != nullptr) runs = MatrixReader(*matrix).read();
  if (runs.empty()) runs.emplace_back();
  return runs;
}

std::optional<std::string> fill_expressions(std::string_view text, const Expressions& values) {
  std::string result;
  size_t done = 0;
  bool is_known = true;
  for_expressions(text, values, [&](size_t begin, size_t end, const std::string* value) {
    is_known = is_known && value != nullptr;
    result += text.substr(done, begin - done);
    if (value != nullptr) result += *value;
    done = end;
  });
  result += text.substr(done);
  return is_known ? std::optional(result) : std::nullopt;
}

Excerpt fill_expressions(const Excerpt& script, const Expressions& values) {
  Excerpt filled = script;
  filled.text.clear();
  filled.segments.clear();
  size_t done = 0;
  for_expressions(script.text, values, [&](size_t begin, size_t end, const std::string* value) {
    if (value == nullptr || value->empty()) return;
    append_bytes(filled, script, done, begin);
    const size_t host = script.host(begin);
    append_in_place(filled, *value, host, script.host_end(end - 1) - host);
    done = end;
  });
  append_bytes(filled, script, done, script.text.size());
  return filled;
}

}  // namespace flexslice::extract
