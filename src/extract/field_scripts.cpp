#include "extract/field_scripts.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/hcl.hpp"
#include "extract/scalar_text.hpp"
#include "extract/shell_words.hpp"
#include "yaml/embedded.hpp"
#include "yaml/parse.hpp"

namespace flexslice::extract {

using std::size_t;
using yaml::Kind;
using yaml::Node;
using yaml::View;

namespace {

constexpr std::string_view programs[] = {"gcloud", "kubectl", "xpk", "gcluster"};
constexpr std::string_view shells[] = {"sh", "bash", "dash", "ash", "zsh", "ksh"};

bool names_program(std::string_view text) {
  return any_of(programs, [&](std::string_view each) { return text.find(each) != text.npos; });
}

// Other files have no fields that are read.
bool may_have_fields(std::string_view text) {
  return names_program(text) || text.find("apply_manifests") != text.npos;
}

bool has_text(View list, std::string_view word) {
  return list && any_of(list, [&](View each) { return each.text() == word; });
}

bool applies(View row, const Node& root, bool is_hcl) {
  const auto has = [&](View key) { return root.find(key.text()) != nullptr; };
  if (row.find("language")) return root.find("resource") != nullptr && is_hcl;
  if (is_hcl) return false;
  if (row.find("list")) return root.kind == Kind::sequence;
  if (root.kind != Kind::mapping) return false;
  if (const View kinds = row.find("kinds")) {
    return root.find("apiVersion") != nullptr && has_text(kinds, root.text_at({"kind"}));
  }
  const View keys = row.find("keys"), any = row.find("any"), without = row.find("without");
  return !(keys && any_of(keys, std::not_fn(has))) && (!any || any_of(any, has)) &&
         (!without || !any_of(without, has));
}

// The part of a path before the first `.`, with an `[]` after a key as a part of its own.
std::string_view take_step(std::string_view& path) {
  if (path.starts_with("[]")) {
    path.remove_prefix(path.starts_with("[].") ? 3 : 2);
    return "[]";
  }
  const size_t end = std::min(path.find_first_of(".["), path.size());
  const std::string_view step = path.substr(0, end);
  path.remove_prefix(end);
  if (path.starts_with('.')) path.remove_prefix(1);
  return step;
}

bool is_named(std::string_view key, std::string_view step) {
  return key == step || (key.size() > step.size() && key.ends_with(step) &&
                         key[key.size() - step.size() - 1] == '.');
}

class FieldReader {
 public:
  FieldReader(const Excerpt& document, std::string_view file, View row, const GivenNames& given,
              std::set<Span>& taken)
      : document_(document), file_(file), row_(row), given_(given), taken_(taken) {}

  std::vector<Excerpt> read(const Node& root) {
    root_ = &root;
    if (const View paths = row_.find("scripts")) {
      for (const View path : paths)
        visit(root, path.text(), [&](const Node& field) { add_script(field); });
    }
    if (const View paths = row_.find("objects")) {
      for (const View path : paths)
        visit(root, path.text(), [&](const Node& field) { add_object(field); });
    }
    const View words = row_.find("words");
    if (const View paths = words.find("at")) {
      for (const View path : paths)
        visit(root, path.text(), [&](const Node& holder) { add_words(holder, words); });
    }
    return std::move(found_);
  }

 private:
  void visit(const Node& node, std::string_view path, const auto& act) {
    if (path.empty()) return act(node);
    std::string_view rest = path;
    const std::string_view step = take_step(rest);
    above_.push_back(&node);
    if (step == "**") visit(node, rest, act);
    if (step == "[]" || step == "**") {
      for (const Node& item : node.items) visit(item, step == "**" ? path : rest, act);
    }
    if (step != "[]") {
      for (const auto& [key, value] : node.members) {
        if (step == "**") visit(value, path, act);
        if (step == "*" || (step != "**" && is_named(key.text, step))) visit(value, rest, act);
      }
    }
    above_.pop_back();
  }

  // Adds the lines of a string, or of a list of them.
  void append_lines(const Node& field, Excerpt& script) const {
    for (const Node& item : field.items) append_lines(item, script);
    if (field.kind != Kind::scalar) return;
    const Excerpt text = text_of_scalar(document_, field);
    if (text.segments.empty()) return;
    append_bytes(script, text, 0, text.text.size());
    if (!text.text.ends_with('\n')) append_in_place(script, "\n", text.host(text.text.size()), 1);
  }

  void add_script(const Node& field) {
    Excerpt script;
    append_lines(field, script);
    finish(field, std::move(script));
  }

  void add_object(const Node& field) {
    if (field.kind != Kind::scalar || !taken_.insert(field.span).second) return;
    Excerpt text = text_of_scalar(document_, field);
    if (text.segments.empty()) return;
    text.language = Language::yaml;
    text.is_embedded = true;
    found_.push_back(std::move(text));
  }

  // A list of arguments, without a shell unless it is the program.
  void add_words(const Node& holder, View words) {
    std::vector<const Node*> all;
    for (const View name : words.find("fields")) {
      const Node* field = holder.find(name.text());
      if (field == nullptr) continue;
      if (field->kind == Kind::scalar) all.push_back(field);
      for (const Node& item : field->items) all.push_back(&item);
    }
    if (all.empty()) return;
    const std::string_view program = program_of(*all[0]);
    if (contains(shells, program)) {
      for (size_t i = 1; i + 1 < all.size(); ++i) {
        const std::string_view option = all[i]->text;
        if (option.starts_with('-') && !option.starts_with("--") && contains(option, 'c'))
          return add_script(*all[i + 1]);
      }
      return;
    }
    const Node* image = holder.find(words.find("image").text());
    Excerpt script;
    if (!contains(programs, program)) {
      if (image == nullptr || holder.find("entrypoint") != nullptr) return;
      std::string_view name = program_of(*image);
      name = name.substr(0, name.find_first_of(":@"));
      if (!contains(programs, name)) return;
      append_in_place(script, name, document_.host(image->span.begin),
                      image->span.end - image->span.begin);
    }
    for (const Node* word : all) append_word(*word, script);
    finish(*all.back(), std::move(script));
  }

  static std::string_view program_of(const Node& word) {
    return std::string_view(word.text).substr(word.text.rfind('/') + 1);
  }

  void append_word(const Node& word, Excerpt& script) const {
    const Excerpt text = text_of_scalar(document_, word);
    if (text.segments.empty()) return;
    const size_t begin = text.host(0), end = text.host(text.text.size());
    const bool is_plain = text.text.find_first_of(" \t\n'`;&|<>()#*?!~") == std::string::npos;
    const bool has_quote = text.text.find_first_of("\"\\") != std::string::npos;
    if (!script.text.empty()) append_in_place(script, " ", begin, 1);
    if (!is_plain && !has_quote) append_in_place(script, "\"", begin, 1);
    append_bytes(script, text, 0, text.text.size());
    if (!is_plain && !has_quote) append_in_place(script, "\"", end, 1);
  }

  void finish(const Node& field, Excerpt script) {
    if (script.text.empty() || !names_program(script.text)) return;
    if (!taken_.insert(field.span).second || is_off()) return;
    is_open_ = is_opened(field);
    if (row_.find("dollars")) undouble(script);
    if (const View templates = row_.find("templates")) fill(templates, script);
    Excerpt all;
    all.language = Language::shell;
    all.has_open_environment = is_open_;
    variables(all);
    append_bytes(all, script, 0, script.text.size());
    if (const View marks = row_.find("marks")) {
      for (const View mark : marks) blank(mark.key(), mark.text(), all.text);
    }
    if (const View words = row_.find("drop")) drop(words, all.text);
    all.is_embedded = true;
    all.own_shell = true;
    found_.push_back(std::move(all));
  }

  // `{{ nodes }}` or `{{.NODES}}`, if the file alone says its value. The excerpt has other bytes
  // in their places.
  void fill(View templates, Excerpt& script) const {
    Excerpt filled;
    size_t done = 0;
    for (size_t at = 0; at < script.text.size(); ++at) {
      const std::string_view mark = mark_at(script.host(at));
      if (mark.empty() || at + mark.size() > script.text.size() ||
          script.host_end(at + mark.size() - 1) != script.host(at) + mark.size())
        continue;
      std::string_view name = text::trim(mark.substr(2, mark.size() - 4));
      if (name.starts_with('.')) name.remove_prefix(1);
      const Node* value = variable_name(name) == name ? value_of(name, templates) : nullptr;
      if (value == nullptr) continue;
      append_bytes(filled, script, done, at);
      append_in_place(filled, value->text, script.host(at), mark.size());
      done = at + mark.size();
      at = done - 1;
    }
    append_bytes(filled, script, done, script.text.size());
    script = std::move(filled);
  }

  std::string_view mark_at(size_t host) const {
    const std::string_view rest = file_.substr(std::min(host, file_.size()));
    if (!rest.starts_with("{{")) return {};
    const size_t end = rest.find("}}");
    return end < rest.find('\n') ? rest.substr(0, end + 2) : std::string_view();
  }

  // The only value that the file gives the variable, above the field. Null: others may give one.
  const Node* value_of(std::string_view name, View templates) const {
    const Node* value = nullptr;
    for (const Node* holder : above_) {
      const Node* set = holder->find(templates.find("set").text());
      if (set != nullptr && set->find(name) != nullptr) value = set->find(name);
    }
    const bool is_plain = value != nullptr && value->kind == Kind::scalar &&
                          value->text.find_first_of("{}$`\"'\\\n") == std::string::npos;
    if (!is_plain || given_.contains(name)) return nullptr;
    int mentions = 0;
    bool is_open = false;
    yaml::for_scalars(*root_, [&](const Node& scalar) {
      if (scalar.text == name) ++mentions;
      is_open |= any_of(templates.find("open"),
                        [&](View key) { return is_named(scalar.text, key.text()); });
    });
    return mentions == 1 && !is_open ? value : nullptr;
  }

  void undouble(Excerpt& script) const {
    Excerpt result;
    size_t done = 0;
    for (size_t at = 0; (at = script.text.find("$$", at)) != std::string::npos; at += 2) {
      append_bytes(result, script, done, at + 1);
      done = at + 2;
    }
    append_bytes(result, script, done, script.text.size());
    script = std::move(result);
  }

  // Keeps the length.
  static void blank(std::string_view opening, std::string_view closing, std::string& text) {
    for (size_t at = 0; (at = text.find(opening, at)) != std::string::npos; ++at) {
      const size_t line = std::min(text.find('\n', at), text.size());
      const size_t end = text.find(closing, at + opening.size());
      if (end == std::string::npos || end > line) continue;
      const auto begin = text.begin() + static_cast<std::ptrdiff_t>(at);
      std::fill(begin, begin + static_cast<std::ptrdiff_t>(end + closing.size() - at), 'X');
      text[at] = '$';
    }
  }

  static void drop(View words, std::string& text) {
    for (const View word : words) {
      const std::string begins = " " + std::string(word.text()) + "=";
      for (size_t at = 0; (at = text.find(begins, at)) != std::string::npos; ++at) {
        const size_t end = std::min(text.find_first_of(" \t\n", at + 1), text.size());
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
                  text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      }
    }
  }

  // The program never runs it.
  bool is_off() const {
    const View off = row_.find("off");
    return off && any_of(above_, [&](const Node* holder) {
             return any_of(holder->members, [&](const yaml::Member& member) {
               const View values = off.find(member.key.text);
               const Node* said = &member.value;
               if (!said->items.empty() && said->items[0].members.size() == 1)
                 said = &said->items[0].members[0].value;
               return said->kind == Kind::scalar && has_text(values, said->text);
             });
           });
  }

  // Something that is not read may set variables of the script.
  bool is_opened(const Node& field) const {
    bool is_open = false;
    const View opens = row_.find("opens"), texts = row_.find("openedBy");
    const View before = row_.find("before"), abstract = row_.find("abstract");
    const auto look_at = [&](const Node& holder) {
      for (const auto& [key, value] : holder.members) {
        is_open |= has_text(opens, key.text);
        if (has_text(before, key.text) && value.span != field.span)
          yaml::for_scalars(value, [&](const Node& line) { is_open |= sets_variables(line.text); });
      }
    };
    for (const Node* holder : above_) look_at(*holder);
    if (const Node* shared = before ? root_->find("default") : nullptr) look_at(*shared);
    for (const yaml::Member& member : root_->members) {
      if (abstract && member.key.text.starts_with(abstract.text()))
        is_open |= contains(above_, &member.value);
    }
    if (texts) {
      yaml::for_scalars(*root_, [&](const Node& scalar) {
        is_open |= any_of(
            texts, [&](View each) { return scalar.text.find(each.text()) != std::string::npos; });
      });
    }
    return is_open;
  }

  // `N=4`, `export N=4`, `. env.sh`
  static bool sets_variables(std::string_view script) {
    return any_of(text::split(script, '\n'), [](std::string_view line) {
      line = text::trim(line);
      const std::string_view name = variable_name(line);
      return line.starts_with("export ") || line.starts_with(". ") || line.starts_with("source ") ||
             line.starts_with("eval ") ||
             (!name.empty() && line.substr(name.size()).starts_with('='));
    });
  }

  void variables(Excerpt& script) const {
    const View names = row_.find("variables"), open = row_.find("open");
    for (const Node* holder : above_) {
      for (const auto& [key, value] : holder->members) {
        if (has_text(names, key.text)) set_all(value, script, {});
        if (const View prefix = row_.find("prefixed").find(key.text))
          set_all(value, script, prefix.text());
      }
    }
    for (const Node* holder : above_) {
      for (const auto& [key, value] : holder->members) {
        if (has_text(open, key.text)) open_all(value, script);
      }
    }
  }

  void set_all(const Node& variables, Excerpt& script, std::string_view prefix) const {
    for (const auto& [key, value] : variables.members) {
      const Node* inner = value.kind == Kind::mapping ? value.find("value") : &value;
      set(key, inner, script, prefix);
    }
    for (const Node& item : variables.items) {
      if (const Node* name = item.find("name")) set(*name, item.find("value"), script, {});
      if (item.kind == Kind::scalar) set_by_word(item, script);
    }
  }

  // `NAME=value`
  void set_by_word(const Node& item, Excerpt& script) const {
    const Excerpt text = text_of_scalar(document_, item);
    const size_t equals = text.text.find('=');
    if (text.segments.empty() || equals == std::string::npos) return;
    set_bytes(part(text, 0, equals), part(text, equals + 1, text.text.size()), script);
  }

  void set(const Node& name, const Node* value, Excerpt& script, std::string_view prefix) const {
    const Excerpt key = text_of_scalar(document_, name);
    if (key.segments.empty() || key.text.empty()) return;
    append_in_place(script, prefix, key.host(0), 0);
    Excerpt text;
    if (value != nullptr && value->kind == Kind::scalar) text = text_of_scalar(document_, *value);
    while (text.text.ends_with('\n')) text.text.pop_back();
    set_bytes(key, text, script);
  }

  // A value that is not one line of plain text is not known.
  void set_bytes(const Excerpt& name, const Excerpt& value, Excerpt& script) const {
    if (variable_name(name.text) != name.text || name.text.empty()) return;
    const bool is_known = !value.segments.empty() && !value.text.empty() && !is_open_ &&
                          !given_.contains(name.text) &&
                          value.text.find_first_of("\"`\\\n") == std::string::npos;
    append_bytes(script, name, 0, name.text.size());
    const size_t after = name.host(name.text.size());
    append_in_place(script, is_known ? "=\"" : "=\"$_", after, 1);
    if (is_known) append_bytes(script, value, 0, value.text.size());
    append_in_place(script, "\"\n", after, 1);
  }

  void open_all(const Node& node, Excerpt& script) const {
    for (const Node& item : node.items) open_all(item, script);
    for (const auto& [key, value] : node.members) {
      if (key.text.size() == variable_name(key.text).size())
        set_bytes(text_of_scalar(document_, key), {}, script);
      open_all(value, script);
    }
  }

  const Excerpt& document_;
  std::string_view file_;
  View row_;
  const GivenNames& given_;
  const Node* root_ = nullptr;
  std::set<Span>& taken_;
  std::vector<const Node*> above_;  // the field that is visited, from the root
  bool is_open_ = false;            // what the field that is read has of variables
  std::vector<Excerpt> found_;
};

// Spaces for tags such as GitLab's `!reference`, which this program's reader refuses.
std::string without_tags(std::string text) {
  for (size_t at = 0; (at = text.find('!', at)) != std::string::npos; ++at) {
    if ((at > 0 && !ascii::is_space(text[at - 1])) || at + 1 == text.size() ||
        !(ascii::is_lower(text[at + 1]) || ascii::is_upper(text[at + 1])))
      continue;
    for (; at < text.size() && !ascii::is_space(text[at]); ++at) text[at] = ' ';
  }
  return text;
}

std::optional<Node> tree_of_hcl(std::string_view text) {
  auto tree = read_hcl(text, 0);
  auto* const root = std::get_if<Node>(&tree);
  return root == nullptr ? std::nullopt : std::optional(std::move(*root));
}

std::optional<Node> read(std::string text) {
  Sources sources;
  sources.add({"", std::move(text)});
  diag::Sink ignored;
  return yaml::parse(sources, 0, ignored, {.merge_keys = true, .last_wins = true});
}

}  // namespace

std::vector<Excerpt> field_scripts(const Excerpt& document, std::string_view file,
                                   const GivenNames& given) {
  std::vector<Excerpt> found;
  if (document.has_template_lines || !may_have_fields(document.text)) return found;
  const bool is_hcl = document.language == Language::hcl;
  auto root = is_hcl ? tree_of_hcl(document.text) : read(document.text);
  if (!root && !is_hcl && document.text.find(" !") != std::string::npos)
    root = read(without_tags(document.text));
  if (!root) return found;
  std::set<Span> taken;
  for (const View row : embedded::root_of(embedded::kubernetes, "extract/script_formats.yaml")) {
    if (!applies(row, *root, is_hcl)) continue;
    for (Excerpt& script : FieldReader(document, file, row, given, taken).read(*root))
      found.push_back(std::move(script));
  }
  return found;
}

}  // namespace flexslice::extract
