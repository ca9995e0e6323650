#include "import/placeholders.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "base/lists.hpp"
#include "resolve/facts.hpp"
#include "schema/pattern.hpp"
#include "schema/placeholder.hpp"
#include "spec/spec_fields.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

constexpr std::string_view free_text[] = {"command",     "args",        "script",
                                          "data",        "entrypoint",  "serveConfigV2",
                                          "serveConfig", "annotations", "value"};

// `your-bucket` in `gs://your-bucket/models`.
std::string_view name_to_fill_in(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find_first_of("/:@,= "));
    if (part.starts_with("your-") || part.starts_with("your_")) return part;
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  }
  return {};
}

std::string_view first_in(std::string_view text) {
  constexpr std::size_t longest = 1024;  // no name is longer, and time stays linear
  const std::string_view placeholder = schema::placeholder_in(text);
  if (text.size() > longest) return placeholder;
  std::string_view word = schema::capital_word_in(text);
  if (word.empty()) word = schema::hyphenated_word_in(text);
  if (placeholder.empty() && word.empty()) return name_to_fill_in(text);
  if (placeholder.empty()) return word;
  return word.empty() || placeholder.data() < word.data() ? placeholder : word;
}

// The name is short, as what it stands for most often is, since names have limits.
std::string stand_in_name(std::string_view placeholder, std::string_view salt) {
  constexpr std::size_t digits = 4;
  return "ph" + text::fingerprint(fmt::format("{}{}", placeholder, salt)).substr(0, digits);
}

// Variables of a spec are free text, unless they refer to something. Nothing can stand for a shape.
bool stays(std::string_view parent, std::string_view key, const Value& value) {
  return contains(free_text, key) || key == "tpu" || (parent == "env" && value.is_string());
}

void replace_all(std::string& text, std::string_view part, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += with.size())
    text.replace(at, part.size(), with);
}

// The spec may say where the cluster is: a zone is in its region.
std::string placement_of(const Value& spec) {
  const Value* location = spec.at({"cluster", "location"});
  if (location != nullptr && !location->text.empty() && !Placeholders::is_in(location->text))
    return location->text;
  if (const Value* zones = spec.at({"provisioning", "zones"})) {
    for (const Value& zone : zones->items) {
      if (!Placeholders::is_in(zone.text)) return std::string(resolve::region_of(zone.text));
    }
  }
  return "us-central1";
}

}  // namespace

bool Placeholders::is_free(std::string_view key) {
  return contains(free_text, key) || key == "env";
}

bool Placeholders::is_in(std::string_view text) { return !first_in(text).empty(); }

std::string Placeholders::filled(std::string_view text) {
  std::string result;
  for (;;) {
    const std::string_view placeholder = first_in(text);
    if (placeholder.empty()) return result + std::string(text);
    const auto at = static_cast<std::size_t>(placeholder.data() - text.data());
    std::string name = stand_in_name(placeholder, {});
    while (names_.emplace(name, placeholder).first->second != placeholder)
      name = stand_in_name(placeholder, name);
    result += std::string(text.substr(0, at)) + name;
    text.remove_prefix(at + placeholder.size());
  }
}

void Placeholders::fill(Value& value, std::string_view key) {
  if (value.is_string() && is_in(value.text)) value.text = filled(value.text);
  for (Value& item : value.items) fill(item, key);
  for (Value::Member& member : value.members) {
    if (!stays(key, member.key, member.value)) fill(member.value, member.key);
  }
}

void Placeholders::fill_place(Value* value, std::string_view with) {
  if (value == nullptr || !value->is_string() || !is_in(value->text)) return;
  value->text = with;
  stand_ins_.emplace(with);
}

void Placeholders::fill_spec(Value& spec) {
  const std::string location = placement_of(spec);
  if (Value* cluster = spec.find("cluster")) {
    fill_place(cluster->find("location"), location);
    fill_place(cluster->find("project"), "my-project");
    fill_place(cluster->find("version"), "1.35.0-gke.1000000");
  }
  if (Value* provisioning = spec.find("provisioning")) {
    if (Value* zones = provisioning->find("zones")) {
      const bool is_zone = schema::matches(schema::Pattern::zone, location);
      for (Value& zone : zones->items) fill_place(&zone, is_zone ? location : location + "-a");
    }
    for (const schema::Field& field : schema::TableOf<spec::Provisioning>::table.fields) {
      if (field.type->category == schema::Category::text && !field.is_kept)
        fill_place(provisioning->find(field.key), std::string(field.example));
    }
  }
  if (Value* workload = spec.find("workload")) {
    if (Value* pathways = workload->find("pathways"))
      fill_place(pathways->find("gcsLocation"), "gs://my-bucket/pathways");
  }
  Value* tpu = spec.find("tpu");
  Value* slices = tpu == nullptr ? nullptr : tpu->find("slices");
  if (slices != nullptr && slices->is_string()) *slices = Value::number(1);
  fill(spec);
}

std::vector<std::string_view> Placeholders::all() const {
  std::vector<std::string_view> all;
  for (const auto& [name, placeholder] : names_) all.push_back(placeholder);
  return all;
}

std::string Placeholders::restored(std::string text) const {
  for (const auto& [name, placeholder] : names_) replace_all(text, name, placeholder);
  return text;
}

void Placeholders::restore(Value& value) const {
  if (names_.empty()) return;
  if (value.is_string()) value.text = restored(std::move(value.text));
  for (Value& item : value.items) restore(item);
  for (Value::Member& member : value.members) restore(member.value);
}

}  // namespace flexslice::imports
