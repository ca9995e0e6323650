#include "driver/lint_file.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "backend/kubernetes/apply.hpp"
#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "diag/suppress.hpp"
#include "extract/blueprint.hpp"
#include "extract/chart.hpp"
#include "extract/file.hpp"
#include "extract/hcl.hpp"
#include "extract/marks.hpp"
#include "extract/shell.hpp"
#include "extract/terraform_objects.hpp"
#include "extract/terraform_places.hpp"
#include "extract/terraform_references.hpp"
#include "rules/command_rules.hpp"
#include "rules/file_judge.hpp"
#include "rules/places.hpp"
#include "rules/terraform_names.hpp"
#include "schema/as_kubectl.hpp"
#include "view/json_patch.hpp"
#include "view/patch_directives.hpp"
#include "view/read_commands.hpp"
#include "view/read_objects.hpp"
#include "view/workflow_pods.hpp"
#include "yaml/parse.hpp"

namespace flexslice::lint {

namespace {

using diag::Diagnostic;

const std::vector<std::string_view>& program_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all = view::gcloud_names();
    all.insert(all.end(), view::launcher_names().begin(), view::launcher_names().end());
    return all;
  }();
  return names;
}

class Linter {
 public:
  Linter(Sources& sources, const catalog::Catalog& catalog, const RuleOptions& options,
         const extract::Module* module, const Listener& listener, const Near& near,
         bool only_commands = false)
      : sources_(sources),
        catalog_(catalog),
        options_(options),
        module_(module),
        listener_(listener),
        near_(near),
        only_commands_(only_commands) {}

  Linted run() {
    judge_.compare_with(options_.upgrades);
    for (const rules::ConfigMap& config : near_.configs) judge_.has_config(config);
    if (options_.placement) judge_.keep_all();
    // The sources may move while excerpts are added.
    const std::string text = sources_[0].text;
    excerpts_ = extract::excerpts(text, extract::file_type(sources_[0].name, text), near_.beside,
                                  near_.given, module_);
    for (const extract::Excerpt& excerpt : excerpts_) {
      strings_.emplace_back();
      const std::uint32_t index = sources_.add({sources_[0].name, excerpt.text, 1});
      if (only_commands_ && excerpt.language != extract::Language::shell) continue;
      if (excerpt.language == extract::Language::yaml) {
        judge_numbers(excerpt, index);
        read_yaml(excerpt, index);
      } else if (excerpt.language == extract::Language::hcl) {
        read_hcl(excerpt, index);
      } else {
        read_shell(excerpt, index);
      }
    }
    judge_.finish();
    linted_.summary = judge_.summary();
    finish();
    rules::for_each_span(linted_.summary, [&](Span& span) {
      if (span != Span{}) span = extract::in_file(span, excerpts_[span.source - first_], 0);
    });
    if (options_.placement) keep_faults();
    linted_.excerpts = std::move(excerpts_);
    return std::move(linted_);
  }

 private:
  // Errors about an object, and warnings about what its pods or its controller look for, may keep
  // its pods from all nodes.
  void keep_faults() {
    using diag::Code;
    constexpr Code may_keep_pods[] = {
        Code::NearName,     Code::MisspeltAnnotation,   Code::LabelUnread,
        Code::CountMissing, Code::NodesContradictHosts, Code::QueueObjectMissing};
    const auto fault_in = [&](Span whole) -> std::optional<Code> {
      const auto* found = find_where(linted_.diagnostics, [&](const Diagnostic& each) {
        return whole.begin <= each.where.begin && each.where.begin < whole.end &&
               (each.level < diag::Level::warning || contains(may_keep_pods, each.code));
      });
      return found == nullptr ? std::nullopt : std::optional(found->code);
    };
    rules::World& world = linted_.summary.world;
    for (auto* pods : {&world.pods, &world.other_pods}) {
      for (rules::PodNodes& each : *pods) each.fault = fault_in(each.whole);
    }
    for (rules::PoolNodes& pool : world.pools) pool.fault = fault_in(pool.whole);
  }

  void judge_numbers(const extract::Excerpt& excerpt, std::uint32_t index) {
    if (near_.values.empty() || excerpt.mark == Span{}) return;
    Sources own;
    diag::Sink ignored;
    const auto values = yaml::parse(own, own.add({"values.yaml", near_.values, 1}), ignored,
                                    {.merge_keys = true, .last_wins = true});
    if (!values) return;
    for (const extract::PrintedNumber& each :
         extract::printed_numbers(excerpt, sources_[0].text, *values))
      sink_
          .report<diag::Code::NumberWithExponent>({index, each.begin, each.end}, each.name,
                                                  each.text)
          .help("write `{{{{ int64 {} }}}}`, or a string in values.yaml", each.name);
  }

  void read_yaml(const extract::Excerpt& excerpt, std::uint32_t index) {
    if (excerpt.has_template_lines) {
      ++linted_.unread;
      return;
    }
    diag::Sink sink;
    auto tree = yaml::parse(sources_, index, sink, {.merge_keys = true, .last_wins = true});
    if (!tree) {
      // kubectl may accept what this reader alone does not support.
      const bool is_unsupported = std::ranges::any_of(sink.found(), [](const Diagnostic& finding) {
        return finding.code == diag::Code::UnsupportedTag ||
               finding.code == diag::Code::Placeholder;
      });
      if (excerpt.mark != Span{} || excerpt.is_embedded || is_unsupported) {
        ++linted_.unread;
        return;
      }
      for (Diagnostic& finding : sink.take()) sink_.add(std::move(finding));
      return;
    }
    strings_.back() = yaml::scalars_of(*tree, index);
    judge_separator(*tree, excerpt, index);
    schema::read_as_kubectl(*tree);
    const std::vector<Diagnostic> duplicates = sink.take();
    report_duplicates(*tree, duplicates);
    if (!duplicates.empty()) without_fixes_.insert(index);
    judge(*tree, excerpt, !duplicates.empty());
    if (auto blueprint =
            extract::read_blueprint(*tree, sources_[0].name, near_.beside, near_.calls)) {
      report_lost(blueprint->lost);
      // Pages show parts of blueprints.
      if (blueprint->is_compiled || !excerpt.is_embedded) report_refused(*blueprint);
      tree = std::move(blueprint->terraform);
    } else if (sources_[0].name.ends_with(".tf.json")) {
      judge_names(*tree, excerpt);
    }
    judge_terraform(std::move(*tree), index);
  }

  // kubectl cuts streams itself, and takes the marker for a line of its own.
  void judge_separator(const yaml::Node& tree, const extract::Excerpt& excerpt,
                       std::uint32_t index) {
    const std::string_view text = excerpt.text;
    if (excerpt.is_embedded || near_.is_kustomized || excerpt.mark != Span{} ||
        !text.starts_with("---") || tree.find("apiVersion") == nullptr ||
        tree.find("kind") == nullptr)
      return;
    const std::size_t end = text::line_end(text, 0), begin = text.find_first_not_of(" \t\r", 3);
    if (begin < end && text[begin] != '#') {
      sink_.report<diag::Code::RefusedByKubectl>({index, begin, end}, "text after `---`")
          .help("write it on the next line");
    } else if (has_directive_above(excerpt.host(0))) {
      sink_.report<diag::Code::RefusedByKubectl>({index, 0, 3}, "a line that begins with `%`")
          .help("remove that line");
    }
  }

  // In the file, above the document that begins there.
  bool has_directive_above(std::size_t at) const {
    const std::string_view text = sources_[0].text;
    bool has_directive = false;
    while (at > 0) {
      const std::size_t begin = text::line_begin(text, at - 1);
      const std::string_view line = text.substr(begin, at - begin);
      // After the end of a document, kubectl reads no further.
      if (line.starts_with("...")) return false;
      if (!text::is_idle(line) || text::is_marker(line)) break;
      has_directive |= line.starts_with('%');
      at = begin;
    }
    return has_directive;
  }

  void report_source(const extract::LostReference& lost,
                     const std::vector<std::string_view>& others) {
    auto& finding = sink_.report<diag::Code::SourceOfNoModule>(lost.where, lost.name);
    constexpr std::string_view community = "community/";
    const yaml::View gone = extract::toolkit().find("gone").find(lost.name);
    // An earlier release has it, or a later one may have it.
    if (gone || !text::nearest(lost.name, others)) finding.level = diag::Level::warning;
    if (!gone) return diag::did_you_mean(finding, lost.name, others);
    finding.note("releases before {} have it", gone.text());
    const std::string moved = lost.name.substr(community.size());
    if (contains(others, moved)) finding.help("write `{}`", moved);
  }

  void report_lost(const std::vector<extract::LostReference>& lost) {
    using To = extract::LostReference::To;
    for (const extract::LostReference& each : lost) {
      const std::vector<std::string_view> others(each.others.begin(), each.others.end());
      if (each.to == To::module) {
        diag::did_you_mean(sink_.report<diag::Code::ModuleOfNoBlueprint>(each.where, each.name),
                           each.name, others);
      } else if (each.to == To::source) {
        report_source(each, others);
      } else if (each.to == To::variable) {
        // A deployment file elsewhere may set what is like none of them.
        if (!each.is_judged && !text::nearest(each.name, others)) continue;
        diag::did_you_mean(sink_.report<diag::Code::VariableOfNoBlueprint>(each.where, each.name),
                           each.name, others);
      } else {
        sink_.report<diag::Code::VariableOfItself>(each.where, each.name);
      }
    }
  }

  void report_refused(const extract::RefusedModule& each) {
    auto& finding =
        each.rolls ? sink_.report<diag::Code::ResourceRolled>(each.where, each.name, each.says)
        : each.is_resource
            ? sink_.report<diag::Code::ResourceRefused>(each.where, each.name, each.says)
            : sink_.report<diag::Code::ModuleRefused>(each.where, each.name, each.says);
    if (each.is_likely) finding.level = diag::Level::warning;
    if (!each.help.empty()) finding.help(each.help);
  }

  void report_refused(const extract::Blueprint& blueprint) {
    for (const extract::RefusedEntry& each : blueprint.refused) {
      auto& finding = sink_.report<diag::Code::ClusterConfigRefused>(
          each.where, blueprint.is_compiled ? "cluster config" : "blueprint", each.says);
      if (each.is_likely) finding.level = diag::Level::warning;
      if (!each.help.empty()) finding.help(each.help);
      if (!each.name.empty())
        diag::did_you_mean(finding, each.name,
                           std::vector<std::string_view>(each.names.begin(), each.names.end()));
    }
  }

  void judge_terraform(yaml::Node tree, std::uint32_t index) {
    extract::TerraformResources resources = extract::read_terraform(tree, module_);
    for (const extract::Command& command : resources.commands) judge(command);
    for (const yaml::Member* module : resources.others) note_module(*module);
    for (const extract::RefusedModule& each : resources.refused) {
      if (!each.is_missing || !excerpts_[index - first_].is_embedded) report_refused(each);
    }
    for (const extract::MisplacedArgument& each : extract::misplaced_arguments(tree))
      sink_.report<diag::Code::ArgumentOfOtherBlock>(each.where, each.name, each.block);
    const std::vector<extract::TerraformObject> objects = extract::terraform_objects(tree, module_);
    for (const extract::TerraformObject& object : objects)
      judge(object.tree, excerpts_[index - first_], false,
            object.is_open ? Completeness::patch : Completeness::expanded);
    if (!resources.commands.empty() || !objects.empty()) without_fixes_.insert(index);
    if (listener_) listener_(index - first_, std::move(tree), std::move(resources));
  }

  const yaml::Node* machine_in(const yaml::Node& node) const {
    if (node.kind == yaml::Kind::scalar &&
        catalog::generation_of_machine_type(catalog_, node.text) != nullptr)
      return &node;
    const yaml::Node* found = nullptr;
    for (const yaml::Node& item : node.items) {
      if (found == nullptr) found = machine_in(item);
    }
    for (const yaml::Member& member : node.members) {
      if (found == nullptr) found = machine_in(member.value);
    }
    return found;
  }

  // Only Terraform knows what the module creates.
  void note_module(const yaml::Member& module) {
    const yaml::Node* machine = machine_in(module.value);
    if (machine == nullptr) return;
    ++linted_.unread;  // which counts as a use of TPUs
    sink_.report<diag::Code::ModuleNotJudged>(machine->span, module.key.text, machine->text);
  }

  // Terraform, or a later version of it, may read what this reader does not.
  void read_hcl(const extract::Excerpt& excerpt, std::uint32_t index) {
    auto read = extract::read_hcl(excerpt.text, index);
    auto* tree = std::get_if<yaml::Node>(&read);
    if (tree == nullptr) {
      ++linted_.unread;
      return;
    }
    strings_.back() = yaml::scalars_of(*tree, index);
    judge_names(*tree, excerpt);
    judge_terraform(std::move(*tree), index);
  }

  // A file that is not here may declare a name that is like no other.
  void judge_names(const yaml::Node& tree, const extract::Excerpt& excerpt) {
    rules::judge_terraform_names(tree, sink_);
    if (excerpt.is_embedded || excerpt.mark != Span{}) return;
    for (const extract::UndeclaredName& each : extract::undeclared_names(tree, module_)) {
      const std::vector<std::string_view> others(each.others.begin(), each.others.end());
      if (!text::nearest(each.name, others)) continue;
      diag::did_you_mean(sink_.report<diag::Code::NameOfNoModule>(each.where, each.name), each.name,
                         others);
    }
  }

  // kubectl takes them.
  void report_duplicates(const yaml::Node& tree, const std::vector<Diagnostic>& duplicates) {
    if (tree.find("resource") != nullptr && sources_[0].name.ends_with(".tf.json")) {
      for (Diagnostic finding : duplicates) sink_.add(std::move(finding));
    }
    if (tree.find("apiVersion") == nullptr || tree.find("kind") == nullptr) return;
    for (Diagnostic finding : duplicates) sink_.add(std::move(finding)).note(last_value_counts);
  }

  // Values that templates of Helm read, and that charts may add to.
  bool has_values(const yaml::Node& tree) const {
    constexpr std::string_view releases[] = {"HelmRelease", "HelmChart", "Application",
                                             "ApplicationSet"};
    if (tree.find("apiVersion") == nullptr) return lint::is_values(sources_[0].name);
    const yaml::Node* kind = tree.find("kind");
    return kind != nullptr && contains(releases, kind->text);
  }

  // `has_lost`: what seems to be missing may be what a later key took the place of.
  void judge(const yaml::Node& tree, const extract::Excerpt& excerpt, bool has_lost,
             Completeness least = {}) {
    std::optional<yaml::Node> patch = view::object_of_json_patch(tree);
    if (!patch) patch = view::without_directives(tree);
    view::Found document;
    document.completeness = patch || has_lost || has_values(tree)
                                ? Completeness::patch
                                : std::max({excerpt.completeness, near_.completeness, least});
    document.has_target = near_.has_target;
    document.has_lost = has_lost;
    document.is_for_kubectl = !near_.is_kustomized && !excerpt.is_embedded;
    document.is_embedded = excerpt.is_embedded && !excerpt.is_sent && !excerpt.has_whole_objects;
    document.is_shown = excerpt.has_whole_objects && !excerpt.is_sent;
    document.document = patch ? &*patch : &tree;
    const std::optional<yaml::Node> workflow = view::with_containers(tree);
    view::read_document(patch ? *patch : workflow ? *workflow : tree, catalog_, document);
    // A page need not say it, and its N is any number.
    if (document.is_embedded) document.without_version.clear();
    if (excerpt.is_embedded) {
      std::erase_if(document.not_strings,
                    [](const auto& each) { return each.value.value.text == "N"; });
    }
    judge_sizes(document, excerpt);
    judge_.judge(std::move(document));
  }

  // A character is at most six in what kubectl stores.
  void judge_sizes(const view::Found& document, const extract::Excerpt& excerpt) {
    if (document.pods.empty() || 6 * excerpt.text.size() < kubernetes::most_annotations) return;
    for (const view::ObjectClaims& object : document.objects) {
      if (!says_all(object.completeness)) continue;
      const yaml::Value value = yaml::to_value(*object.tree);
      kubernetes::check_sizes(
          {&value, 1}, [&] { return object.kind.where.span; }, sink_);
    }
  }

  void read_shell(const extract::Excerpt& excerpt, std::uint32_t index) {
    extract::Script script = extract::read_shell(excerpt, index, variables_, program_names(),
                                                 extract::Loops::unrolled, near_.beside);
    strings_.back() = std::move(script.strings);
    for (const extract::Command& command : script.commands) judge(command, excerpt.is_embedded);
    if (!only_commands_) judge_script(excerpt, index);
  }

  void judge_script(const extract::Excerpt& excerpt, std::uint32_t index) {
    static const std::vector<std::string_view> names = {"gcloud", "kubectl", "source", "."};
    extract::Variables own;
    const extract::Script script = extract::read_shell(excerpt.text, index, own, names);
    rules::judge_script(script, excerpt.text, excerpt.is_embedded, sink_);
    for (const extract::Command& command : script.commands) {
      rules::judge_subcommand(command, sink_);
      judge_.keep_created(command);
    }
    const auto is_own = [](const extract::Excerpt& each) { return each.own_shell; };
    if (excerpt.own_shell || std::ranges::count_if(excerpts_, std::not_fn(is_own)) != 1) return;
    diag::Sink unset;
    rules::note_unset_variables(script, own, excerpt.text, unset);
    for (Diagnostic& finding : unset.take()) {
      if (rules::is_namespace(script, finding.where)) {
        finding.level = diag::Level::warning;
        finding.note("without quotes and a value, `-n` takes the next word as the namespace");
      }
      sink_.add(std::move(finding));
    }
  }

  // A file that does not speak of TPUs.
  void judge_syntax(const extract::Command& command, bool is_embedded) {
    view::Found found;
    view::read_command(command, catalog_, found);
    for (view::PoolClaims& pool : found.pools) {
      if (!(pool.path + " ").starts_with("container ")) continue;
      pool.complete &= !is_embedded || !pool.operands.empty() || !pool.flags.empty();
      rules::judge_syntax(pool, catalog_, options_.gcloud_version, sink_);
    }
  }

  void judge(const extract::Command& command, bool is_embedded = false) {
    rules::judge_subcommand(command, sink_);
    if (only_commands_) return judge_syntax(command, is_embedded);
    view::Found found;
    if (auto launch = view::read_launch(command, catalog_)) {
      found.launches.push_back(std::move(*launch));
    } else {
      view::read_command(command, catalog_, found);
      // A page names commands without what they need.
      for (view::PoolClaims& pool : found.pools)
        pool.complete &= !is_embedded || !pool.operands.empty() || !pool.flags.empty();
    }
    judge_.judge(std::move(found));
  }

  // A ResourceQuota may allow a priority class of the system.
  bool is_allowed(const Diagnostic& finding) const {
    const Source& source = sources_[finding.where.source];
    std::string_view name = source.text;
    name = name.substr(finding.where.begin, finding.where.end - finding.where.begin);
    return lint::is_values(sources_[0].name) || allows_class(sources_[0].text, name) ||
           allows_class(near_.quotas, name);
  }

  // Suppressions of each excerpt, then places in the file.
  void finish() {
    std::vector<std::vector<Diagnostic>> findings(excerpts_.size());
    for (Diagnostic& finding : sink_.take()) {
      if (finding.level == diag::Level::error) finding.level = diag::Level::soft;
      if (finding.level == diag::Level::note && !options_.notes) continue;
      if (finding.code == diag::Code::CriticalPriority && is_allowed(finding)) continue;
      findings[finding.where.source - first_].push_back(std::move(finding));
    }
    std::set<diag::Code> found;
    for (const auto& of_excerpt : findings) {
      for (const Diagnostic& finding : of_excerpt) found.insert(finding.code);
    }
    diag::AllowedLines comments;
    for (std::uint32_t i = 0; i < excerpts_.size(); ++i) {
      const std::uint32_t index = i + first_;
      if (strings_[i] && diag::may_suppress(excerpts_[i].text)) {
        diag::AllowedLines later;
        findings[i] = diag::suppress(
            sources_, index, *strings_[i], std::move(findings[i]),
            [&](diag::Code code) { return comes_later(code) || found.contains(code); }, &later);
        std::ranges::move(later, std::back_inserter(comments));
      }
      for (Diagnostic& finding : findings[i]) {
        if (without_fixes_.contains(index)) finding.fixes.clear();
        extract::restore_marks(finding, excerpts_[i], sources_[0].text);
        add_sources(finding);
        for (const std::uint32_t from : sources_of(finding)) {
          if (from >= first_ && from - first_ < excerpts_.size())
            extract::move_to_file(finding, excerpts_[from - first_], from, 0);
        }
        linted_.diagnostics.push_back(std::move(finding));
      }
    }
    allow(std::move(comments));
    std::ranges::stable_sort(linted_.diagnostics, {}, [](const Diagnostic& finding) {
      return std::pair(finding.where.begin, finding.code);
    });
    // A script that is kept in a variable may be run more than once.
    std::vector<Diagnostic>& all = linted_.diagnostics;
    all.erase(std::unique(all.begin(), all.end(),
                          [](const auto& a, const auto& b) {
                            return a.code == b.code && a.where == b.where && a.message == b.message;
                          }),
              all.end());
  }

  // A command in a text of the line is an excerpt of its own, and the comment is behind the text. A
  // script that is run several times is an excerpt each time, with the same comment.
  void allow(diag::AllowedLines comments) {
    const auto excerpt_of = [&](const diag::AllowedLine& comment) -> const extract::Excerpt& {
      return excerpts_[comment.token.source - first_];
    };
    std::set<std::pair<std::size_t, diag::Code>> needed;
    std::set<std::size_t> needed_whole;
    for (const diag::AllowedLine& comment : comments) {
      const extract::Excerpt& excerpt = excerpt_of(comment);
      const std::size_t begin = excerpt.host(comment.lines.begin),
                        end = excerpt.host_end(comment.lines.end);
      const auto dropped = std::erase_if(linted_.diagnostics, [&](const Diagnostic& finding) {
        return finding.code == comment.code && finding.level != diag::Level::error &&
               finding.where.source == 0 && begin <= finding.where.begin &&
               finding.where.begin < end;
      });
      if (dropped == 0 && !comment.is_needed) continue;
      needed.emplace(excerpt.host(comment.token.begin), comment.code);
      needed_whole.insert(excerpt.host(comment.removal.begin));
    }
    for (diag::AllowedLine& comment : comments) {
      const extract::Excerpt& excerpt = excerpt_of(comment);
      comment.is_needed = needed.contains({excerpt.host(comment.token.begin), comment.code});
      if (comes_later(comment.code)) {
        linted_.summary.allowed.push_back(comment);
      } else if (!comment.is_needed) {
        diag::Sink sink;
        Diagnostic& unused = diag::report_unused(comment, sink);
        if (!needed_whole.contains(excerpt.host(comment.removal.begin)))
          unused.fix(comment.removal, "");
        extract::move_to_file(unused, excerpt, comment.token.source, 0);
        linted_.diagnostics.push_back(std::move(unused));
      }
    }
  }

  // Files are compared after they have been read one by one, and a comment here may allow what is
  // found then.
  bool comes_later(diag::Code code) const {
    return (diag::row(code).of_run && !linted_.summary.empty()) ||
           any_of(linted_.summary.world.refused,
                  [&](const auto& each) { return each.finding.code == code; });
  }

  // Files of the module become sources where a finding names them.
  void add_sources(Diagnostic& finding) {
    using extract::Module;
    for (diag::Related& related : finding.related) {
      const std::uint32_t from = related.where.source;
      if (from < Module::first_source) continue;
      auto [added, is_new] = of_module_.try_emplace(from);
      if (is_new) added->second = sources_.add(module_->files[from - Module::first_source]);
      related.where.source = added->second;
    }
  }

  static std::set<std::uint32_t> sources_of(const Diagnostic& finding) {
    std::set<std::uint32_t> sources{finding.where.source};
    for (const diag::Related& related : finding.related) sources.insert(related.where.source);
    for (const diag::Edit& edit : finding.fixes) sources.insert(edit.where.source);
    return sources;
  }

  Sources& sources_;
  const catalog::Catalog& catalog_;
  const RuleOptions& options_;
  const extract::Module* module_;
  const Listener& listener_;
  const Near& near_;
  const bool only_commands_;
  const std::uint32_t first_ = static_cast<std::uint32_t>(sources_.size());  // of the excerpts
  std::map<std::uint32_t, std::uint32_t> of_module_;  // sources that were added
  std::vector<extract::Excerpt> excerpts_;
  // Each excerpt has the strings in which `#` begins no comment; nothing: it could not be read.
  std::vector<std::optional<std::vector<Span>>> strings_;
  // Excerpts in which a key has two values, either of which may be meant, or whose commands are
  // written otherwise.
  std::set<std::uint32_t> without_fixes_;
  extract::Variables variables_;
  diag::Sink sink_;
  rules::FileJudge judge_{catalog_, options_.gcloud_version, sink_};
  Linted linted_;
};

}  // namespace

extract::Module read_module(std::vector<Source> files, const extract::GivenVariables& given) {
  extract::Module module = extract::read_module(std::move(files), given);
  for (std::uint32_t i = 0; i < module.files.size(); ++i) {
    const Source& file = module.files[i];
    module.mentions_tpus |= mentions_tpus(file.text);
  }
  return module;
}

Linted lint(Sources& sources, const catalog::Catalog& catalog, const RuleOptions& options,
            const extract::Module* module, const Listener& listener, const Near& near) {
  const Mentioned mentioned =
      module != nullptr && module->mentions_tpus ? Mentioned::tpus : mentions(sources[0].text);
  if (mentioned == Mentioned::nothing && !listener && !near.has_tpus) return {};
  const bool only_commands = mentioned == Mentioned::commands && !listener;
  Linted linted = Linter(sources, catalog, options, module, listener, near, only_commands).run();
  if (only_commands) linted.summary = {};
  linted.mentions = mentioned;
  return linted;
}

bool is_readable(std::string_view name, std::string_view text) {
  return extract::is_known_type(name, text);
}

bool may_belong(std::string_view name, std::string_view text) {
  const auto is_any_of = [](std::initializer_list<std::string_view> words, auto is) {
    return any_of(words, is);
  };
  if (extract::module_role(name) == extract::ModuleRole::code)
    return is_any_of({"google_container_", "google_compute_resource_policy"},
                     [&](std::string_view word) { return text::includes(text, word); });
  // One of these words may be misspelt.
  return is_any_of({".yaml", ".yml", ".json"},
                   [&](std::string_view ending) { return name.ends_with(ending); }) &&
         is_any_of({"apiVersion", "kind", "metadata"},
                   [&](std::string_view word) { return text::includes(text, word); });
}

rules::FileSummary summarize(const Source& file, const catalog::Catalog& catalog,
                             const extract::Module* module) {
  Sources sources;
  sources.add(file);
  return Linter(sources, catalog, {}, module, {}, {}).run().summary;
}

}  // namespace flexslice::lint
