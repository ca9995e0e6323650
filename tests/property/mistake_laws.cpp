// What a mistake gives: one message for one mistake, always inside the file, never a crash, and
// never artifacts beside an error that nothing can lower.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "../catch.hpp"
#include "base/text.hpp"
#include "compiled.hpp"
#include "diag/fix.hpp"
#include "diag/render.hpp"
#include "readers/hostile.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice::law {
namespace {

using hostile::Random;
using schema::Table;
using yaml::Value;

// The text of each examples/*/spec.yaml, in order of the names.
const std::map<std::string, std::string>& examples() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> found;
    for (const auto& entry :
         std::filesystem::directory_iterator(FLEXSLICE_SOURCE_DIR "/examples")) {
      std::ifstream file(entry.path() / "spec.yaml", std::ios::binary);
      if (file)
        found[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return found;
  }();
  return all;
}

// The way to a field, by keys and list indices.
using Way = std::vector<std::string>;

using Wanted = bool (*)(const Table& table, const schema::Field& field);

void collect_fields(const Value& value, const Table& table, Wanted wanted, Way& way,
                    std::vector<Way>& found);

void collect_in(const Value& value, const schema::Type& type, Wanted wanted, Way& way,
                std::vector<Way>& found) {
  if (type.category == schema::Category::record)
    collect_fields(value, *type.table, wanted, way, found);
  const auto below = [&](const std::string& key, const Value& each) {
    way.push_back(key);
    collect_in(each, *type.element, wanted, way, found);
    way.pop_back();
  };
  if (type.category == schema::Category::list) {
    for (std::size_t i = 0; i < value.items.size(); ++i) below(std::to_string(i), value.items[i]);
  } else if (type.category == schema::Category::map) {
    for (const auto& [key, each] : value.members) below(key, each);
  }
}

void collect_fields(const Value& value, const Table& table, Wanted wanted, Way& way,
                    std::vector<Way>& found) {
  if (!value.is_mapping()) return;
  for (const schema::Field& field : table.fields) {
    const Value* member = value.find(field.key);
    if (member == nullptr) continue;
    way.emplace_back(field.key);
    if (wanted(table, field)) found.push_back(way);
    collect_in(*member, *field.type, wanted, way, found);
    way.pop_back();
  }
}

std::vector<Way> fields_of(const Value& spec, Wanted wanted) {
  std::vector<Way> found;
  Way way;
  collect_fields(spec, schema::TableOf<spec::Claims>::table, wanted, way, found);
  return found;
}

bool is_required(const Table& table, const schema::Field& field) {
  return field.presence == schema::Presence::required && table.shorthand != field.key;
}

// The fields that cannot be left out.
std::vector<Way> required_of(const Value& spec) {
  std::vector<Way> found = fields_of(spec, is_required);
  // Manifests alone need no cluster for node pools that exist.
  const bool standard = text_at(&spec, "cluster.mode") != "autopilot" &&
                        text_at(&spec, "provisioning.create") != "false";
  const Value* provisioning = spec.find("provisioning");
  const bool by_class = provisioning != nullptr && provisioning->find("fallback") != nullptr;
  if (standard && !by_class)
    found.insert(found.end(), {{"cluster", "name"}, {"cluster", "location"}});
  const bool zonal = schema::matches(schema::Pattern::zone, text_at(&spec, "cluster.location"));
  if (standard && !zonal) found.push_back({"provisioning", "zones"});
  if (text_at(&spec, "provisioning.model") == "reservation" &&
      text_at(&spec, "provisioning.create") != "false")
    found.push_back({"provisioning", "reservation"});
  return found;
}

Value without(Value spec, const Way& way) {
  Value* at = &spec;
  for (std::size_t i = 0; i + 1 < way.size(); ++i) {
    at = at->is_sequence() ? &at->items[std::stoul(way[i])] : at->find(way[i]);
    if (at == nullptr) return spec;
  }
  at->erase(way.back());
  return spec;
}

std::multiset<std::string> warnings(const Case& made) {
  std::multiset<std::string> codes;
  for (const diag::Diagnostic& each : made.compiled.diagnostics) {
    if (each.level == diag::Level::warning) codes.insert(diag::code_text(each.code));
  }
  return codes;
}

TEST_CASE("a required field that is missing gives exactly one finding", "[property]") {
  REQUIRE(examples().size() >= 8);
  std::vector<std::string> faults;
  for (const auto& [name, text] : examples()) {
    const Value spec = documents(text).at(0);
    const std::multiset<std::string> before = warnings(check(yaml::emit(spec, {})));
    const std::vector<Way> ways = required_of(spec);
    CHECK(ways.size() >= 5);
    for (const Way& way : ways) {
      const Case made = check(yaml::emit(without(spec, way), {}));
      const std::string path = text::join(way, ".");
      const bool named = made.findings().find(way.back()) != std::string::npos;
      const std::multiset<std::string> after = warnings(made);
      if (made.errors() != 1 || !named ||
          !std::includes(before.begin(), before.end(), after.begin(), after.end())) {
        faults.push_back(fmt::format("{} without {}:\n{}", name, path, made.findings()));
      }
    }
  }
  CHECK(faults == std::vector<std::string>{});
}

// The mapping that holds the field.
Value& holder(Value& spec, const Way& way) {
  Value* at = &spec;
  for (std::size_t i = 0; i + 1 < way.size(); ++i)
    at = at->is_sequence() ? &at->items[std::stoul(way[i])] : at->find(way[i]);
  return *at;
}

// The specs that differ in this one field: values of other types, an empty one, and a misspelt key.
std::vector<Value> misshapen(const Value& spec, const Way& way) {
  std::vector<Value> made;
  for (const Value& wrong :
       {Value{}, Value::string(""), Value::sequence(), Value::strings({"x"}), Value::boolean(true),
        Value::number(77), Value::string("no such thing")}) {
    // Of the right type, it says something else and is no mistake.
    if (wrong.kind == Value::Kind::boolean && text_at(&spec, text::join(way, ".")) == "false")
      continue;
    made.push_back(spec);
    holder(made.back(), way)[way.back()] = wrong;
  }
  if (way.back().size() < 4 || way.back()[1] == way.back()[2]) return made;
  made.push_back(spec);
  auto& members = holder(made.back(), way).members;
  const auto member = std::find_if(members.begin(), members.end(),
                                   [&](const auto& each) { return each.key == way.back(); });
  std::swap(member->key[1], member->key[2]);
  return made;
}

TEST_CASE("a field that is wrong in some way gives one finding", "[property]") {
  const auto any = [](const Table&, const schema::Field&) { return true; };
  std::vector<std::string> faults;
  std::size_t refused = 0, turn = 0;
  for (const auto& [name, text] : examples()) {
    const Value spec = documents(text).at(0);
    for (const Way& way : fields_of(spec, any)) {
      for (const Value& wrong : misshapen(spec, way)) {
        if (turn++ % sampled(5) != 0) continue;
        const Case made = check(yaml::emit(wrong, {}));
        refused += made.errors();
        if (made.errors() > 1)
          faults.push_back(fmt::format("{}: {}\n{}", name, text::join(way, "."), made.findings()));
      }
    }
  }
  CHECK(refused * sampled(5) > 500);
  CHECK(faults == std::vector<std::string>{});
}

std::string changed_line(const std::string& text, Random& random) {
  std::vector<std::string> lines;
  for (std::string_view line : text::split(text, '\n')) lines.emplace_back(line);
  const std::size_t at = random.below(lines.size());
  const std::string other = random.pick(lines);
  switch (random.below(5)) {
    case 0:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), other);
      break;
    case 2:
      std::swap(lines[at], lines[random.below(lines.size())]);
      break;
    case 3:
      lines[at].insert(0, random.below(5), ' ');
      break;
    default:
      lines[at] = std::string(text::trim(lines[at]));
  }
  return text::join(lines, "\n");
}

// Begin and end of a token: letters, digits and what stands in names.
std::pair<std::size_t, std::size_t> token_at(const std::string& text, std::size_t at) {
  const auto inside = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
  };
  std::size_t begin = at;
  while (begin > 0 && inside(text[begin - 1])) --begin;
  std::size_t end = at;
  while (end < text.size() && inside(text[end])) ++end;
  return {begin, end};
}

std::string changed_token(std::string text, Random& random) {
  static constexpr std::array<std::string_view, 24> tokens = {
      "v4",    "v5p-8", "8x4", "4x4x4",    "2x4",        "tpu7x",     "autopilot",   "spot",
      "true",  "null",  "[]",  "{}",       "-1",         "999999999", "reservation", "|",
      "\"x\"", "1e3",   "7d",  "us-mars1", "us-east5-b", "<<: *a",    "&a x",        "on-demand"};
  const auto [begin, end] = token_at(text, random.below(text.size() + 1));
  const auto [from, to] = token_at(text, random.below(text.size() + 1));
  return text.replace(
      begin, end - begin,
      random.one_in(2) ? text.substr(from, to - from) : std::string(random.pick(tokens)));
}

std::string changed_bytes(std::string text, Random& random) {
  const std::size_t at = random.below(text.size() + 1);
  switch (random.below(4)) {
    case 0:
      return text.erase(at, 1 + random.below(4));
    case 1:
      return text.insert(at, text.substr(random.below(text.size() + 1), 1 + random.below(6)));
    case 2:
      return text.insert(at, 1, static_cast<char>(random.below(256)));
    default:
      return text.insert(at, hostile::string(random));
  }
}

std::string mutated(std::string text, Random& random) {
  for (std::size_t count = 1 + random.below(3); count > 0; --count) {
    switch (random.below(3)) {
      case 0:
        text = changed_line(text, random);
        break;
      case 1:
        text = changed_token(std::move(text), random);
        break;
      default:
        text = changed_bytes(std::move(text), random);
    }
  }
  return text;
}

bool inside(const Sources& sources, Span span) {
  return span.source < sources.size() && span.begin <= span.end &&
         span.end <= sources[span.source].text.size();
}

std::string fault_of(const Case& made) {
  const Compiled& compiled = made.compiled;
  bool hard = false;
  for (const diag::Diagnostic& each : compiled.diagnostics) {
    hard = hard || each.level == diag::Level::error;
    if (!inside(made.sources, each.where)) return "a span outside";
    if (each.message.empty()) return "no message";
    for (const diag::Edit& edit : each.fixes) {
      if (!inside(made.sources, edit.where)) return "a fix outside";
    }
  }
  if (hard == compiled.ok) return "ok beside an error, or neither";
  if (compiled.ok == compiled.artifacts.empty()) return "artifacts beside an error, or neither";
  const bool sorted = std::is_sorted(
      compiled.diagnostics.begin(), compiled.diagnostics.end(), [](const auto& a, const auto& b) {
        return std::pair(a.where.source, a.where.begin) < std::pair(b.where.source, b.where.begin);
      });
  return sorted ? "" : "not in order";
}

TEST_CASE("whatever is done to a spec, findings lie inside of it and errors leave no artifacts",
          "[property]") {
  Random random(41);
  std::vector<std::string> texts;
  for (const auto& [name, text] : examples()) texts.push_back(text);
  std::vector<std::string> faults;
  std::size_t good = 0;
  std::size_t bad = 0;
  for (int round = 0; round < 3000; round += static_cast<int>(sampled(4))) {
    const std::string text = mutated(random.pick(texts), random);
    const Case made = compile(text);
    if (std::string fault = fault_of(made); !fault.empty() && !text::trim(text).empty())
      faults.push_back(fault + "\n" + text);
    if (diag::render({}, made.sources, made.compiled.diagnostics).empty() !=
        made.compiled.diagnostics.empty())
      faults.push_back(text);
    ++(made.compiled.ok ? good : bad);
  }
  CHECK(faults == std::vector<std::string>{});
  // Both halves of the law were seen.
  CHECK(good * sampled(4) > 400);
  CHECK(bad * sampled(4) > 400);
}

TEST_CASE("in layers, findings lie inside of the layer that they are about", "[property]") {
  static constexpr std::array<std::string_view, 12> sets = {"tpu.topology=4x5",
                                                            "tpu.slices=-1",
                                                            "name=",
                                                            "=",
                                                            "a",
                                                            "tpu=[",
                                                            "tpu={type: v4}",
                                                            "workload.env=[]",
                                                            "x.y.z=1",
                                                            "labels.a=1",
                                                            "tpu..=1",
                                                            "cluster.mode=autopilot"};
  Random random(43);
  std::vector<std::string> texts;
  for (const auto& [name, text] : examples()) texts.push_back(text);
  std::vector<std::string> faults;
  for (int round = 0; round < 600; round += static_cast<int>(sampled(3))) {
    Case made;
    Input input{made.sources, 0, {}, {}};
    input.defaults.push_back(
        made.sources.add({"defaults", mutated(random.pick(texts), random), 1}));
    input.spec = made.sources.add({"spec", mutated(random.pick(texts), random), 1});
    input.sets.push_back(made.sources.add({"--set", std::string(random.pick(sets)), 1}));
    input.sets.push_back(
        made.sources.add({"--set", changed_bytes(std::string(random.pick(sets)), random), 1}));
    made.compiled =
        flexslice::compile(input, facts(), built_in_templates(), {.emit = {Emit::manifests}});
    if (std::string fault = fault_of(made); !fault.empty())
      faults.push_back(fault + "\n" + made.findings());
    diag::render({}, made.sources, made.compiled.diagnostics);
  }
  CHECK(faults == std::vector<std::string>{});
}

// As `code place`, for those that carry a fix.
std::multiset<std::string> fixable(const Case& made) {
  std::multiset<std::string> all;
  for (const diag::Diagnostic& each : made.compiled.diagnostics) {
    if (!each.fixes.empty())
      all.insert(
          fmt::format("{} {}", diag::code_text(each.code), made.sources.position(each.where).line));
  }
  return all;
}

// Empty when the fixes of these findings do what they promise.
std::string fault_of_fixes(const std::string& text, std::size_t& fixed) {
  const Case made = check(text);
  const std::multiset<std::string> before = fixable(made);
  if (before.empty()) return {};
  const diag::Fixed result = diag::apply_fixes(text, 0, made.compiled.diagnostics);
  const Case again = check(result.text);
  fixed += result.applied;
  const bool gone =
      result.applied + result.skipped == before.size() && fixable(again).size() <= result.skipped;
  // What the fixed value means may be wrong in another way, but not how it is written.
  const auto by_itself = [](const Case& each) {
    return std::count_if(each.compiled.diagnostics.begin(), each.compiled.diagnostics.end(),
                         [](const auto& found) { return static_cast<int>(found.code) < 3000; });
  };
  if (gone && by_itself(again) <= by_itself(made)) return {};
  return text + made.findings() + "->\n" + result.text + again.findings();
}

void for_each_leaf(Value& tree, const std::function<void(Value&)>& each) {
  if (!tree.is_mapping() && !tree.is_sequence()) each(tree);
  for (Value& item : tree.items) for_each_leaf(item, each);
  for (auto& [key, value] : tree.members) for_each_leaf(value, each);
}

TEST_CASE("applied fixes take their findings away", "[property]") {
  const Value wrong[] = {Value::number(3), Value::string("yes"), Value::string("8x4x4")};
  std::vector<std::string> faults;
  std::size_t fixed = 0, turn = 0;
  for (const auto& [name, text] : examples()) {
    Value spec = documents(text).at(0);
    for_each_leaf(spec, [&](Value& leaf) {
      const Value own = leaf;
      for (const Value& each : wrong) {
        if (turn++ % sampled(5) != 0) continue;
        leaf = each;
        if (auto fault = fault_of_fixes(yaml::emit(spec, {}), fixed); !fault.empty())
          faults.push_back(std::move(fault));
      }
      leaf = own;
    });
  }
  CHECK(fixed * sampled(5) > 100);
  CHECK(faults == std::vector<std::string>{});
}

}  // namespace
}  // namespace flexslice::law
