#include "import/input.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

#include "import/defaults.hpp"
#include "lint/lint.hpp"
#include "read/file.hpp"
#include "yaml/parse.hpp"

namespace flexslice::imports {

using diag::Diagnostic;
using yaml::Node;
using yaml::Value;

namespace {

bool is_object(const Node& node) {
  const Node *version = node.find("apiVersion"), *kind = node.find("kind");
  return version != nullptr && kind != nullptr && version->kind == yaml::Kind::scalar &&
         kind->kind == yaml::Kind::scalar;
}

// kubectl reads YAML 1.1, where `0400` is octal.
void read_octal(Node& node) {
  const std::string& text = node.text;
  const bool octal = node.kind == yaml::Kind::scalar && !node.quoted && text.size() > 1 &&
                     text.size() <= 10 && text.front() == '0' &&
                     text.find_first_not_of("01234567") == std::string::npos;
  if (octal) {
    std::uint64_t number = 0;
    for (const char digit : text) number = number * 8 + static_cast<std::uint64_t>(digit - '0');
    node.text = std::to_string(number);
  }
  for (Node& item : node.items) read_octal(item);
  for (yaml::Member& member : node.members) read_octal(member.value);
}

// A document, or the items of a List.
void add_objects(Node document, std::vector<FoundObject>& objects) {
  if (!is_object(document)) {
    if (document.kind != yaml::Kind::sequence) return;
    for (Node& item : document.items) add_objects(std::move(item), objects);
    return;
  }
  const Node* items = document.find("items");
  if (document.find("kind")->text.ends_with("List") && items != nullptr) {
    for (const Node& item : items->items) add_objects(item, objects);
    return;
  }
  FoundObject object;
  read_octal(document);
  object.value = yaml::to_value(document);
  object.node = std::move(document);
  if (is_owned(object.value)) return;
  drop_what_controllers_add(object.value);
  objects.push_back(std::move(object));
}

// The excerpt with the template marks that were blanked in it: `[SYS_PTRACE]` is a list as often as
// a placeholder.
std::string with_marks(const read::Excerpt& excerpt, std::string_view file) {
  std::string text;
  for (std::size_t i = 0; i < excerpt.segments.size(); ++i) {
    const auto& [begin, host] = excerpt.segments[i];
    const std::size_t end =
        i + 1 < excerpt.segments.size() ? excerpt.segments[i + 1].begin : excerpt.text.size();
    if (host + (end - begin) > file.size()) return excerpt.text;
    text += file.substr(host, end - begin);
  }
  return text;
}

// `{NAME}` is a mapping to YAML.
bool has_braced_placeholder(const Node& node) {
  if (node.kind == yaml::Kind::mapping && node.members.size() == 1 &&
      node.members.front().value.kind == yaml::Kind::null &&
      node.members.front().value.span.begin == node.members.front().value.span.end)
    return true;
  return std::ranges::any_of(node.items, has_braced_placeholder) ||
         std::ranges::any_of(node.members, [](const yaml::Member& member) {
           return member.key.kind != yaml::Kind::scalar || has_braced_placeholder(member.value);
         });
}

}  // namespace

Material MaterialReader::read() {
  Material input;
  for (std::uint32_t file = 0; file < files_; ++file) {
    const std::string text = sources_[file].text, name = sources_[file].name;
    input.mentions_tpus |= lint::mentions_tpus(text);
    read::Variables variables;
    for (const read::Excerpt& excerpt : read::excerpts(text, read::type_of(name, text))) {
      if (excerpt.language == read::Language::yaml) {
        read_yaml(excerpt, with_marks(excerpt, text), file, input);
      } else {
        read_shell(excerpt, add(excerpt.text, excerpt, file), variables, input);
      }
    }
  }
  return input;
}

std::uint32_t MaterialReader::add(const std::string& text, const read::Excerpt& excerpt,
                                  std::uint32_t file) {
  parts_.push_back({excerpt, file});
  return sources_.add({sources_[file].name, text, 1});
}

void MaterialReader::read_yaml(const read::Excerpt& excerpt, const std::string& original,
                               std::uint32_t file, Material& input) {
  if (original != excerpt.text) {
    diag::Sink ignored;
    auto tree = yaml::parse(sources_, add(original, excerpt, file), ignored);
    if (tree && ignored.errors() == 0 && !has_braced_placeholder(*tree))
      return add_objects(std::move(*tree), input.objects);
  }
  diag::Sink sink;
  auto tree = yaml::parse(sources_, add(excerpt.text, excerpt, file), sink);
  if (tree) return add_objects(std::move(*tree), input.objects);
  // lint reports the rest.
  const bool linted = lint::mentions_tpus(excerpt.text);
  const bool is_part = excerpt.is_fragment || excerpt.has_marks;
  if (is_part ? !linted : linted) return;
  for (Diagnostic& finding : sink.take()) {
    if (is_part) finding.level = diag::Level::warning;
    sink_.add(std::move(finding));
  }
}

void MaterialReader::read_shell(const read::Excerpt& excerpt, std::uint32_t index,
                                read::Variables& variables, Material& input) {
  constexpr std::string_view autopilot = "since GKE creates the nodes when the pods need them";
  const read::Script script = read::read_shell(excerpt.text, index, variables, programs());
  for (const read::Command& command : script.commands) {
    if (auto known = read_command(command)) input.commands.push_back(std::move(*known));
    input.nodes_by_gke |= std::ranges::any_of(command.words, [&](const read::Word& word) {
      return word.text.find(autopilot) != std::string::npos;
    });
  }
}

void MaterialReader::move_to_files(Diagnostic& finding) const {
  std::set<std::uint32_t> sources{finding.where.source};
  for (const diag::Related& related : finding.related) sources.insert(related.where.source);
  for (const diag::Edit& edit : finding.fixes) sources.insert(edit.where.source);
  for (const std::uint32_t source : sources) {
    if (source < files_) continue;
    const ExcerptPart& part = parts_[source - files_];
    read::move_to_file(finding, part.excerpt, source, part.file);
  }
}

}  // namespace flexslice::imports
