#include "extract/terraform_references.hpp"

#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "yaml/blocks.hpp"

namespace flexslice::extract {

using yaml::Node;

namespace {

constexpr std::size_t most_compared = 500;  // names, each with each that is not declared

using Names = Module::Names;

// Finds the names in the expressions of a text: `a${var.b}`. Strings within them may have others.
class DeclaredNameReader {
 public:
  explicit DeclaredNameReader(std::string_view text) : text_(text) {}

  Names read() {
    while (at_ < text_.size()) step();
    return std::move(names_);
  }

 private:
  bool has(std::string_view mark) const { return text_.substr(at_).starts_with(mark); }

  void step() {
    if (in_code_.empty() || !in_code_.back()) {
      if (has("$${") || has("\\\"")) {
        at_ += has("$${") ? 3 : 2;
      } else if (has("${")) {
        at_ += 2;
        in_code_.push_back(true);
      } else if (!in_code_.empty() && has("\"")) {
        ++at_;
        in_code_.pop_back();
      } else {
        ++at_;
      }
      return;
    }
    const char c = text_[at_];
    if (c == '"') {
      in_code_.push_back(false);
    } else if (c == '{') {
      in_code_.push_back(true);
    } else if (c == '}') {
      in_code_.pop_back();
    } else if (is_name(c)) {
      return read_name();
    }
    ++at_;
  }

  static bool is_name(char c) { return ascii::is_letter_or_digit(c) || c == '_' || c == '-'; }

  static bool is_resource(std::string_view root) {
    return root.starts_with("google_") || root == "terraform_data";
  }

  // `var.a.b`; what follows a point is an attribute of something else.
  void read_name() {
    const bool is_attribute = at_ > 0 && text_[at_ - 1] == '.';
    std::vector<std::string_view> steps;
    do {
      const std::size_t begin = at_;
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
      steps.push_back(text_.substr(begin, at_ - begin));
    } while (at_ + 1 < text_.size() && text_[at_] == '.' && is_name(text_[at_ + 1]) && ++at_);
    constexpr std::string_view roots[] = {"var", "local", "module"};
    const std::string_view root = steps.front();
    const bool is_data = root == "data" && steps.size() > 2 && steps[1].starts_with("google_");
    const bool is_one = contains(roots, root) || is_resource(root);
    if (is_attribute || steps.size() < 2 || !(is_data || is_one)) return;
    const std::string_view last = steps[is_data ? 2 : 1];
    names_.emplace(root.begin(), last.end());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<bool> in_code_;  // and whether each thing that holds it is code, or a string
  Names names_;
};

// Calls `visit` with each text that may have expressions. Lists of addresses are expressions
// without marks in JSON, and what was moved or removed is declared no more.
void for_terraform_texts(const Node& node, bool is_address, const auto& visit) {
  constexpr std::string_view addresses[] = {"depends_on", "replace_triggered_by"};
  constexpr std::string_view of_old[] = {"moved", "removed"};
  if (node.text.find("${") != std::string::npos)
    visit(node.span, node.text);
  else if (is_address && !node.text.empty())
    visit(node.span, "${" + node.text + "}");
  for (const Node& item : node.items) for_terraform_texts(item, is_address, visit);
  for (const yaml::Member& member : node.members) {
    if (!contains(of_old, member.key.text))
      for_terraform_texts(member.value, contains(addresses, member.key.text), visit);
  }
}

}  // namespace

void add_declared(const Node& document, Module::Names& declared) {
  const auto add = [&](const Node* blocks, const std::string& prefix) {
    if (blocks == nullptr) return;
    for_blocks(*blocks, [&](const Node& block) {
      for (const yaml::Member& named : block.members) declared.insert(prefix + named.key.text);
    });
  };
  add(document.find("variable"), "var.");
  add(document.find("locals"), "local.");
  add(document.find("module"), "module.");
  for (const auto& [block, prefix] : {std::pair("resource", ""), std::pair("data", "data.")}) {
    for_members(document.find(block), [&, prefix = prefix](const Node& type, const Node& named) {
      add(&named, prefix + type.text + ".");
    });
  }
}

std::vector<UndeclaredName> undeclared_names(const Node& document, const Module* module) {
  Names of_document;
  if (module == nullptr) add_declared(document, of_document);
  if (module != nullptr && !module->is_read) return {};
  const Names& declared = module == nullptr ? of_document : module->declared;
  std::vector<UndeclaredName> found;
  for_terraform_texts(document, false, [&](Span where, const std::string& text) {
    for (const std::string& name : DeclaredNameReader(text).read()) {
      if (declared.contains(name)) continue;
      UndeclaredName each{where, name, {}};
      const std::string sort = name.substr(0, name.rfind('.') + 1);
      for (auto other = declared.lower_bound(sort); other != declared.end(); ++other) {
        if (!other->starts_with(sort) || each.others.size() == most_compared) break;
        each.others.push_back(*other);
      }
      found.push_back(std::move(each));
    }
  });
  return found;
}

}  // namespace flexslice::extract
