#include "import/input.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "driver/lint_file.hpp"
#include "extract/excerpt.hpp"
#include "extract/hcl.hpp"
#include "extract/marks.hpp"
#include "extract/terraform.hpp"
#include "import/config_connector.hpp"
#include "import/defaults.hpp"
#include "import/launch.hpp"
#include "import/placeholders.hpp"
#include "import/workload.hpp"
#include "schema/kubernetes_types.hpp"
#include "view/read_objects.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice::imports {

using diag::Diagnostic;
using yaml::Node;
using yaml::Value;

namespace {

void set_namespace(Value& object, const std::string& name_space) {
  if (name_space.empty() || schema::kubernetes::is_cluster_scoped(object.text_at({"kind"})) ||
      !object.text_at({"metadata", "namespace"}).empty())
    return;
  object["metadata"]["namespace"] = Value::string(name_space);
}

// A document, or the items of a List.
void add_objects(Node document, const std::string& name_space, std::vector<FoundObject>& objects) {
  if (!view::is_object(document)) {
    if (document.kind != yaml::Kind::sequence) return;
    for (Node& item : document.items) add_objects(std::move(item), name_space, objects);
    return;
  }
  const Node* items = document.find("items");
  if (document.find("kind")->text.ends_with("List") && items != nullptr) {
    for (const Node& item : items->items) add_objects(item, name_space, objects);
    return;
  }
  // It is read as the command that creates the same.
  if (is_of_connector(document)) return;
  yaml::read_octal(document);
  yaml::Value value = yaml::to_value(document);
  const std::string owner = owner_of(value);
  const bool is_live = value.find("status") != nullptr || value.at({"metadata", "uid"}) != nullptr;
  drop_what_controllers_add(value);
  if (!owner.empty()) value["metadata"].erase("ownerReferences");
  set_namespace(value, name_space);
  FoundObject& object = objects.emplace_back(FoundObject{std::move(value)});
  object.is_live = is_live;
  object.owner = owner;
}

// A node from no place of the file stays so.
void move_to_file(Node& node, const extract::Excerpt& from, std::uint32_t file) {
  if (node.span != Span{}) node.span = extract::in_file(node.span, from, file);
  for (Node& item : node.items) move_to_file(item, from, file);
  for (yaml::Member& member : node.members) {
    move_to_file(member.key, from, file);
    move_to_file(member.value, from, file);
  }
}

class FileReader {
 public:
  FileReader(const InputFiles& files, std::uint32_t index, const extract::Module* module,
             const catalog::Catalog& catalog)
      : files_(files),
        sources_(files.sources()),
        file_(sources_[index]),
        index_(index),
        module_(module),
        catalog_(catalog) {}

  FileMaterial read() {
    if (refuse_encoding()) return std::move(result_);
    excerpts_ = lint();
    const bool is_template = refuse_template();
    for (std::uint32_t i = 0; i < excerpts_.size() && !is_template; ++i) {
      if (excerpts_[i].language == extract::Language::yaml) {
        read_yaml(excerpts_[i], i);
      } else if (excerpts_[i].language == extract::Language::hcl) {
        read_hcl(excerpts_[i], i);
      } else {
        read_shell(excerpts_[i], i);
      }
    }
    std::ranges::move(sink_.take(), std::back_inserter(result_.findings));
    return std::move(result_);
  }

 private:
  // A spec is UTF-8.
  bool refuse_encoding() {
    std::size_t at = 0;
    for (const utf8::Point& point : utf8::Points(file_.text)) {
      if (!point.valid) {
        sink_.report<diag::Code::NotUtf8>({index_, at, at + 1}, utf8::hex(point.bytes.front()));
        result_.findings = sink_.take();
        return true;
      }
      at += point.bytes.size();
    }
    return false;
  }

  // Only the program that renders a template knows what it makes.
  bool refuse_template() {
    const auto* excerpt =
        find_where(excerpts_, [](const auto& each) { return each.mark != Span{}; });
    if (excerpt == nullptr) return false;
    const Span where{index_, excerpt->mark.begin, excerpt->mark.end};
    const std::string_view mark =
        std::string_view(file_.text).substr(where.begin, where.end - where.begin);
    sink_.report<diag::Code::ImportTemplate>(where, yaml::one_line(mark))
        .help(mark.starts_with("{{") ? "render it first, with `helm template CHART > "
                                       "manifests.yaml` for example, and "
                                       "import the output"
                                     : "render it first with the program that the template is "
                                       "for, and import the "
                                       "output");
    return true;
  }

  // Keeps the documents that lint has read, and returns its excerpts.
  std::vector<extract::Excerpt> lint() {
    Sources own;
    own.add(file_);
    const auto keep = [&](std::size_t excerpt, Node tree, extract::TerraformResources resources) {
      documents_[excerpt] = {std::move(tree), std::move(resources)};
    };
    lint::Linted linted = lint::lint(own, catalog_, {.notes = true, .gcloud_version = {}}, module_,
                                     keep, near_ = files_.near(index_));
    for (Diagnostic& finding : linted.diagnostics) {
      if (finding.level == diag::Level::note && finding.code != diag::Code::ValuesNotKnown)
        continue;
      // Objects without TPUs are not judged.
      if (linted.mentions != lint::Mentioned::tpus && finding.code != diag::Code::DuplicateKey)
        continue;
      finding.where.source = index_;
      for (diag::Related& related : finding.related)
        related.where.source = place_of(own[related.where.source]);
      finding.fixes.clear();
      result_.findings.push_back(std::move(finding));
    }
    result_.summary = std::move(linted.summary);
    return std::move(linted.excerpts);
  }

  // A file of the module has the name of its source.
  std::uint32_t place_of(const Source& file) const {
    std::uint32_t place = index_;
    for (std::uint32_t i = 0; i < sources_.size() && file.name != sources_[place].name; ++i)
      place = i;
    return place;
  }

  // Kubernetes knows no such object, but who wrote it meant one.
  void report_without_version(const Node& tree) {
    const Node *kind = tree.find("kind"), *name = tree.at({"metadata", "name"});
    // kustomize needs neither kind nor version.
    if (kind == nullptr && lint::is_kustomization(file_.name))
      sink_.report<diag::Code::ImportPatch>({index_, 0, 1}, file_.name)
          .help("`kubectl kustomize DIR > manifests.yaml`, and import the output");
    if (kind == nullptr || name == nullptr || tree.find("apiVersion") != nullptr ||
        kind->kind != yaml::Kind::scalar || name->kind != yaml::Kind::scalar)
      return;
    sink_
        .report<diag::Code::ImportLeavesOut>(name->span,
                                             fmt::format("{} `{}`", kind->text, name->text))
        .note("it has no `apiVersion`");
  }

  void find_unfilled(const Node& node, bool is_free, const std::vector<Span>& unfilled,
                     std::vector<extract::Unfilled>& found) const {
    for (const Span each : unfilled) {
      const std::string text = file_.text.substr(each.begin, each.end - each.begin);
      if (is_free && node.kind == yaml::Kind::scalar && node.span.begin <= each.begin &&
          each.end <= node.span.end &&
          !any_of(found, [&](const auto& other) { return other.text == text; }))
        found.push_back({text, {index_, each.begin, each.end}});
    }
    for (const Node& item : node.items) find_unfilled(item, is_free, unfilled, found);
    for (const auto& [key, value] : node.members)
      find_unfilled(value, is_free || Placeholders::is_free(key.text), unfilled, found);
  }

  void add_document(Node tree, const extract::Excerpt& excerpt) {
    std::vector<FoundObject>& objects = result_.material.objects;
    const std::size_t before = objects.size();
    extract::restore_marks(tree, excerpt, file_.text);
    add_resources(connector_resources(tree, catalog_.pool_flags), excerpt);
    move_to_file(tree, excerpt, index_);
    report_without_version(tree);
    std::vector<extract::Unfilled> filled;
    find_unfilled(tree, false, excerpt.unfilled, filled);
    add_objects(std::move(tree), excerpt.name_space, objects);
    for (std::size_t i = before; i < objects.size(); ++i) {
      objects[i].filled_by_shell = filled;
      objects[i].completeness = near_.completeness;
    }
  }

  void add_resources(const extract::TerraformResources& resources,
                     const extract::Excerpt& excerpt) {
    for (const auto* commands : {&resources.commands, &resources.copies}) {
      for (const extract::Command& command : *commands) add_command(command, excerpt);
    }
    for (const Span unread : resources.unread) {
      const Span where = extract::in_file(unread, excerpt, index_);
      sink_.report<diag::Code::ImportLeavesOut>(
          where,
          fmt::format("argument {}",
                      std::string_view(file_.text).substr(where.begin, where.end - where.begin)));
    }
  }

  void read_yaml(const extract::Excerpt& excerpt, std::size_t number) {
    if (const auto known = documents_.find(number); known != documents_.end()) {
      add_resources(known->second.resources, excerpt);
      return add_document(std::move(known->second.tree), excerpt);
    }
    // lint reports the rest.
    const bool linted = lint::mentions_tpus(excerpt.text);
    if (excerpt.is_embedded ? !linted : linted) return;
    Sources own;
    diag::Sink sink;
    yaml::parse(own, own.add({file_.name, excerpt.text, 1}), sink,
                {.merge_keys = true, .last_wins = true});
    for (Diagnostic& finding : sink.take()) {
      if (excerpt.is_embedded) finding.level = diag::Level::warning;
      extract::restore_marks(finding, excerpt, file_.text);
      extract::move_to_file(finding, excerpt, 0, index_);
      result_.findings.push_back(std::move(finding));
    }
  }

  void read_hcl(const extract::Excerpt& excerpt, std::size_t number) {
    if (const auto known = documents_.find(number); known != documents_.end())
      return add_resources(known->second.resources, excerpt);
    const auto read = extract::read_hcl(excerpt.text, 0);
    const auto& [at, why] = std::get<extract::HclProblem>(read);
    Diagnostic& finding =
        sink_.report<diag::Code::ImportLeavesOut>({index_, at, at + 1}, file_.name);
    finding.note("it is not readable as Terraform: {}", why);
    finding.level = diag::Level::error;
  }

  void report_loop(const NodeCommand& command) {
    if (command.name == describe_pool || command.name == list_pools) return;
    sink_
        .report<diag::Code::ImportReadsOnce>(command.where,
                                             text::trim(command.name + " " + command.operand))
        .also(command.loop, "the loop begins here");
  }

  // `gcloud config set project my-project`: what later commands need not say.
  void read_property(const extract::Command& command, const extract::Excerpt& excerpt) {
    constexpr std::pair<std::string_view, std::string_view> properties[] = {
        {"project", "--project"},
        {"compute/zone", "--zone"},
        {"compute/region", "--region"},
        {"container/cluster", "--cluster"}};
    const std::vector<extract::Word>& words = command.words;
    if (words.size() != 5 || words[0].text != "gcloud" || words[1].text != "config" ||
        words[2].text != "set" || words[4].text.find("$(") != std::string::npos)
      return;
    for (const auto& [property, flag] : properties) {
      if (words[3].text != property) continue;
      Flag set{std::string(flag), words[4].text, extract::in_file(command.where, excerpt, index_)};
      properties_.insert_or_assign(flag, std::move(set));
    }
  }

  void add_properties(NodeCommand& command) const {
    const bool makes_pool = command.name == create_pool;
    if (command.launch == nullptr && !makes_pool && command.name != create_cluster &&
        command.name != create_autopilot)
      return;
    const auto add = [&](std::string_view flag) {
      const auto found = properties_.find(flag);
      if (found == properties_.end() || command.has(flag)) return;
      command.flags.push_back(found->second);
    };
    add("--project");
    if (command.launch != nullptr) return;
    if (makes_pool) add("--cluster");
    // A zone counts before a region.
    for (std::string_view flag : {"--zone", "--region"}) {
      if (!command.has("--location") && !command.has("--zone") && !command.has("--region"))
        add(flag);
    }
  }

  void add_command(const extract::Command& command, const extract::Excerpt& excerpt,
                   std::shared_ptr<const Launch> launch = {}) {
    auto known = node_command(command);
    if (!known) return;
    known->launch = std::move(launch);
    known->where = extract::in_file(known->where, excerpt, index_);
    for (Flag& flag : known->flags) flag.where = extract::in_file(flag.where, excerpt, index_);
    for (extract::Unfilled& part : known->unread)
      part.where = extract::in_file(part.where, excerpt, index_);
    add_properties(*known);
    if (known->loop != Span{}) {
      known->loop = extract::in_file(known->loop, excerpt, index_);
      report_loop(*known);
    }
    result_.material.commands.push_back(std::move(*known));
  }

  // An object and commands, as if the file had them.
  void add_launch(const view::LaunchClaims& claims, const extract::Command& command,
                  const extract::Excerpt& excerpt) {
    const auto launch = std::make_shared<Launch>(launch_from(claims));
    launch->where = extract::in_file(launch->where, excerpt, index_);
    for (Launch::Lost& lost : launch->lost)
      lost.where = extract::in_file(lost.where, excerpt, index_);
    launch->slices.where = extract::in_file(launch->slices.where, excerpt, index_);
    result_.material.launches.push_back(launch);
    if (Node object = view::launched_object(claims); object.kind != yaml::Kind::null)
      add_launched(std::move(object), claims, launch, excerpt);
    for (const extract::Command& node : view::launched_nodes(claims))
      add_command(node, excerpt, launch);
    if (command.loop == Span{}) return;
    sink_.report<diag::Code::ImportReadsOnce>(launch->where, launch->title)
        .also(extract::in_file(command.loop, excerpt, index_), "the loop begins here");
  }

  void add_launched(Node object, const view::LaunchClaims& claims,
                    const std::shared_ptr<const Launch>& launch, const extract::Excerpt& excerpt) {
    std::vector<FoundObject>& objects = result_.material.objects;
    const std::size_t before = objects.size();
    move_to_file(object, excerpt, index_);
    add_objects(std::move(object), {}, objects);
    for (std::size_t i = before; i < objects.size(); ++i) {
      objects[i].launch = launch;
      for (const view::LaunchFlag& flag : claims.flags) {
        if (!flag.is("command") && !(flag.row && flag.row.find("variables"))) continue;
        for (const extract::Unfilled& part : flag.unfilled)
          objects[i].filled_by_shell.push_back(
              {part.text, extract::in_file(part.where, excerpt, index_)});
      }
    }
  }

  // Places of the words are those in excerpt `number`.
  void read_shell(const extract::Excerpt& excerpt, std::uint32_t number) {
    constexpr std::string_view autopilot = "since GKE creates the nodes when the pods need them";
    extract::Script script = extract::read_shell(excerpt, number, variables_, programs(),
                                                 extract::Loops::unrolled, near_.beside);
    for (extract::Command& command : script.commands) {
      if (const auto launch = view::read_launch(command, catalog_)) {
        add_launch(*launch, command, excerpt);
        continue;
      }
      read_property(command, excerpt);
      add_command(command, excerpt);
      result_.material.nodes_by_gke |=
          std::ranges::any_of(command.words, [&](const extract::Word& word) {
            return word.text.find(autopilot) != std::string::npos;
          });
    }
  }

  struct LintedDocument {
    Node tree;
    extract::TerraformResources resources;
  };
  const InputFiles& files_;
  const Sources& sources_;
  const Source& file_;
  std::uint32_t index_;
  const extract::Module* module_;
  const catalog::Catalog& catalog_;
  lint::Near near_;
  std::vector<extract::Excerpt> excerpts_;
  std::map<std::size_t, LintedDocument> documents_;  // by the number of the excerpt
  extract::Variables variables_;
  std::map<std::string_view, Flag> properties_;  // set by `gcloud config set`
  diag::Sink sink_;                              // for findings that are made in the file
  FileMaterial result_;
};

}  // namespace

Span name_span(const FoundObject& object) {
  const Value* name = object.value.at({"metadata", "name"});
  const Value* kind = object.value.find("kind");
  return name != nullptr ? name->origin : kind != nullptr ? kind->origin : object.value.origin;
}

void drop_owned(Material& material) {
  const auto has_owner = [&](const FoundObject& object) {
    if (object.owner.empty()) return false;
    const std::size_t at = object.owner.find(' ');
    const std::string kind = object.owner.substr(0, at);
    const auto is_it = [&](const FoundObject& each) {
      return fmt::format("{} `{}`", each.kind, each.name) == object.owner;
    };
    return is_controller(kind) || !workload_in(object.value) || !uses_tpus(object.value) ||
           any_of(material.objects, is_it);
  };
  std::vector<bool> owned;
  for (const FoundObject& object : material.objects) owned.push_back(has_owner(object));
  std::size_t index = 0;
  std::erase_if(material.objects, [&](const FoundObject&) { return owned[index++]; });
}

InputFiles::InputFiles(const Sources& sources) : sources_(sources) {
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    by_name_.try_emplace(sources[i].name, &sources[i]);
    if (lint::may_answer(sources[i].text)) answering_.push_back(&sources[i]);
    given_.add(sources[i].text);
  }
}

const Source* InputFiles::find(std::string_view path) const {
  const auto found = by_name_.find(path);
  return found == by_name_.end() ? nullptr : found->second;
}

lint::Near InputFiles::near(std::uint32_t index) const {
  const Source& file = sources_[index];
  const lint::ReadFile read = [this](const std::string& path) -> std::optional<std::string> {
    const Source* found = find(path);
    return found == nullptr ? std::nullopt : std::optional(found->text);
  };
  lint::Near near = lint::near_of(file.name, read);
  if (extract::has_given_variables(file.name)) near.given = given_;
  const bool is_open = contains(file.text, '$') || file.text.find("system-") != std::string::npos ||
                       extract::may_be_blueprint(file.text);
  for (const Source* other : answering_) {
    if (is_open && other != &file && file.name.starts_with(folder_of(other->name)))
      lint::add_neighbour(near, *other, file.name, read);
  }
  return near;
}

FileMaterial read_input(const InputFiles& files, std::uint32_t index, const extract::Module* module,
                        const catalog::Catalog& catalog) {
  return FileReader(files, index, module, catalog).read();
}

void add_material(Material&& later, Material& material) {
  std::ranges::move(later.objects, std::back_inserter(material.objects));
  std::ranges::move(later.commands, std::back_inserter(material.commands));
  std::ranges::move(later.launches, std::back_inserter(material.launches));
  material.nodes_by_gke |= later.nodes_by_gke;
}

}  // namespace flexslice::imports
