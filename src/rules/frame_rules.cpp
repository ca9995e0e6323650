// A document is an object by `apiVersion`, `kind` and `metadata` with a name.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "rules/manifest_rules.hpp"
#include "schema/decode.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/placeholder.hpp"
#include "yaml/path.hpp"

namespace flexslice::rules {

namespace {

using yaml::Node;
namespace kubernetes = schema::kubernetes;

constexpr std::string_view frame_words[] = {"apiVersion", "kind", "metadata"};
// Keys of objects that are like none of those words.
constexpr std::string_view other_words[] = {"spec",    "data",     "items", "status", "metrics",
                                            "secrets", "webhooks", "rules", "kinds",  "meta"};

// The member that is meant by the word.
const yaml::Member* member_for(const Node& document, std::string_view word) {
  const yaml::Member* like = nullptr;
  for (const yaml::Member& member : document.members) {
    if (member.key.text == word) return &member;
    if (contains(other_words, member.key.text) || contains(frame_words, member.key.text)) continue;
    const auto near = text::nearest(member.key.text, frame_words);
    if (near && *near == word) like = &member;
  }
  return like;
}

struct ObjectFrame {
  const yaml::Member *version, *kind, *metadata;

  explicit ObjectFrame(const Node& document)
      : version(member_for(document, "apiVersion")),
        kind(member_for(document, "kind")),
        metadata(member_for(document, "metadata")) {}

  static std::string_view text_of(const yaml::Member* member) {
    return member == nullptr || member->value.kind != yaml::Kind::scalar
               ? std::string_view()
               : std::string_view(member->value.text);
  }
  std::string_view version_text() const { return text_of(version); }
  std::string_view kind_text() const { return text_of(kind); }
  // Other programs have documents with such keys too.
  bool is_known() const {
    const bool has_known_word = !kubernetes::api_version(kind_text()).empty() ||
                                !kubernetes::kinds_of(version_text()).empty();
    return has_known_word && metadata != nullptr && (version != nullptr || kind != nullptr);
  }
};

bool report_misspelt(const yaml::Member& member, std::string_view word, const ObjectFrame& frame,
                     Sink& sink) {
  if (member.key.text == word) return false;
  const std::string_view kind = frame.kind_text();
  sink.report<Code::NoSuchField>(member.key, kind.empty() ? frame.version_text() : kind,
                                 member.key.text)
      .help("did you mean `{}`?", word)
      .fix(member.key.span, std::string(word));
  return true;
}

// `apiVersion` or `kind` stands one level too deep.
bool report_nested(const ObjectFrame& frame, Sink& sink) {
  const Node &metadata = frame.metadata->value, *version = metadata.find("apiVersion"),
             *kind = metadata.find("kind");
  const std::string_view kind_text = kind == nullptr ? frame.kind_text() : kind->text,
                         version_text = version == nullptr ? frame.version_text() : version->text;
  const bool is_one = (version != nullptr && frame.version == nullptr) ||
                      (kind != nullptr && frame.kind == nullptr);
  if (!is_one || !contains(kubernetes::kinds_of(version_text), kind_text)) return false;
  const std::string_view word = frame.kind == nullptr && kind != nullptr ? "kind" : "apiVersion";
  sink.report<Code::NoSuchField>(word == "kind" ? *kind : *version, kind_text,
                                 fmt::format("metadata.{}", word))
      .help("write it beside `metadata`");
  return true;
}

// The document would be an object but for a misspelt word.
void judge_frame_words(const Node& document, const ObjectFrame& frame, bool is_embedded,
                       Sink& sink) {
  const std::pair<const yaml::Member*, std::string_view> words[] = {
      {frame.version, "apiVersion"}, {frame.kind, "kind"}, {frame.metadata, "metadata"}};
  for (const auto& [member, word] : words) {
    if (member != nullptr && report_misspelt(*member, word, frame, sink)) return;
  }
  if (frame.kind != nullptr) return;
  if (is_embedded) return;
  Diagnostic& finding = sink.report<Code::KindMissing>(frame.version->value, frame.version_text());
  const auto kinds = kubernetes::kinds_of(frame.version_text());
  if (document.at({"spec", "template", "spec"}) != nullptr && contains(kinds, "Job"))
    finding.help("add `kind: Job`, or the kind that is meant");
}

void require_name(const Node& document, const ObjectFrame& frame, Sink& sink) {
  const Node& metadata = frame.metadata->value;
  if (metadata.kind == yaml::Kind::scalar || metadata.kind == yaml::Kind::sequence) {
    if (metadata.kind == yaml::Kind::sequence || !schema::is_placeholder(metadata.text))
      sink.report<Code::WrongType>(metadata.span, "`metadata`", "a mapping",
                                   yaml::describe(metadata, yaml::kubectl_type_of(metadata)));
    return;
  }
  const Node *name = metadata.find("name"), *prefix = metadata.find("generateName");
  const auto is_given = [](const Node* node) {
    return node != nullptr && node->kind != yaml::Kind::null &&
           (node->kind != yaml::Kind::scalar || !node->text.empty());
  };
  if (is_given(name) || is_given(prefix)) return;
  const auto is_template = [](const yaml::Member& member) {
    if (kubernetes::table("ObjectMeta").find(member.key.text) != nullptr) return false;
    return schema::is_placeholder(member.key.text) ||
           text::nearest(member.key.text, std::vector<std::string_view>{"name"}).has_value();
  };
  if (any_of(metadata.members, is_template)) return;
  const schema::Table* table = kubernetes::find(frame.kind_text(), frame.version_text());
  if (table == nullptr ||
      !has_required(document, {.category = schema::Category::record, .table = table}))
    return;
  sink.report<Code::MissingField>(name == nullptr ? frame.metadata->key : *name, "metadata.name");
}

void judge_frame(const Node& document, bool is_whole, bool is_embedded, Sink& sink) {
  if (document.kind != yaml::Kind::mapping) return;
  const Node* kind = document.find("kind");
  if (const Node* items = document.find("items");
      items != nullptr && kind != nullptr && kind->text.ends_with("List")) {
    for (const Node& item : items->items) judge_frame(item, is_whole, is_embedded, sink);
    return;
  }
  const ObjectFrame frame(document);
  if (frame.metadata == nullptr) {
    // A whole object but for its name.
    const schema::Table* table = kubernetes::find(frame.kind_text(), frame.version_text());
    if (is_whole && table != nullptr && table->find("metadata") != nullptr &&
        document.members.size() > 2 &&
        has_required(document, {.category = schema::Category::record, .table = table}))
      sink.report<Code::MissingField>(
          document.find("kind") == nullptr ? document.span : document.find("kind")->span,
          "metadata");
    return;
  }
  if (report_nested(frame, sink) || !frame.is_known()) return;
  if (frame.version != nullptr)
    judge_frame_words(document, frame, is_embedded, sink);
  else if (const yaml::Member* member = frame.kind)
    report_misspelt(*member, "kind", frame, sink);
  if (is_whole && frame.version != nullptr && frame.kind != nullptr)
    require_name(document, frame, sink);
}

}  // namespace

bool has_misspelt_version(const Node& object) {
  const yaml::Member* member = member_for(object, "apiVersion");
  return member != nullptr && member->key.text != "apiVersion";
}

void judge_frames(const view::Found& found, Sink& sink) {
  if (found.document == nullptr || found.has_target || !stands_alone(found.completeness)) return;
  const bool is_whole = says_all(found.completeness) && !found.has_lost && !found.is_embedded;
  Sink own;
  judge_frame(*found.document, is_whole, found.is_embedded, own);
  for (Diagnostic& finding : own.take()) {
    if (found.is_shown) finding.level = diag::Level::warning;
    sink.add(std::move(finding));
  }
}

}  // namespace flexslice::rules
