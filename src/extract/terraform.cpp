#include "extract/terraform.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/arguments.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::extract {

using yaml::Kind;
using yaml::Node;
using yaml::View;

namespace {

// Arguments that say nothing of what is created.
constexpr std::string_view meta_arguments[] = {
    "//",       "lifecycle",           "depends_on", "provider",
    "timeouts", "deletion_protection", "name",       "ip_allocation_policy"};

// A block is an object, or a list of them.
void for_blocks(const Node& node, const auto& visit) {
  if (node.kind == Kind::mapping) visit(node);
  for (const Node& item : node.items) for_blocks(item, visit);
}

class TerraformReader {
 public:
  explicit TerraformReader(const Node& document) : document_(document) {}

  TerraformResources read() {
    const Node* resources = document_.find("resource");
    if (resources == nullptr) return {};
    for (const View kind : embedded::root_of(embedded::kubernetes, "extract/terraform.yaml")) {
      for_blocks(*resources, [&](const Node& by_kind) {
        const Node* by_name = by_kind.find(kind.find("resource").text());
        if (by_name == nullptr) return;
        for_blocks(*by_name, [&](const Node& names) {
          for (const yaml::Member& member : names.members) {
            for_blocks(member.value, [&](const Node& body) { add(kind, member.key, body); });
          }
        });
      });
    }
    return std::move(result_);
  }

 private:
  void add(View kind, const Node& key, const Node& body) {
    const std::string_view creates = kind.find("command").text();
    Command command;
    command.where = key.span;
    words_ = &command.words;
    word("gcloud", key.span);
    const Node* autopilot = body.find("enable_autopilot");
    const bool is_auto = autopilot != nullptr && autopilot->text == "true";
    for (std::string_view each : text::split(is_auto ? create_autopilot : creates, ' '))
      word(each, key.span);
    const Node* name = body.find("name");
    if (name == nullptr) {
      word("${name}", key.span).unknown = true;
    } else {
      value(*name);
    }
    arguments(body, {}, kind.find("arguments"));
    // Without a number the provider asks for none.
    if (creates == create_pool && body.find("node_count") == nullptr &&
        body.find("initial_node_count") == nullptr)
      word("--num-nodes=0", key.span);
    result_.commands.push_back(std::move(command));
  }

  void arguments(const Node& body, const std::string& prefix, View rows) {
    for (const auto& [key, given] : body.members) {
      if (prefix.empty() && contains(meta_arguments, key.text)) continue;
      const std::string path = prefix + key.text;
      const Node* other = default_of(given.text);
      if ((other == nullptr ? given : *other).kind == Kind::null) continue;
      if (path == "autoscaling") word("--enable-autoscaling", key.span);
      const View row = rows.find(path);
      const auto is_inner = [&](View each) { return each.key().starts_with(path + "."); };
      if (row && row.is_scalar()) {
        if (given.kind == Kind::scalar && given.text.empty()) continue;
        word(row.text(), key.span);
        value(given);
      } else if (const View meaning = row ? row.find(given.text) : row) {
        means(meaning.text(), key, given);
      } else if (any_of(rows, is_inner)) {
        for_blocks(given, [&](const Node& block) { arguments(block, path + ".", rows); });
      } else {
        result_.unread.push_back(key.span);
      }
    }
  }

  // A flag, or none, that is written for one value of the argument.
  void means(std::string_view flag, const Node& key, const Node& given) {
    if (flag.empty()) return;
    const std::size_t equals = std::min(flag.find('='), flag.size());
    word(flag.substr(0, equals), key.span);
    if (equals < flag.size()) word(flag.substr(equals + 1), given.span);
  }

  Word& word(std::string_view text, Span where) {
    return words_->emplace_back(Word{std::string(text), where});
  }

  void value(const Node& node) {
    Word& added = word({}, node.span);
    std::vector<std::string> parts;
    if (node.kind == Kind::scalar) parts.push_back(resolved(node.text, added));
    for (const Node& item : node.items) parts.push_back(resolved(item.text, added));
    for (const yaml::Member& member : node.members)
      parts.push_back(member.key.text + "=" + resolved(member.value.text, added));
    added.text = text::join(parts, ",");
  }

  // Of the variable, if the text is `${var.NAME}` and there is one; else null.
  const Node* default_of(std::string_view text) const {
    constexpr std::string_view begin = "${var.";
    if (!text.starts_with(begin) || text.find('}') + 1 != text.size()) return nullptr;
    return document_.at(
        {"variable", text.substr(begin.size(), text.size() - begin.size() - 1), "default"});
  }

  std::string resolved(const std::string& text, Word& word) const {
    const Node* value = default_of(text);
    if (value != nullptr && value->kind == Kind::scalar) return value->text;
    word.unknown |= text.find("${") != text.npos || text.find("%{") != text.npos;
    return text;
  }

  const Node& document_;
  std::vector<Word>* words_ = nullptr;
  TerraformResources result_;
};

}  // namespace

TerraformResources read_terraform(const Node& document) { return TerraformReader(document).read(); }

}  // namespace flexslice::extract
