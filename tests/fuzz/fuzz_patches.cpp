// Two documents of a stream, a target and a merge patch: the result agrees with RFC 7386 written
// down once more, slowly and over maps.
#include <map>
#include <memory>
#include <optional>

#include "schema/merge.hpp"
#include "support.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace {

using namespace flexslice;
using yaml::Value;

// A JSON value as the RFC sees it: an object is a set of members, anything else is whole.
struct Json {
  std::optional<Value> whole;
  std::map<std::string, std::shared_ptr<const Json>> members;

  static Json of(const Value& value) {
    Json json;
    if (!value.is_mapping()) {
      json.whole = value;
      return json;
    }
    for (const Value::Member& member : value.members)
      json.members[member.key] = std::make_shared<Json>(of(member.value));
    return json;
  }
  bool is_null() const { return whole && whole->kind == Value::Kind::null; }
  // Members in a list count in any order, too.
  static bool same(const Json& a, const Json& b) {
    if (a.whole.has_value() != b.whole.has_value() || a.members.size() != b.members.size())
      return false;
    if (a.whole) return same_whole(*a.whole, *b.whole);
    for (const auto& [key, value] : a.members) {
      const auto other = b.members.find(key);
      if (other == b.members.end() || !same(*value, *other->second)) return false;
    }
    return true;
  }
  static bool same_whole(const Value& a, const Value& b) {
    if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size()) return false;
    for (std::size_t i = 0; i < a.items.size(); ++i) {
      if (!same(of(a.items[i]), of(b.items[i]))) return false;
    }
    return true;
  }
};

// RFC 7386, section 2, line by line.
Json merge_patch(const Json& target, const Json& patch) {
  if (patch.whole) return patch;
  Json merged;
  if (!target.whole) merged.members = target.members;
  for (const auto& [name, value] : patch.members) {
    if (value->is_null()) {
      merged.members.erase(name);
    } else {
      const auto old = merged.members.find(name);
      const Json none = Json::of(Value{});
      merged.members[name] = std::make_shared<Json>(
          merge_patch(old == merged.members.end() ? none : *old->second, *value));
    }
  }
  return merged;
}

std::optional<Value> read(std::string_view text) {
  Sources sources;
  sources.add({"text", std::string(text)});
  diag::Sink sink;
  const auto node = yaml::parse(sources, 0, sink);
  if (!node || sink.errors() > 0) return std::nullopt;
  return yaml::to_value(*node);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::vector<yaml::Document> documents = yaml::split_documents(text);
  if (documents.size() < 2) return -1;
  const auto target = read(documents[0].text);
  const auto patch = read(documents[1].text);
  if (!target || !patch) return -1;
  const Value merged = schema::merge(*target, *patch);
  fuzz::require(Json::same(Json::of(merged), merge_patch(Json::of(*target), Json::of(*patch))),
                "merge patches are those of the RFC", text);
  fuzz::require(schema::merge(merged, *patch) == merged, "a patch applied twice is as good as once",
                text);
  return 0;
}
