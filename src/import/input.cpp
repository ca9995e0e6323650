#include "import/input.hpp"

#include <algorithm>
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

// A document, or the items of a List.
void add_objects(Node document, std::vector<Object>& objects) {
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
  Object object;
  object.value = yaml::to_value(document);
  object.node = std::move(document);
  if (is_owned(object.value)) return;
  drop_what_controllers_add(object.value);
  objects.push_back(std::move(object));
}

}  // namespace

Input Reader::read() {
  Input input;
  for (std::uint32_t file = 0; file < files_; ++file) {
    const std::string text = sources_[file].text, name = sources_[file].name;
    input.mentions_tpus |= lint::mentions_tpus(text);
    read::Variables variables;
    for (read::Excerpt& excerpt : read::excerpts(text, read::type_of(name, text))) {
      const std::uint32_t index = sources_.add({name, excerpt.text, 1});
      parts_.push_back({std::move(excerpt), file});
      const read::Excerpt part = parts_.back().excerpt;
      if (part.language == read::Language::yaml) {
        read_yaml(part, index, input);
      } else {
        read_shell(part, index, variables, input);
      }
    }
  }
  return input;
}

void Reader::read_yaml(const read::Excerpt& excerpt, std::uint32_t index, Input& input) {
  diag::Sink sink;
  auto tree = yaml::parse(sources_, index, sink);
  if (tree) return add_objects(std::move(*tree), input.objects);
  if (excerpt.is_fragment || excerpt.has_marks) {
    ++input.unread;
    return;
  }
  for (Diagnostic& finding : sink.take()) sink_.add(std::move(finding));
}

void Reader::read_shell(const read::Excerpt& excerpt, std::uint32_t index,
                        read::Variables& variables, Input& input) {
  constexpr std::string_view autopilot = "since GKE creates the nodes when the pods need them";
  const read::Script script = read::read_shell(excerpt.text, index, variables, programs());
  for (const read::Command& command : script.commands) {
    if (auto known = read_command(command)) input.commands.push_back(std::move(*known));
    input.nodes_by_gke |= std::ranges::any_of(command.words, [&](const read::Word& word) {
      return word.text.find(autopilot) != std::string::npos;
    });
  }
}

void Reader::move_to_files(Diagnostic& finding) const {
  std::set<std::uint32_t> sources{finding.where.source};
  for (const diag::Related& related : finding.related) sources.insert(related.where.source);
  for (const diag::Edit& edit : finding.fixes) sources.insert(edit.where.source);
  for (const std::uint32_t source : sources) {
    if (source < files_) continue;
    const Part& part = parts_[source - files_];
    read::move_to_file(finding, part.excerpt, source, part.file);
  }
}

}  // namespace flexslice::imports
