#include "cli/compile_outputs.hpp"

#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/diff.hpp"
#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/depfile.hpp"

namespace flexslice::cli {

namespace {

std::string file_name(Emit emit) {
  return std::string(std::find_if(emit_rows().begin(), emit_rows().end(), [&](const EmitRow& row) {
                       return row.emit == emit;
                     })->file);
}

const Artifact* find(const Compiled& compiled, Emit emit) {
  const auto found = std::find_if(compiled.artifacts.begin(), compiled.artifacts.end(),
                                  [&](const Artifact& each) { return each.emit == emit; });
  return found == compiled.artifacts.end() ? nullptr : &*found;
}

}  // namespace

Outputs::Outputs(const Destination& destination)
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

int Outputs::add(const Checked& checked) {
  ++documents_;
  if (!to_.directory.empty()) return add_directory(checked);
  if (to_.dep && (specs_.empty() || specs_.back() != checked.file))
    specs_.emplace_back(checked.file);
  return add_text(checked.compiled);
}

int Outputs::add_text(const Compiled& compiled) {
  const Emit emit = to_.emit.front();
  if (documents_ > 1 && file_name(emit).ends_with(".sh"))
    return wrong_usage("several specs give several scripts: use `--out-dir DIR`");
  if (compiled.queue_need) {
    queued_.push_back({*compiled.queue_need, compiled.name, {}});
    return fine;
  }
  const Artifact* artifact = find(compiled, emit);
  if (artifact == nullptr) {
    print_error(fmt::format("flexslice: {} has no {}\n", compiled.name, file_name(emit)));
    return fine;
  }
  if (to_.to_stdout()) return print(artifact->text);
  if (to_.check) collected_ += artifact->text;
  Failure failure;
  return to_.check || file_->append(artifact->text, failure) ? fine : file_error(failure.message);
}

// Whether no other workload has that name.
bool Outputs::claim(const Checked& checked) {
  const std::string& name = checked.compiled.name;
  const auto [other, first] =
      names_.try_emplace(name, Place{std::string(checked.file), checked.line});
  if (first) return true;
  wrong_usage(fmt::format(
      "{}:{}: this spec is called `{}` like the one at {}:{}, and would overwrite its files",
      checked.file, checked.line, name, other->second.file, other->second.line));
  return false;
}

int Outputs::add_directory(const Checked& checked) {
  if (!claim(checked)) return usage;
  const Compiled& compiled = checked.compiled;
  Failure failure;
  const auto directory = directory_.open(compiled.name, !to_.check, failure);
  if (!directory) return file_error(failure.message);
  const std::int64_t newest = newest_for(std::string(checked.file));
  std::vector<std::string> targets;
  int status = fine;
  for (Emit emit : to_.emit) {
    const std::string name = file_name(emit),
                      shown = to_.directory + "/" + compiled.name + "/" + name;
    if (emit == Emit::queues && compiled.queue_need) continue;
    const Artifact* artifact = find(compiled, emit);
    if (to_.check) {
      status = std::max(status, artifact ? compare(**directory, name, shown, artifact->text)
                                         : report_stale(**directory, name, shown));
    } else if (artifact) {
      OutputFile file(**directory, name, shown, to_.inputs);
      if (!file.append(artifact->text, failure) || !write(file, newest, failure))
        return file_error(failure.message);
      targets.push_back(shown);
    }
  }
  const Rule rule{std::move(targets), {std::string(checked.file)}};
  if (compiled.queue_need) queued_.push_back({*compiled.queue_need, compiled.name, rule});
  return to_.dep && !to_.check && !rule.targets.empty() ? add_rules({rule}, compiled.name) : status;
}

bool Outputs::write(OutputFile& file, std::int64_t newest, Failure& failure) const {
  const auto written = file.commit(failure);
  return written && (*written == Written::written || file.refresh(newest, failure));
}

std::int64_t Outputs::newest_for(const std::string& spec) const {
  return to_.dep ? std::max(newest_, modified_at(spec)) : 0;
}

int Outputs::finish(bool good) {
  int status = good ? finish_queues() : fine;
  if (good && status <= findings && !to_.file.empty()) status = std::max(status, finish_file());
  if (good && status == fine && deps_) {
    std::set<std::string> phony(to_.prerequisites.begin(), to_.prerequisites.end());
    if (specs_.size() > 1) phony.insert(specs_.begin(), specs_.end());
    Failure failure;
    if (!deps_->append(make_phony(phony), failure) || !deps_->commit(failure))
      status = file_error(failure.message);
  }
  return to_.check ? std::max(status, check_summary()) : status;
}

int Outputs::finish_file() {
  Failure failure;
  if (to_.check) return compare(AT_FDCWD, to_.file, to_.file, collected_);
  std::int64_t newest = newest_;
  for (const std::string& spec : specs_) newest = std::max(newest, newest_for(spec));
  if (!write(*file_, newest, failure)) return file_error(failure.message);
  return to_.dep ? add_rules({{{to_.file}, specs_}}, {}) : fine;
}

int Outputs::finish_queues() {
  kubernetes::QueueNeeds all;
  std::map<const kubernetes::QueueNeed*, const Queued*> owners;
  for (const Queued& queued : queued_) {
    all.push_back(&queued.need);
    owners[&queued.need] = &queued;
  }
  if (all.empty()) return fine;
  int status = fine;
  if (!to_.directory.empty()) {
    for (const kubernetes::QueueNeeds& needs : kubernetes::by_queue(all)) {
      std::vector<const Queued*> members;
      for (const kubernetes::QueueNeed* need : needs) members.push_back(owners[need]);
      status = std::max(status, finish_queue(members, to_.queues(needs)));
    }
    return status;
  }
  const std::string text = to_.queues(all);
  if (to_.to_stdout()) return print(text);
  if (to_.check) collected_ += text;
  Failure failure;
  return to_.check || file_->append(text, failure) ? fine : file_error(failure.message);
}

// The same text for each workload of the queue.
int Outputs::finish_queue(const std::vector<const Queued*>& members, const std::string& text) {
  std::vector<std::string> specs;
  for (const Queued* queued : members) {
    const std::string& spec = queued->made.specs.front();
    if (std::find(specs.begin(), specs.end(), spec) == specs.end()) specs.push_back(spec);
  }
  if (specs.size() > 1) specs_.insert(specs_.end(), specs.begin(), specs.end());
  int status = fine;
  for (const Queued* queued : members) status = std::max(status, write_queue(*queued, text, specs));
  return status;
}

int Outputs::write_queue(const Queued& queued, const std::string& text,
                         const std::vector<std::string>& specs) {
  Failure failure;
  const auto directory = directory_.open(queued.workload, !to_.check, failure);
  if (!directory) return file_error(failure.message);
  const std::string name = file_name(Emit::queues),
                    shown = to_.directory + "/" + queued.workload + "/" + name;
  if (to_.check) return compare(**directory, name, shown, text);
  std::int64_t newest = 0;
  for (const std::string& spec : specs) newest = std::max(newest, newest_for(spec));
  OutputFile file(**directory, name, shown, to_.inputs);
  if (!file.append(text, failure) || !write(file, newest, failure))
    return file_error(failure.message);
  if (!to_.dep) return fine;
  std::vector<Rule> rules{{{shown}, specs}};
  // A dep file of its own is written whole; the one dep file has the other rule already.
  if (!deps_ && !queued.made.targets.empty()) rules.insert(rules.begin(), queued.made);
  return add_rules(rules, queued.workload);
}

// Into the one dep file, or into one of its own beside the outputs of `workload`.
int Outputs::add_rules(const std::vector<Rule>& rules, const std::string& workload) {
  std::string text;
  std::set<std::string> phony(to_.prerequisites.begin(), to_.prerequisites.end()), only_specs;
  for (const Rule& rule : rules) {
    std::vector<std::string> prerequisites = rule.specs;
    std::erase(prerequisites, "-");
    // Without its only spec there is nothing to make; without one of several there is.
    (rule.specs.size() > 1 ? phony : only_specs).insert(prerequisites.begin(), prerequisites.end());
    prerequisites.insert(prerequisites.end(), to_.prerequisites.begin(), to_.prerequisites.end());
    text += make_rule(rule.targets, prerequisites);
  }
  for (const std::string& spec : only_specs) phony.erase(spec);
  Failure failure;
  if (deps_) return deps_->append(text, failure) ? fine : file_error(failure.message);
  text += make_phony(phony);
  const std::string name = workload + ".d";
  if (!workload.empty()) {
    OutputFile file(directory_.descriptor(), name, to_.directory + "/" + name, to_.inputs);
    return file.append(text, failure) && file.commit(failure) ? fine : file_error(failure.message);
  }
  OutputFile file(dep_file_of(to_.file), to_.inputs);
  return file.append(text, failure) && file.commit(failure) ? fine : file_error(failure.message);
}

int Outputs::compare(int directory, const std::string& name, const std::string& shown,
                     std::string_view wanted) {
  Failure failure;
  std::optional<std::string> current;
  // In a directory that is not there, nothing is.
  if (directory >= 0 || directory == AT_FDCWD)
    current = read_at(directory, name, shown, directory == AT_FDCWD, failure);
  if (!failure.message.empty()) return file_error(failure.message);
  if (current && *current == wanted) return fine;
  ++(current ? differing_ : missing_);
  const bool large = current && current->size() > max_shown_bytes;
  if (large)
    return std::max<int>(findings,
                         print(fmt::format("{} differs, and is too large to show\n", shown)));
  return std::max<int>(findings, print(unified_diff(current.value_or(""), wanted,
                                                    current ? shown : "/dev/null", shown)));
}

// Nothing is written there any more, but something is there.
int Outputs::report_stale(int directory, const std::string& name, const std::string& shown) {
  if (directory < 0) return fine;
  Failure failure;
  const auto current = read_at(directory, name, shown, false, failure);
  if (!failure.message.empty()) return file_error(failure.message);
  if (!current) return fine;
  ++stale_;
  return std::max<int>(findings, print(unified_diff(*current, "", shown, "/dev/null")));
}

int Outputs::check_summary() const {
  const int status = flush();
  const auto files = [](std::size_t number, std::string_view what) {
    return number == 0 ? std::string()
                       : fmt::format(", {} {}",
                                     text::count(static_cast<std::int64_t>(number), "file"), what);
  };
  const std::string line = files(differing_, "not current") + files(missing_, "missing") +
                           files(stale_, "no longer made (delete it)");
  if (!line.empty()) print_error(line.substr(2) + "\n");
  return status;
}

}  // namespace flexslice::cli
