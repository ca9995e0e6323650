#include "cli/commands/outputs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <limits>

#include "base/credentials.hpp"
#include "base/diff.hpp"
#include "base/text.hpp"
#include "cli/commands/leftovers.hpp"
#include "cli/files/depfile.hpp"

namespace flexslice::cli {

namespace {

const Artifact* find_artifact(const Compiled& compiled, Emit emit) {
  for (const Artifact& artifact : compiled.artifacts) {
    if (artifact.emit == emit) return &artifact;
  }
  return nullptr;
}

bool write(OutputFile&& file, std::string_view text, std::int64_t newest = 0) {
  file.append(text);
  return file.commit(newest);
}

// `1 file written, 5 files unchanged`, without those of which there are none.
std::string counts_text(std::initializer_list<std::pair<std::size_t, std::string_view>> numbers) {
  std::vector<std::string> parts;
  for (const auto& [number, what] : numbers) {
    if (number > 0)
      parts.push_back(
          fmt::format("{} {}", text::count(static_cast<std::int64_t>(number), "file"), what));
  }
  return text::join(parts, ", ");
}

// Says whether flexslice wrote the text: the comment at its beginning says so, or it is a plan.
// With --no-comments only the plan can be recognized.
bool is_ours(std::string_view text) {
  constexpr std::string_view mark = "ompiled by flexslice from ";
  if (text.starts_with("{\n  \"apiVersion\": \"flexslice-plan/")) return true;
  if (text.starts_with("{\n  \"//\": "))
    return text.substr(0, text.find('\n', 2)).find(mark) != std::string_view::npos;
  if (text.starts_with("<svg "))
    return text.find("<metadata>Compiled by flexslice from ") != std::string_view::npos;
  const std::size_t end = text.starts_with('#') ? text.find("\n---") : 0;
  for (std::string_view line :
       text::split(text.substr(0, std::min<std::size_t>(end, 4096)), '\n')) {
    if (line.starts_with('#') && line.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

// The name of the artifact's file, for the workload.
std::string file_of(Emit emit, const std::string& workload) {
  std::string name(file_name(emit));
  if (name.starts_with("NAME.")) name.replace(0, 4, workload);
  return name;
}

void report_missing(const Compiled& compiled, Emit emit) {
  const auto why = compiled.why_empty.find(emit);
  print_error(fmt::format("flexslice: {} has no {}{}{}\n", compiled.folder(),
                          file_of(emit, compiled.name),
                          why == compiled.why_empty.end() || why->second.empty() ? "" : ": ",
                          why == compiled.why_empty.end() ? "" : why->second));
}

// Places have no run.sh, and share nothing else but the manager of MultiKueue.
bool is_of_other_part(const Compiled& compiled, Emit emit) {
  if (!compiled.of_places) return false;
  return compiled.place.empty() ? emit != Emit::run && emit != Emit::multikueue : emit == Emit::run;
}

bool is_usual(Emit emit) {
  return std::ranges::any_of(emit_rows(),
                             [&](const EmitRow& row) { return row.emit == emit && !row.if_asked; });
}

}  // namespace

OutputFiles::OutputFiles(const Destination& destination)
    : to_(destination), directory_(destination.directory) {
  if (to_.check) return;
  if (!to_.file.empty()) file_ = std::make_unique<OutputFile>(to_.file, to_.inputs);
  if (!to_.dep) return;
  if (!to_.dep_file.empty()) deps_ = std::make_unique<OutputFile>(to_.dep_file, to_.inputs);
  for (const std::string& path : to_.prerequisites) newest_ = std::max(newest_, modified_at(path));
  newest_ = std::max(newest_, modified_at("/proc/self/exe"));
  // Whatever make has found to be newer, it would find it again.
  if (std::getenv("MAKELEVEL") != nullptr) newest_ = std::numeric_limits<std::int64_t>::max();
}

void OutputFiles::add(const Checked& checked) {
  if (!to_.directory.empty()) return add_to_directory(checked);
  if (to_.dep && (specs_.empty() || specs_.back() != checked.file))
    specs_.emplace_back(checked.file);
  const Compiled& compiled = checked.compiled;
  const Artifact* artifact = find_artifact(compiled, to_.emit.front());
  // One text for all points; only a picture is of each.
  if (!compiled.sweep.empty() && compiled.values.empty() == (to_.emit.front() == Emit::picture))
    return;
  if (is_of_other_part(compiled, to_.emit.front())) return;
  ++documents_;
  const std::string name = file_of(to_.emit.front(), compiled.name);
  if (documents_ > 1 &&
      (name.ends_with(".sh") || name.ends_with(".tf.json") || name.ends_with(".svg")))
    throw wrong_usage("several specs give several files: use `--out-dir DIR`");
  for (const kubernetes::QueueNeed& need : compiled.queue_needs)
    queued_.push_back({need, compiled.name, {}});
  if (!compiled.queue_needs.empty()) return;
  if (artifact != nullptr)
    put(artifact->text);
  else
    report_missing(compiled, to_.emit.front());
}

// Into the only output.
void OutputFiles::put(std::string_view text) {
  if (to_.to_stdout())
    print(text);
  else if (to_.check)
    collected_ += text;
  else
    file_->append(text);
}

void OutputFiles::put(const FilePlace& place, std::string_view text,
                      const std::vector<std::string>& specs) {
  if (to_.check) return compare(place, text);
  ++(write(OutputFile(place, to_.inputs), text, newest_of(specs)) ? written_ : unchanged_);
}

FilePlace OutputFiles::place_in(const Descriptor& directory, const std::string& workload,
                                Emit emit) const {
  const std::string name = file_of(emit, workload.substr(0, workload.find('/')));
  return {*directory, name, fmt::format("{}/{}/{}", to_.directory, workload, name)};
}

// No two workloads may have the same name.
void OutputFiles::claim_name(const Checked& checked) {
  const std::string place = fmt::format("{}:{}", checked.file, checked.line);
  const auto [other, is_new] = names_.try_emplace(checked.compiled.folder(), place);
  if (!is_new)
    throw wrong_usage(fmt::format(
        "{}: this spec is called `{}` like the one at {}, and would overwrite its files", place,
        checked.compiled.folder(), other->second));
}

void OutputFiles::add_to_directory(const Checked& checked) {
  claim_name(checked);
  const Compiled& compiled = checked.compiled;
  const Descriptor directory = directory_.open(compiled.folder(), !to_.check);
  MakeRule rule{{}, {std::string(checked.file)}};
  for (Emit emit : to_.emit) {
    if (emit == Emit::queues && !compiled.queue_needs.empty()) continue;
    const FilePlace place = place_in(directory, compiled.folder(), emit);
    if (const Artifact* artifact = find_artifact(compiled, emit)) {
      if (emit == Emit::plan && !to_.check) warn_of_leftovers(place, artifact->text);
      put(place, artifact->text, rule.specs);
      rule.targets.push_back(place.shown);
    } else {
      const auto why = compiled.why_empty.find(emit);
      // Nobody asked for the usual artifacts by name, so nobody misses them where there is nothing
      // to make.
      if (!is_usual(emit) && why != compiled.why_empty.end() && !is_of_other_part(compiled, emit))
        report_missing(compiled, emit);
      if (to_.check || to_.prune) drop(place);
    }
  }
  for (const kubernetes::QueueNeed& need : compiled.queue_needs)
    queued_.push_back({need, compiled.folder(), rule});
  if (to_.dep && !to_.check && !rule.targets.empty()) add_rules({rule}, compiled.folder());
}

// The replaced plan created resources that the new one does not know: no script deletes them any
// more.
void OutputFiles::warn_of_leftovers(const FilePlace& plan, std::string_view wanted) {
  const std::vector<Creation> now = created_by(wanted, true);
  for (const Creation& creation : created_by(read_current(plan).value_or(""))) {
    if (std::ranges::find(now, creation) == now.end())
      leftovers_ += fmt::format(
          "{}: warning: the plan before created {}, and this one does not; if it exists, it stays. "
          "To delete it:\n    {}\n",
          plan.shown, creation.what, creation.deletion);
  }
}

// The time that outputs of these specs must have at least, for make.
std::int64_t OutputFiles::newest_of(const std::vector<std::string>& specs) const {
  if (!to_.dep) return 0;
  std::int64_t newest = newest_;
  for (const std::string& spec : specs) newest = std::max(newest, modified_at(spec));
  return newest;
}

int OutputFiles::finish(bool good) {
  if (good) finish_queues();
  if (good && to_.whole && (to_.check || to_.prune))
    status_ = std::max(status_, attempt([&] { drop_workloads(); }));
  if (good && to_.prune && !to_.whole)
    print_error(
        "--prune: nothing deleted, since files do not say which specs there are: name their "
        "directory\n");
  if (good && status_ == fine && !to_.file.empty()) status_ = attempt([&] { finish_file(); });
  if (good && status_ == fine && deps_) {
    std::set<std::string> phony(to_.prerequisites.begin(), to_.prerequisites.end());
    if (specs_.size() > 1) phony.insert(specs_.begin(), specs_.end());
    status_ = attempt([&] {
      deps_->append(make_phony(phony));
      deps_->commit();
    });
  }
  const std::string summary = check_summary();
  print_error(summary);
  if (!summary.empty() && good)
    print_error(fmt::format("to update: flexslice compile{}{}\n", stale_ > 0 ? " --prune" : "",
                            to_.update));
  return std::max<int>(status_, summary.empty() ? fine : findings);
}

void OutputFiles::finish_file() {
  if (to_.check) return compare(place_at(to_.file), collected_);
  file_->commit(newest_of(specs_));
  if (to_.dep) add_rules({{{to_.file}, specs_}}, {});
}

void OutputFiles::finish_queues() {
  kubernetes::QueueNeeds all;
  std::map<const kubernetes::QueueNeed*, const Queued*> owners;
  for (const Queued& queued : queued_) {
    all.push_back(&queued.need);
    owners[&queued.need] = &queued;
  }
  if (all.empty()) return;
  if (to_.directory.empty()) {
    status_ = attempt([&] { put(to_.queues(all)); });
    return;
  }
  for (const kubernetes::QueueNeeds& needs : kubernetes::by_file(all)) {
    const std::string text = to_.queues(needs);
    std::vector<std::string> specs;
    for (const kubernetes::QueueNeed* need : needs) {
      const std::string& spec = owners[need]->others.specs.front();
      if (std::find(specs.begin(), specs.end(), spec) == specs.end()) specs.push_back(spec);
    }
    if (specs.size() > 1) specs_.insert(specs_.end(), specs.begin(), specs.end());
    // The same text for each workload of the queue, and once for a sweep.
    std::set<std::string_view> done;
    for (const kubernetes::QueueNeed* need : needs) {
      if (done.insert(owners[need]->workload).second)
        status_ = std::max(status_, attempt([&] { put_queue(*owners[need], text, specs); }));
    }
  }
}

void OutputFiles::put_queue(const Queued& queued, const std::string& text,
                            const std::vector<std::string>& specs) {
  const Descriptor directory = directory_.open(queued.workload, !to_.check);
  const FilePlace place = place_in(directory, queued.workload, Emit::queues);
  put(place, text, specs);
  if (!to_.dep || to_.check) return;
  std::vector<MakeRule> rules{{{place.shown}, specs}};
  // A dep file of its own is written whole; the one dep file has the other rule already.
  if (!deps_ && !queued.others.targets.empty()) rules.insert(rules.begin(), queued.others);
  add_rules(rules, queued.workload);
}

// Into the one dep file, or into one of its own next to the outputs of `workload`.
void OutputFiles::add_rules(const std::vector<MakeRule>& rules, const std::string& workload) {
  std::string text;
  std::set<std::string> phony(to_.prerequisites.begin(), to_.prerequisites.end()), only_specs;
  for (const MakeRule& rule : rules) {
    std::vector<std::string> prerequisites = rule.specs;
    std::erase(prerequisites, "-");
    // Without its only spec there is nothing to make; without one of several there is.
    (rule.specs.size() > 1 ? phony : only_specs).insert(prerequisites.begin(), prerequisites.end());
    prerequisites.insert(prerequisites.end(), to_.prerequisites.begin(), to_.prerequisites.end());
    text += make_rule(rule.targets, prerequisites);
  }
  if (deps_) return deps_->append(text);
  for (const std::string& spec : only_specs) phony.erase(spec);
  write(OutputFile(
            workload.empty() ? place_at(dep_file_of(to_.file)) : directory_.place(workload + ".d"),
            to_.inputs),
        text + make_phony(phony));
}

// A file that no spec makes any more.
void OutputFiles::drop(const FilePlace& place) {
  if (to_.check) return compare(place, std::nullopt);
  const std::optional<std::string> current = read_current(place);
  if (!current) return;
  if (!is_ours(*current))
    return print_error(
        fmt::format("{}: not deleted, because it has no header of flexslice\n", place.shown));
  remove_file(place, to_.inputs);
  ++deleted_;
}

// The outputs of workloads that no spec has any more. A directory where nothing is ours is somebody
// else's.
void OutputFiles::drop_workloads() {
  std::vector<std::string> workloads;
  // Folders of places come first, since they are in that of their workload.
  for (const std::string& workload : directory_.names()) {
    for (const std::string& place : directory_.names(workload))
      workloads.push_back(workload + "/" + place);
    workloads.push_back(workload);
  }
  for (const std::string& workload : workloads) {
    if (names_.contains(workload)) continue;
    const Descriptor directory = directory_.open(workload, false);
    std::vector<FilePlace> places;
    for (const EmitRow& row : emit_rows())
      places.push_back(place_in(directory, workload, row.emit));
    if (std::none_of(places.begin(), places.end(), [](const FilePlace& place) {
          return is_ours(read_current(place).value_or(""));
        }))
      continue;
    const std::vector<Creation> creations =
        created_by(read_current(place_in(directory, workload, Emit::plan)).value_or(""));
    if (!to_.forget && !creations.empty()) {
      print_error(fmt::format(
          "{}/{}: its spec is gone, and it created {}: run its cleanup.sh, then flexslice compile "
          "--prune --forget\n",
          to_.directory, workload, creations.front().what));
      if (!to_.check) {
        status_ = std::max<int>(status_, findings);
        continue;
      }
    }
    for (const FilePlace& place : places) drop(place);
    if (to_.check) continue;
    const FilePlace deps = directory_.place(workload + ".d");
    const std::string rules = read_current(deps).value_or("");
    if (rules.substr(0, rules.find('\n')).find(fmt::format("/{}/", workload)) != std::string::npos)
      remove_file(deps, to_.inputs);
    directory_.remove_if_empty(workload);
  }
}

// Reports a file that is not what it should be; nothing: it should not exist. A whole file says
// little that its name does not, so it is shown on request.
void OutputFiles::compare(const FilePlace& place, std::optional<std::string_view> wanted) {
  const std::optional<std::string> current = read_current(place);
  if (current == wanted) return;
  ++(!wanted ? stale_ : current ? differing_ : missing_);
  if (!to_.diff && !(wanted && current))
    return print(fmt::format("{}: {}\n", place.shown, wanted ? "missing" : "no longer made"));
  if (current && current->size() > max_shown_bytes)
    return print(fmt::format("{} differs, and is too large to show\n", place.shown));
  const std::string before(current.value_or("")), after(wanted.value_or(""));
  const auto diff = [&](const std::string& old, const std::string& text) {
    return unified_diff(old, text, current ? place.shown : "/dev/null",
                        wanted ? place.shown : "/dev/null");
  };
  const std::string shown = diff(masked(before), masked(after));
  // The texts differ in a token alone.
  print(shown.empty() ? masked(diff(before, after)) : shown);
}

std::string OutputFiles::check_summary() const {
  const std::string files =
      counts_text({{differing_, "not current"}, {missing_, "missing"}, {stale_, "no longer made"}});
  return files.empty() ? files : files + "\n";
}

std::string OutputFiles::summary() const {
  if (to_.directory.empty() || to_.check) return {};
  const std::string files =
      counts_text({{written_, "written"}, {deleted_, "deleted"}, {unchanged_, "unchanged"}});
  const std::string_view more =
      leftovers_.empty() ? "" : "`flexslice diff OLD NEW` says what else a change of specs does\n";
  return leftovers_ + std::string(more) +
         (files.empty() ? files : fmt::format("{}: {}\n", to_.directory, files));
}

}  // namespace flexslice::cli
