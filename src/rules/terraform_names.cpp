#include "rules/terraform_names.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/slip.hpp"
#include "base/text.hpp"
#include "yaml/blocks.hpp"
#include "yaml/embedded.hpp"
#include "yaml/frozen.hpp"

namespace flexslice::rules {

using diag::Code;
using diag::Sink;
using yaml::Node;
using yaml::View;

namespace {

View spelling_table(std::string_view key) {
  return embedded::root_of(embedded::kubernetes, "rules/terraform_names.yaml").find(key);
}

class TerraformNames {
 public:
  TerraformNames(const Node& module, Sink& sink) : sink_(sink) {
    for_members(module.find("resource"),
                [&](const Node& type, const Node& named) { judge_type(type, named); });
    know({"variable"});
    for_members(module.find("variable"),
                [&](const Node&, const Node& variable) { judge_variable(variable); });
    judge_language(module);
  }

 private:
  // Takes the names of these rows of the language for all that are known.
  void know(std::initializer_list<std::string_view> rows) {
    known_.clear();
    for (std::string_view row : rows) add_known("language", row);
  }
  void add_known(std::string_view words, std::string_view row) {
    for (const View name : spelling_table(words).find(row)) known_.push_back(name.text());
  }

  void judge_type(const Node& type, const Node& named) {
    known_.clear();
    for (const View known : spelling_table("resources")) known_.push_back(known.key());
    if (!contains(known_, type.text)) return judge_name(type);
    know({"resource"});
    add_known("resources", type.text);
    for_members(&named, [&](const Node&, const Node& block) { judge(block); });
  }

  void judge_variable(const Node& block) {
    judge_keys(block);
    const Node* type = block.find("type");
    if (type == nullptr) return;
    std::string_view word = expression(type->text);
    word = word.substr(0, word.find('('));
    known_.clear();
    add_known("language", "type");
    judge_word(*type, word);
    // Every release has these types alone.
    const bool is_word = !word.empty() && std::ranges::all_of(word, [](char c) {
      return ascii::is_lower(c) || ascii::is_digit(c) || c == '-' || c == '_';
    });
    if (is_word && !contains(known_, word) && sink_.find(Code::NearName, type->span) == nullptr)
      sink_.report<Code::WrongForm>(*type, word, "type")
          .note("Terraform has the types {}", text::join(known_, ", "));
    know({"variable"});
  }

  // Readers of other files take blocks that they do not know for something else.
  void judge_language(const Node& module) {
    const Node *resources = module.find("resource"), *language = module.find("terraform");
    if (resources != nullptr || language != nullptr) {
      know({"file"});
      judge_keys(module);
    }
    if (language == nullptr) return;
    know({"terraform"});
    for_blocks(*language, [&](const Node& block) { judge_keys(block); });
    for_members(language, [&](const Node& key, const Node& block) {
      if (key.text != "required_providers") return;
      know({"providers"});
      judge_keys(block);
      for_members(&block, [&](const Node&, const Node& provider) { judge_provider(provider); });
    });
  }

  void judge_provider(const Node& provider) {
    know({"provider"});
    judge_keys(provider);
    know({"sources"});
    if (const Node* source = provider.find("source")) judge_name(*source);
  }

  void report(const Node& where, std::string_view name, std::string_view meant,
              std::string_view reason) {
    sink_.report<Code::NearName>(where, name, meant, reason).help("write `{}`", meant);
  }

  // Takes it out of `${...}`.
  static std::string_view expression(std::string_view text) {
    const bool is_one = text.starts_with("${") && text.ends_with('}');
    return is_one ? text.substr(2, text.size() - 3) : text;
  }

  void judge_name(const Node& where) { judge_word(where, where.text); }
  void judge_word(const Node& where, std::string_view word) {
    if (contains(known_, word) || word.size() < 4) return;
    const auto* meant =
        find_where(known_, [&](std::string_view each) { return text::is_slip(word, each); });
    if (meant != nullptr) report(where, word, *meant, "which Terraform knows here");
  }

  void judge_keys(const Node& block) {
    for (const yaml::Member& member : block.members) judge_name(member.key);
  }

  void judge(const Node& block) {
    judge_keys(block);
    for (const auto& [key, value] : block.members) {
      if (any_of(spelling_table("ownKeys"),
                 [&, &key = key](View each) { return each.text() == key.text; }))
        continue;
      for (const Node& item : value.items) {
        if (key.text == "ignore_changes")
          judge_path(item);
        else
          judge(item);
      }
      judge_value(key.text, value);
      judge(value);
    }
  }

  void judge_value(std::string_view argument, const Node& value) {
    const View words = spelling_table("values").find(argument);
    if (!words || value.text.starts_with('$')) return;
    std::string_view meant;
    for (const View word : words) {
      if (word.text() == value.text) return;
      if (text::is_slip(value.text, word.text())) meant = word.text();
    }
    if (!meant.empty()) report(value, value.text, meant, "which the provider takes");
  }

  // `node_config[0].gvnic`
  void judge_path(const Node& where) {
    for (const std::string_view step : text::split(expression(where.text), '.'))
      judge_word(where, step.substr(0, step.find('[')));
  }

  Sink& sink_;
  std::vector<std::string_view> known_;
};

}  // namespace

void judge_terraform_names(const Node& module, Sink& sink) { TerraformNames(module, sink); }

}  // namespace flexslice::rules
