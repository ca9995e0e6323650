#include "extract/terraform_objects.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/embedded.hpp"
#include "yaml/made.hpp"
#include "yaml/scalar.hpp"

namespace flexslice::extract {

using std::size_t;
using yaml::Kind;
using yaml::Node;
using yaml::View;

namespace {

constexpr std::string_view not_of_objects[] = {
    "count",      "for_each", "provider",        "depends_on",          "lifecycle",
    "timeouts",   "//",       "computed_fields", "wait_for_completion", "wait_for_rollout",
    "connection", "wait",     "provisioner",     "field_manager",       "wait_for"};

View object_rows() {
  return embedded::root_of(embedded::kubernetes, "extract/terraform_objects.yaml");
}
View shared_words() {
  for (const View row : object_rows()) {
    if (row.find("words")) return row;
  }
  return {};
}

bool has_listed(View list, std::string_view word) {
  return list && any_of(list, [&](View each) { return each.text() == word; });
}

std::string camel_case(std::string_view name) {
  std::string field;
  bool is_next = false;
  for (const char c : name) {
    if (c == '_') {
      is_next = !field.empty();
      continue;
    }
    field +=
        std::exchange(is_next, false) && ascii::is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return field;
}

class ManifestReader {
 public:
  ManifestReader(View row, const Module* module)
      : row_(row), words_(shared_words()), module_(module) {}

  // `key`: the name of the resource.
  std::optional<TerraformObject> make(const Node& key, const Node& body) {
    object_ = {};
    for (std::string_view each : {"count", "for_each", "dynamic"})
      object_.is_open |= body.find(each) != nullptr;
    if (const View manifest = row_.find("manifest")) {
      const Node* given = body.find(manifest.text());
      if (given == nullptr || given->kind != Kind::mapping) return {};
      object_.tree = as_written(*given, false);
      return std::move(object_);
    }
    object_.tree = fields(body, true);
    for (std::string_view name : {"kind", "apiVersion"}) {
      yaml::Member member;
      member.key = member.value = key;
      member.key.text = name;
      member.value.text = row_.find("object").find(name).text();
      member.value.quoted = false;
      object_.tree.members.insert(object_.tree.members.begin(), std::move(member));
    }
    return std::move(object_);
  }

 private:
  // The literal that `${var.NAME}` or `${local.NAME}` is, with the place where it is used.
  Node meant_by(const Node& said) {
    const std::string_view text = said.text;
    if (text.find("${") == text.npos) return said;
    object_.is_open |= !text.starts_with("${") || text.find('}') + 1 != text.size();
    if (module_ == nullptr || !text.ends_with('}')) return said;
    const auto found = module_->values.find(text.substr(2, text.size() - 3));
    if (found == module_->values.end() || found->second->kind != Kind::scalar ||
        found->second->text.find("${") != std::string::npos)
      return said;
    Node value = *found->second;
    value.span = said.span;
    return value;
  }

  // Terraform makes of a value what the field takes.
  Node scalar(const Node& said, bool is_string) {
    Node value = meant_by(said);
    if (value.kind != Kind::scalar) return value;
    const yaml::ScalarType type = yaml::type_of(value.text);
    value.quoted = is_string || type == yaml::ScalarType::string || type == yaml::ScalarType::null;
    return value;
  }

  // The object is written with Kubernetes' own names, which stay.
  Node as_written(const Node& said, bool is_map) {
    if (said.kind == Kind::scalar) {
      Node value = meant_by(said);
      value.quoted |= is_map;
      return value;
    }
    Node made = said;
    for (Node& item : made.items) item = as_written(item, is_map);
    for (yaml::Member& member : made.members) {
      const bool is_inner =
          contains(std::initializer_list<std::string_view>{"labels", "annotations", "nodeSelector",
                                                           "matchLabels"},
                   member.key.text);
      member.value = as_written(member.value, is_map || is_inner);
    }
    return made;
  }

  Node map(const Node& said) {
    Node made = meant_by(said);
    object_.is_open |= made.kind == Kind::scalar;
    for (yaml::Member& member : made.members) {
      member.key.quoted = true;
      member.value = scalar(member.value, true);
    }
    return made;
  }

  // Reads the fields of a block. A block that is given several times is a list.
  Node fields(const Node& block, bool is_root = false) {
    Node made = yaml::mapping_at(block.span);
    for (const yaml::Member& argument : block.members) {
      const Node &key = argument.key, &said = argument.value;
      if (is_root && contains(not_of_objects, key.text)) continue;
      if (key.text == "dynamic") {
        object_.is_open = true;
        continue;
      }
      const View list = words_.find("lists").find(key.text);
      Node name = key;
      name.text = field_name(key.text);
      auto same = std::ranges::find(made.members, name.text,
                                    [](const yaml::Member& each) { return each.key.text; });
      if (same == made.members.end()) {
        made.members.push_back({std::move(name), {}});
        same = std::prev(made.members.end());
        same->value.span = said.span;
      }
      if (list) {
        same->value.kind = Kind::sequence;
        for_each_block(said,
                       [&](const Node& each) { same->value.items.push_back(value(key, each)); });
      } else {
        same->value = value(key, said);
      }
    }
    return made;
  }

  static void for_each_block(const Node& said, const auto& act) {
    if (said.kind != Kind::sequence) return act(said);
    for (const Node& item : said.items) act(item);
  }

  std::string field_name(std::string_view argument) const {
    for (const View table : {row_.find("fields"), words_.find("fields"), words_.find("lists")}) {
      if (const View field = table.find(argument)) return std::string(field.text());
    }
    return camel_case(argument);
  }

  Node value(const Node& key, const Node& said) {
    const bool is_string = has_listed(words_.find("strings"), key.text);
    if (has_listed(words_.find("maps"), key.text) || has_listed(row_.find("maps"), key.text))
      return map(said);
    if (said.kind == Kind::mapping) return fields(said);
    if (said.kind != Kind::sequence) return scalar(said, is_string);
    Node made = said;
    // A block in JSON syntax may be in a list.
    if (said.items.size() == 1 && said.items[0].kind == Kind::mapping) return fields(said.items[0]);
    for (Node& item : made.items)
      item = item.kind == Kind::mapping ? fields(item) : scalar(item, is_string);
    return made;
  }

  View row_, words_;
  const Module* module_;
  TerraformObject object_;
};

void for_bodies(const Node& node, const auto& act) {
  if (node.kind == Kind::mapping) act(node);
  for (const Node& item : node.items) for_bodies(item, act);
}

}  // namespace

std::vector<TerraformObject> terraform_objects(const Node& document, const Module* module) {
  std::vector<TerraformObject> found;
  const Node* resources = document.find("resource");
  if (resources == nullptr) return found;
  for_bodies(*resources, [&](const Node& by_type) {
    for (const auto& [type, named] : by_type.members) {
      for (const View row : object_rows()) {
        if (!has_listed(row.find("resources"), type.text)) continue;
        for_bodies(named, [&](const Node& by_name) {
          for (const yaml::Member& resource : by_name.members) {
            for_bodies(resource.value, [&](const Node& body) {
              if (auto object = ManifestReader(row, module).make(resource.key, body))
                found.push_back(std::move(*object));
            });
          }
        });
      }
    }
  });
  return found;
}

namespace {

std::string_view module_value(const Module& module, std::string_view name) {
  for (const Module::Values* values : {&module.set, &module.values}) {
    const auto found = values->find(name);
    if (found == values->end()) continue;
    const Node& value = *found->second;
    const auto is_plain = [](char c) {
      return ascii::is_word(c) || c == '-' || c == '.' || c == '/';
    };
    const bool is_known = value.kind == Kind::scalar && std::ranges::all_of(value.text, is_plain);
    return is_known ? std::string_view(value.text) : std::string_view();
  }
  return {};
}

Excerpt with_module_values(Excerpt lines, const Module& module) {
  constexpr std::string_view begin = "${";
  Excerpt filled = lines;
  filled.text.clear();
  filled.segments.clear();
  size_t done = 0;
  for (size_t at = 0; (at = lines.text.find(begin, at)) != std::string::npos; at += begin.size()) {
    const size_t end = lines.text.find('}', at);
    if (end == std::string::npos) break;
    const std::string_view name =
        text::trim(std::string_view(lines.text).substr(at + begin.size(), end - at - begin.size()));
    const bool is_name = name.starts_with("var.") || name.starts_with("local.");
    const bool is_escaped = at > 0 && lines.text[at - 1] == '$';
    const std::string_view value = is_name && !is_escaped ? module_value(module, name) : "";
    if (value.empty()) continue;
    append_bytes(filled, lines, done, at);
    append_in_place(filled, value, lines.host(at), lines.host_end(end) - lines.host(at));
    done = end + 1;
  }
  append_bytes(filled, lines, done, lines.text.size());
  return filled;
}

}  // namespace

std::vector<Excerpt> texts_of_hcl(const Excerpt& file, const Module* module) {
  std::vector<Excerpt> found;
  const std::string_view text = file.text;
  for (size_t at = 0; (at = text.find("<<", at)) != text.npos;) {
    at += 2;
    const bool is_indented = text.substr(at).starts_with('-');
    at += is_indented ? 1 : 0;
    const size_t line_end = text::line_end(text, at);
    const std::string_view mark = text::trim(text.substr(at, line_end - at));
    if (mark.empty() || !std::ranges::all_of(mark, ascii::is_word)) continue;
    const size_t first = text::next_line(text, at);
    size_t last = first, least = text.npos;
    for (; last < text.size(); last = text::next_line(text, last)) {
      const std::string_view line = text.substr(last, text::line_end(text, last) - last);
      if (text::trim(line) == mark) break;
      least = std::min(least, line.find_first_not_of(" \t"));
    }
    Excerpt lines;
    for (size_t line = first; line < last && line < text.size();) {
      const size_t next = text::next_line(text, line);
      const size_t skipped =
          is_indented && least != text.npos ? std::min(least, next - line - 1) : 0;
      append_bytes(lines, file, line + skipped, next);
      line = next;
    }
    at = last;
    if (lines.segments.empty()) continue;
    found.push_back(module == nullptr ? std::move(lines)
                                      : with_module_values(std::move(lines), *module));
  }
  return found;
}

}  // namespace flexslice::extract
