// flexslice krm: a function of kustomize and kpt. A ResourceList comes on stdin, and goes to stdout
// with what its specs compile to in their place. An error leaves the items as they were.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/run/settings.hpp"
#include "driver/run.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"
#include "yaml/value.hpp"

namespace flexslice::cli {

namespace {

using yaml::Node;
using yaml::Value;

// kustomize writes the place of a file into an annotation, today and before under two names.
constexpr std::string_view path_annotations[] = {"internal.config.kubernetes.io/path",
                                                 "config.kubernetes.io/path"};

bool is_spec_item(const Node* node) {
  const Node* version = node == nullptr ? nullptr : node->find("apiVersion");
  return version != nullptr && version->text.starts_with("flexslice/");
}

// The tools want `kind` and `metadata`, which specs do not have.
Node without_metadata(Node spec) {
  for (const char* key : {"name", "namespace"}) {
    const Node* given = spec.at({"metadata", key});
    if (given == nullptr || spec.find(key) != nullptr) continue;
    yaml::Member member{*given, *given};
    member.key.text = key;
    spec.members.push_back(std::move(member));
  }
  std::erase_if(spec.members, [](const yaml::Member& member) {
    return member.key.text == "kind" || member.key.text == "metadata";
  });
  return spec;
}

// An item of a block sequence that begins with the line, and has the others below it.
void add_list_item(std::string_view first, std::span<const std::string_view> below,
                   std::string& out) {
  out += "- ";
  out += first;
  out += '\n';
  for (std::string_view line : below) {
    if (!line.empty()) out += "  ";
    out += line;
    out += '\n';
  }
}

void add_list_item(std::string_view text, std::string& out) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const auto lines = text::split(text, '\n');
  add_list_item(lines.front(), std::span(lines).subspan(1), out);
}

class ListFunction {
 public:
  ListFunction(const Run& run, std::string text) : run_(run) {
    sources_.add({"<stdin>", std::move(text), 1});
  }

  int run() {
    const auto documents = yaml::split_documents(sources_[0].text);
    if (documents.size() == 1) list_ = yaml::parse(sources_, 0, sink_, {.last_wins = true});
    findings_ = sink_.take();
    const Node* kind = list_ ? list_->find("kind") : nullptr;
    const Node* items = list_ ? list_->find("items") : nullptr;
    const bool is_list = kind != nullptr && kind->text == "ResourceList" &&
                         (items == nullptr || items->kind != yaml::Kind::scalar);
    if (findings_.empty() && !is_list)
      return refuse("this is no ResourceList, which kustomize and kpt write for a function");
    const Node* config = list_ ? list_->find("functionConfig") : nullptr;
    const auto is_sweep = [](const Node& item) {
      return is_spec_item(&item) &&
             (item.find("matrix") != nullptr || item.find("places") != nullptr);
    };
    if (is_list && ((items != nullptr && any_of(items->items, is_sweep)) ||
                    (config != nullptr && is_sweep(*config))))
      return refuse(
          "a spec with `matrix` or `places` is several workloads: use `flexslice compile`");
    if (items != nullptr && is_list) {
      for (const Node& item : items->items) is_spec_item(&item) ? compile(item) : keep(item);
    }
    // kustomize passes the spec of a generator as an item, too.
    if (findings_.empty() && compiled_.empty() && is_spec_item(config)) compile(*config);
    return answer();
  }

 private:
  int refuse(std::string_view why) {
    print(
        fmt::format("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"
                    "results:\n- message: '{}'\n  severity: error\n",
                    why));
    print_error(fmt::format("flexslice: <stdin>: {}\n", why));
    return findings;
  }

  // Keeps the text of an item with its comments. An item in brackets is written again.
  void keep(const Node& item) {
    const std::string_view text = sources_[0].text;
    if (item.kind != yaml::Kind::mapping || text[item.span.begin] == '{')
      return add_list_item(yaml::emit(yaml::to_value(item), {}), kept_);
    const std::size_t line = text.rfind('\n', item.span.begin) + 1;
    const std::size_t column = item.span.begin - line;
    keep_comments_above(text.substr(0, line));
    const std::size_t end = std::min(text.find('\n', item.span.end), text.size());
    auto lines = text::split(text.substr(item.span.begin, end - item.span.begin), '\n');
    for (std::string_view& each : std::span(lines).subspan(1))
      each.remove_prefix(std::min({column, each.size(), each.find_first_not_of(' ')}));
    add_list_item(lines.front(), std::span(lines).subspan(1), kept_);
  }

  void keep_comments_above(std::string_view text) {
    auto lines = text::split(text, '\n');
    if (!lines.empty()) lines.pop_back();  // what follows the last line break
    std::vector<std::string_view> comments;
    for (; !lines.empty(); lines.pop_back()) {
      const std::string_view comment = text::trim(lines.back());
      if (!comment.starts_with('#')) break;
      comments.insert(comments.begin(), comment);
    }
    for (std::string_view each : comments) kept_ += fmt::format("{}\n", each);
  }

  void compile(const Node& spec) {
    const Node* path = nullptr;
    for (std::string_view key : path_annotations) {
      if (path == nullptr) path = spec.at({"metadata", "annotations", key});
    }
    const CompileOptions options{.emit = {Emit::manifests, Emit::queues, Emit::volumes}};
    Compiled compiled =
        flexslice::compile(without_metadata(spec), path == nullptr ? "<stdin>" : path->text,
                           run_.knowledge.catalog, run_.knowledge.templates, options);
    diag::apply_policy(run_.policy, compiled.diagnostics);
    for (const diag::Diagnostic& finding : compiled.diagnostics) add_result(finding, spec, path);
    std::ranges::move(compiled.diagnostics, std::back_inserter(findings_));
    compiled_.push_back(std::move(compiled));
  }

  void add_result(const diag::Diagnostic& finding, const Node& spec, const Node* path) {
    Value result = Value::mapping();
    result["message"] = Value::string(finding.message);
    const bool is_error = finding.level <= diag::Level::soft;
    result["severity"] = Value::string(is_error                                ? "error"
                                       : finding.level == diag::Level::warning ? "warning"
                                                                               : "info");
    const Node *name = spec.find("name"), *given = spec.at({"metadata", "name"});
    Value& object = result["resourceRef"] = Value::mapping();
    object["apiVersion"] = Value::string(spec.find("apiVersion")->text);
    if (const Node* kind = spec.find("kind")) object["kind"] = Value::string(kind->text);
    if (given != nullptr || name != nullptr)
      object["name"] = Value::string(given == nullptr ? name->text : given->text);
    if (path != nullptr) {
      result["file"] = Value::mapping();
      result["file"]["path"] = Value::string(path->text);
    }
    result["tags"] = Value::mapping();
    result["tags"]["code"] = Value::string(diag::code_text(finding.code));
    results_.push(std::move(result));
  }

  int answer() {
    const bool failed =
        any_of(findings_, [](const auto& each) { return each.level <= diag::Level::soft; });
    if (!findings_.empty()) print_error(diag::render(run_.render, sources_, findings_));
    if (failed && !list_) return refuse("the list cannot be read");
    std::string items = std::move(kept_);
    if (failed) {
      // The specs too, so that nothing is lost where the status is not looked at.
      kept_.clear();
      if (const Node* given = list_->find("items")) {
        for (const Node& item : given->items) keep(item);
      }
      items = std::move(kept_);
    } else {
      add_queues(compiled_, run_.knowledge.templates, false);
      for (const Compiled& each : compiled_) {
        for (const Artifact& artifact : each.artifacts)
          add_documents(artifact.text, artifact.emit != Emit::manifests, items);
      }
    }
    print("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n");
    print(items.empty() ? "items: []\n" : "items:\n" + items);
    if (!results_.items.empty()) {
      Value all = Value::mapping();
      all["results"] = std::move(results_);
      print(yaml::emit(all, {}));
    }
    return failed ? findings : fine;
  }

  // Specs share objects of queues, claims and StorageClasses.
  void add_documents(std::string_view stream, bool shared, std::string& items) {
    for (const yaml::Document& document : yaml::split_documents(stream)) {
      std::string_view text = document.text;
      // The header names one of the specs.
      while (shared && text.starts_with("#"))
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
      if (text.starts_with("---")) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
      if (!shared || added_.insert(std::string(text)).second) add_list_item(text, items);
    }
  }

  const Run& run_;
  Sources sources_;
  diag::Sink sink_;
  std::optional<Node> list_;
  std::string kept_;  // items that are no specs
  std::set<std::string> added_;
  std::vector<Compiled> compiled_;
  std::vector<diag::Diagnostic> findings_;
  Value results_ = Value::sequence();
};

}  // namespace

int run_krm(const CommandLine& line) {
  Run run;
  read_rules(line, STDERR_FILENO, false, run, false);
  return ListFunction(run, read_file("-")).run();
}

}  // namespace flexslice::cli
