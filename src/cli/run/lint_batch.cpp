#include "cli/run/lint_batch.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <memory>
#include <numeric>
#include <set>

#include "base/lists.hpp"
#include "base/ordered_parallel.hpp"
#include "base/text.hpp"
#include "diag/fix.hpp"
#include "driver/kustomize.hpp"
#include "extract/file.hpp"
#include "rules/read_for.hpp"
#include "spec/document.hpp"

namespace flexslice::cli {

namespace {

constexpr std::size_t chunk_files = 32;         // what one thread takes at a time
constexpr std::size_t kept_bytes = 1u << 20;    // that a chunk keeps until it is its turn
constexpr std::size_t binary_bytes = 8u << 10;  // in which a NUL means that a file is no text

bool is_binary(std::string_view text) {
  return text.substr(0, binary_bytes).find('\0') != std::string_view::npos;
}

std::string counted(std::size_t number, std::string_view noun) {
  return text::count(static_cast<std::int64_t>(number), noun);
}

bool is_fixable(const diag::Diagnostic& finding) { return !finding.fixes.empty(); }

bool is_spec(std::string_view name, std::string_view text) {
  return any_of(std::initializer_list<std::string_view>{".yaml", ".yml", ".json"},
                [&](std::string_view ending) { return name.ends_with(ending); }) &&
         spec::has_spec_line(text);
}

}  // namespace

struct LintBatch::File {
  enum class Outcome : std::uint8_t { none, no_tpus, judged, spec, large, binary, other };

  std::string path{};
  bool is_named = false, is_link = false;
  std::optional<Failure> failure{};  // why it was not read
  bool is_pending = false;           // was not taken yet
  bool is_second = false;            // has no TPUs, and others have

  Outcome outcome = Outcome::none;
  Sources sources{};  // as far as findings, or stdout, need it
  std::shared_ptr<const extract::Module> module{};
  std::vector<diag::Diagnostic> found{};
  std::size_t unread = 0;                         // fragments
  bool uses_tpus = false;                         // not only in a word
  bool may_complete = false;                      // those of other files
  bool may_belong = false;                        // to them
  std::unique_ptr<rules::FileSummary> summary{};  // null where there is nothing to keep
  std::vector<lint::StatedRelease> releases{};    // of a spec, or that it installs
  KnownFindings unmatched{}, recorded{};
  std::size_t known = 0;  // findings of the baseline

  std::optional<Failure> refusal{};  // why it may not be fixed
  std::string unfixed{};             // the text before it was fixed
  std::size_t fixed = 0;
  std::int64_t modified = 0;  // before it was read
};

struct LintBatch::Chunk {
  std::vector<File> files{};
  std::string buffer{};  // for reading
};

// Finds the files, each once.
class LintBatch::Feed {
 public:
  Feed(std::span<const std::string> words, const LintBatchOptions& options, LeftOut& left_out)
      : words_(words), options_(options), left_out_(left_out) {}

  std::optional<Chunk> next() {
    Chunk chunk;
    while (chunk.files.size() < chunk_files) {
      auto file = next_file();
      if (!file) break;
      chunk.files.push_back(std::move(*file));
    }
    if (chunk.files.empty()) return std::nullopt;
    return chunk;
  }

 private:
  std::optional<File> next_file() {
    for (;;) {
      if (tree_) {
        if (auto found = tree_->next()) {
          // Several links may lead to one file.
          if (found->is_link && !is_new(found->path)) continue;
          return File{.path = std::move(found->path),
                      .is_link = found->is_link,
                      .failure = std::move(found->failure)};
        }
        tree_.reset();
      }
      if (words_.empty()) return std::nullopt;
      const std::string& word = words_.front();
      words_ = words_.subspan(1);
      std::error_code ignored;
      if (word != "-" && std::filesystem::is_directory(word, ignored)) {
        if (directories_.insert(std::filesystem::canonical(word, ignored).string()).second)
          tree_.emplace(word, options_.exclude, left_out_);
      } else if (is_new(word)) {
        return File{.path = word, .is_named = true};
      }
    }
  }

  bool is_new(const std::string& path) {
    const auto id = file_id(path);
    return !id || seen_.insert(*id).second;
  }

  std::span<const std::string> words_;  // still to be read
  const LintBatchOptions& options_;
  LeftOut& left_out_;
  std::set<FileId> seen_;  // that were named, or are behind a link
  std::set<std::string> directories_;
  std::optional<Tree> tree_;
};

LintBatch::LintBatch(const Run& run, const LintBatchOptions& options, void (*say)(std::string_view))
    : run_(run),
      options_(options),
      say_(say),
      progress_(true),
      folders_(run.knowledge.catalog, [this](const std::string& path) { return complete(path); }) {
  rendering_.options = run.render;
  for (const rules::Upgrade& upgrade : options.rules.upgrades)
    folders_.has_release({.controller = upgrade.program, .release = upgrade.release});
  if (options.rules.placement) folders_.list_placement(options.placement != nullptr);
}

void LintBatch::files(std::span<const std::string> words) {
  std::signal(SIGCHLD, SIG_DFL);  // else the status of git is lost
  named_ = words;
  std::error_code ignored;
  compares_ =
      words.size() > 1 || (words.size() == 1 && std::filesystem::is_directory(words[0], ignored));
  for (const std::string& word : words) {
    if (const auto id = file_id(word)) not_walked_.insert(*id);
  }
  if (options_.baseline != nullptr) {
    if (const auto id = file_id(options_.baseline->path())) not_walked_.insert(*id);
  }
  if (options_.placement == nullptr)
    show([](auto& run, std::string& out) { diag::render_begin(run, out); });
  Feed feed(words, options_, left_out_);
  const auto judge_all = [&](auto next) {
    ordered_parallel(
        options_.jobs, next, [&](Chunk& chunk) { work(chunk); },
        [&](Chunk& chunk) {
          for (File& file : chunk.files) {
            if (file.is_pending) take(file, chunk.buffer);
            emit(file);
            if (!stdout_works()) return false;
          }
          return true;
        });
  };
  judge_all([&] { return feed.next(); });
  // A file next to files with TPUs, or below, is about their cluster.
  std::erase_if(belonging_, [&](std::string_view path) {
    return !any_of(folders_with_tpus_,
                   [&](std::string_view folder) { return path.starts_with(folder); });
  });
  if (!belonging_.empty()) {
    auto at = belonging_.begin();
    judge_all([&]() -> std::optional<Chunk> {
      Chunk chunk;
      for (; chunk.files.size() < chunk_files && at != belonging_.end(); ++at) {
        File& file = chunk.files.emplace_back();
        file.path = *at;
        file.is_named = contains(words, *at);
        file.is_second = true;
      }
      if (chunk.files.empty()) return std::nullopt;
      return chunk;
    });
  }
  emit_folder(folders_.end());
  compare_run();
  progress_.clear();
  if (options_.placement == nullptr)
    show([](auto& run, std::string& out) { diag::render_end(run, out); });
}

// Runs on any thread.
void LintBatch::work(Chunk& chunk) const {
  std::size_t kept = 0;
  for (File& file : chunk.files) {
    file.is_pending = kept > kept_bytes;
    if (file.is_pending) continue;
    take(file, chunk.buffer);
    if (file.sources.size() > 0) kept += file.sources[0].text.size();
  }
}

void LintBatch::take(File& file, std::string& buffer) const {
  if (file.failure) return;
  try {
    std::string named;
    std::string_view text;
    if (file.is_named) {
      if (options_.fixer != nullptr) file.modified = modified_at(file.path);
      text = named = read_file(file.path);
    } else if (const auto bytes = read_walked(file, buffer)) {
      text = *bytes;
    } else {
      return;
    }
    const lint::Mentioned mentions = lint::mentions(text);
    bool has_tpus = judges_all(file) || mentions == lint::Mentioned::tpus;
    if (extract::module_role(file.path) == extract::ModuleRole::code &&
        (has_tpus || extract::may_create_nodes(text))) {
      file.module = modules_.of(std::string(folder_of(file.path)), named_, file.path != "-");
      has_tpus |= file.module->mentions_tpus;
    }
    const std::string& name = file.path == "-" ? options_.stdin_name : file.path;
    const bool has_commands = mentions == lint::Mentioned::commands ||
                              (file.path != "-" && lint::may_kustomize(file.path, text));
    file.outcome = has_tpus || (has_commands && lint::is_readable(name, text))
                       ? File::Outcome::judged
                   : is_binary(text) ? File::Outcome::binary
                                     : File::Outcome::no_tpus;
    if (file.path != "-" && (file.is_named || has_tpus) && !is_binary(text) &&
        !lint::is_readable(name, text))
      file.outcome = File::Outcome::other;
    file.may_belong = file.outcome == File::Outcome::no_tpus && lint::may_belong(file.path, text);
    file.may_complete = !has_tpus && file.path != "-" &&
                        (rules::is_read_for(rules::ReadFor::completes, text) ||
                         rules::is_read_for(rules::ReadFor::makes, text));
    if ((has_tpus || file.is_named) && is_spec(file.path, text)) file.outcome = File::Outcome::spec;
    // A spec need not have any of the words by which TPUs are found.
    if (lint::may_state_release(text))
      file.releases =
          lint::stated_releases(run_.knowledge.catalog, name, text, is_spec(file.path, text));
    if (file.outcome == File::Outcome::judged || file.path == "-")
      file.sources.add({name, std::string(text), 1});
    if (file.outcome == File::Outcome::judged) judge(file);
  } catch (const Failure& failure) {
    file.failure = failure;
  }
}

// Reads a file that the walk has found; nothing where it is not to be judged.
std::optional<std::string_view> LintBatch::read_walked(File& file, std::string& buffer) const {
  const int link = file.is_link ? 0 : O_NOFOLLOW;
  const Descriptor descriptor(
      ::open(file.path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | link));
  struct stat status {};
  if (!descriptor || ::fstat(*descriptor, &status) != 0) {
    // Skip files that vanished or became links since the walk.
    if (errno == ENOENT || errno == ELOOP) return std::nullopt;
    throw file_error(file.path, errno);
  }
  if (!S_ISREG(status.st_mode) || not_walked_.contains(file_id(status))) return std::nullopt;
  file.modified = modified_at(status);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > max_bytes) {
    file.outcome = File::Outcome::large;
    return std::nullopt;
  }
  buffer.clear();
  while (buffer.size() < size && read_some(descriptor, buffer, size - buffer.size(), file.path)) {
  }
  if (!is_binary(buffer)) return buffer;
  file.outcome = File::Outcome::binary;
  return std::nullopt;
}

// An upgrade is about objects without TPUs too.
bool LintBatch::judges_all(const File& file) const {
  return file.is_second || !options_.rules.upgrades.empty();
}

void LintBatch::judge(File& file) const {
  const bool is_file = file.path != "-";
  lint::Near near = is_file ? near_of(file.path) : lint::Near{};
  near.has_tpus = judges_all(file);
  const bool is_called = is_file && extract::may_be_blueprint(file.sources[0].text);
  if (is_called) neighbours_.add_to(near, file.path);
  for (int round = 0;; ++round) {
    const auto lint_file = [&] {
      return lint::lint(file.sources, run_.knowledge.catalog, options_.rules, file.module.get(), {},
                        near);
    };
    lint::Linted linted = lint_file();
    if (is_file && round == 0 && !linted.diagnostics.empty()) {
      if (!is_called && any_of(linted.diagnostics, lint::may_be_answered))
        neighbours_.add_to(near, file.path);
      if (extract::has_given_variables(file.path)) neighbours_.add_given(near, file.path);
      if (extract::file_type(file.path, file.sources[0].text) == extract::FileType::script)
        neighbours_.add_calls(near, file.path);
      if (near.completeness == Completeness::expanded || !near.quotas.empty() ||
          !near.given.empty()) {
        Sources sources;
        sources.add(file.sources[0]);
        file.sources = std::move(sources);
        linted = lint_file();
      }
    }
    file.unread = linted.unread;
    file.uses_tpus = linted.mentions == lint::Mentioned::tpus &&
                     (linted.summary.uses_tpus || linted.unread > 0 || !linted.diagnostics.empty());
    file.found = std::move(linted.diagnostics);
    if (is_file && lint::may_kustomize(file.path, file.sources[0].text))
      add_findings_of_kustomization(file.sources, run_.knowledge.catalog, file.found);
    if (is_file) neighbours_.drop_mended(file.path, run_.knowledge.catalog, file.found);
    file.summary.reset();
    if (!linted.summary.empty())
      file.summary = std::make_unique<rules::FileSummary>(std::move(linted.summary));
    sort_out(file);
    if (options_.fixer == nullptr || round == diag::max_fix_rounds ||
        !any_of(file.found, is_fixable))
      break;
    if (round == 0) file.refusal = options_.fixer->refusal(file.path);
    if (round == 0 && file.is_link && !options_.fixer->only_diff())
      file.refusal = file_error(fmt::format("{}: a link to another place; not fixed", file.path));
    if (file.refusal) break;
    diag::Fixed fixed = diag::apply_fixes(file.sources[0].text, 0, file.found);
    if (fixed.applied == 0) break;
    if (file.fixed == 0) file.unfixed = file.sources[0].text;
    file.fixed += fixed.applied;
    Sources sources;
    sources.add({file.sources[0].name, std::move(fixed.text), 1});
    file.sources = std::move(sources);
  }
  file.module = {};
  if (file.found.empty() && file.fixed == 0 && file.path != "-" && file.summary == nullptr)
    file.sources = {};
}

// Leaves the findings that count: takes out those of the baseline, and what the command line says.
void LintBatch::sort_out(File& file) const {
  const auto is_dropped = [&](const diag::Diagnostic& finding) {
    return !options_.only.empty() && !contains(options_.only, finding.code);
  };
  std::vector<diag::Diagnostic> known;
  if (options_.baseline != nullptr && !options_.writes_baseline) {
    file.unmatched = options_.baseline->of(file.sources[0].name);
    std::erase_if(file.found, [&](diag::Diagnostic& finding) {
      if (!take_one(file.unmatched, {file.sources[0], finding})) return false;
      known.push_back(std::move(finding));
      return true;
    });
  }
  for (auto* findings : {&file.found, &known}) {
    diag::apply_policy(run_.policy, *findings, false);
    std::erase_if(*findings, is_dropped);
  }
  file.known = known.size();
  if (!options_.writes_baseline) return;
  file.recorded.clear();
  for (const diag::Diagnostic& finding : file.found) {
    if (!compares_ || finding.unless.empty()) ++file.recorded[{file.sources[0], finding}];
  }
}

template <class Action>
void LintBatch::attempt(Action action) {
  try {
    action();
  } catch (const Failure& failure) {
    progress_.clear();
    status_ = std::max(status_, report(failure));
  }
}

template <class Render>
void LintBatch::show(Render render) {
  std::string text;
  render(rendering_, text);
  say_(text);
}

void LintBatch::emit(File& file) {
  using Outcome = File::Outcome;
  if (file.failure) {
    ++unread_files_;
    return attempt([&] { throw Failure(*file.failure); });
  }
  specs_ += file.outcome == Outcome::spec;
  for (lint::StatedRelease& stated : file.releases) {
    const auto is_its = [&](const auto& each) { return each.program == stated.controller; };
    if (!any_of(options_.rules.upgrades, is_its)) folders_.has_release(std::move(stated));
  }
  others_ += file.outcome == Outcome::other;
  if (file.outcome == Outcome::other && file.is_named)
    print_error(
        fmt::format("flexslice: {}: not read: lint reads YAML, JSON, Terraform, Markdown, shell "
                    "scripts and Makefiles\n",
                    file.path));
  if (file.outcome == Outcome::spec && file.is_named)
    print_error(
        fmt::format("flexslice: {}: a spec, not read: `flexslice check` judges it\n", file.path));
  large_ += file.outcome == Outcome::large;
  binary_ += file.outcome == Outcome::binary;
  if (file.outcome != Outcome::judged && file.outcome != Outcome::no_tpus) return;
  if (!file.is_second) {
    ++files_;
    progress_.tick(files_, "file");
    with_tpus_ += file.uses_tpus;
    unread_fragments_ += file.unread;
    if (file.may_belong) belonging_.push_back(file.path);
    if (file.uses_tpus) folders_with_tpus_.insert(std::string(folder_of(file.path)));
  }
  keep_baseline(file);
  if (file.fixed > 0 || (options_.fixer != nullptr && file.path == "-"))
    attempt([&] { fix(file); });
  if (file.refusal) attempt([&] { throw Failure(*file.refusal); });
  if (!file.is_second) compare_folder(file);
  if (compares_) folders_.hold(file.sources, file.found);
  if (!options_.writes_baseline) emit_findings(file.sources, file.found);
}

// After the last file of a folder comes what its files say of each other.
void LintBatch::compare_folder(File& file) {
  if (file.may_complete) completing_.push_back(file.path);
  folders_.has_file(file.path);
  if (file.summary == nullptr) return;
  if (!file.summary->unselected.empty()) find_base(file.path);
  emit_folder(folders_.add(file.sources[0], std::move(*file.summary)));
}

// A kustomization beside the file need not be among those that are linted.
void LintBatch::find_base(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const char* name : {"kustomization.yaml", "kustomization.yml", "Kustomization"}) {
    std::error_code ignored;
    if (std::filesystem::exists(folder / name, ignored))
      folders_.has_file((folder / name).string());
  }
}

// A file without TPUs in a folder with node pools.
std::optional<lint::AddedFile> LintBatch::complete(const std::string& path) const {
  try {
    if (path == "-") return std::nullopt;
    Source file{path, read_file(path), 1};
    if (is_binary(file.text) || !rules::is_read_for(rules::ReadFor::creates, file.text) ||
        !lint::is_readable(path, file.text))
      return std::nullopt;
    const bool is_code = extract::module_role(path) == extract::ModuleRole::code;
    const auto module = is_code ? modules_.of(std::string(folder_of(path)), named_, true) : nullptr;
    rules::FileSummary summary = lint::summarize(file, run_.knowledge.catalog, module.get());
    return lint::AddedFile{std::move(file), std::move(summary)};
  } catch (const Failure&) {
    return std::nullopt;  // was reported when it was read first
  }
}

// Files without TPUs may have Services and queues of those with them.
void LintBatch::compare_run() {
  if (!folders_.is_open()) return;
  for (const std::string& path : completing_) {
    attempt([&] {
      const Source file{path, read_file(path), 1};
      if (!rules::is_read_for(rules::ReadFor::completes, file.text) && !folders_.may_answer(file))
        return;
      emit_folder(folders_.add(file, lint::summarize(file, run_.knowledge.catalog)));
    });
  }
  emit_folder(folders_.end_of_run());
}

void LintBatch::emit_folder(std::optional<lint::Folders::Findings> folder) {
  if (!folder) return;
  std::vector<diag::Diagnostic> known = take_known(*folder);
  for (auto* findings : {&known, &folder->diagnostics}) drop_unasked(*findings);
  known_ += known.size();
  if (!options_.writes_baseline) return emit_findings(folder->sources, folder->diagnostics);
  for (const diag::Diagnostic& finding : folder->diagnostics) {
    const Source& source = folder->sources[finding.where.source];
    ++recorded_[source.name][{source, finding}];
  }
}

// Takes out what the baseline has of findings that compare files.
std::vector<diag::Diagnostic> LintBatch::take_known(lint::Folders::Findings& folder) {
  std::vector<diag::Diagnostic> known;
  if (options_.baseline == nullptr || options_.writes_baseline || options_.placement != nullptr)
    return known;
  std::erase_if(folder.diagnostics, [&](diag::Diagnostic& finding) {
    const Source& source = folder.sources[finding.where.source];
    KnownFindings& left =
        unmatched_.try_emplace(source.name, options_.baseline->of(source.name)).first->second;
    if (!take_one(left, {source, finding})) return false;
    known.push_back(std::move(finding));
    return true;
  });
  return known;
}

void LintBatch::drop_unasked(std::vector<diag::Diagnostic>& findings) const {
  diag::apply_policy(run_.policy, findings, false);
  std::erase_if(findings, [&](diag::Diagnostic& finding) {
    const bool is_listed = !finding.placement.empty();
    if (is_listed && options_.placement != nullptr) {
      options_.placement->push_back(std::move(finding));
      return true;
    }
    return (finding.level == diag::Level::note && !options_.rules.notes && !is_listed) ||
           (!options_.only.empty() && !contains(options_.only, finding.code));
  });
}

void LintBatch::emit_findings(const Sources& sources, std::span<const diag::Diagnostic> findings) {
  for (const diag::Diagnostic& finding : findings)
    ++levels_.at(static_cast<std::size_t>(finding.level));
  if (findings.empty() || options_.placement != nullptr) return;
  progress_.clear();
  show([&](auto& run, std::string& out) { diag::render_findings(run, sources, findings, out); });
}

void LintBatch::fix(const File& file) {
  const std::string& text = file.sources[0].text;
  const std::string& old = file.fixed > 0 ? file.unfixed : text;
  // The time alone does not show a change of the same moment.
  if (file.path != "-" && !options_.fixer->only_diff() && read_file(file.path) != old)
    throw file_error(fmt::format("{}: changed on disk; not fixed", file.path));
  options_.fixer->begin(file.path, file.modified);
  options_.fixer->write(old, text, file.fixed);
  options_.fixer->end(true);
}

void LintBatch::keep_baseline(const File& file) {
  Baseline* baseline = options_.baseline;
  if (baseline == nullptr) return;
  const std::string& name = file.path == "-" ? options_.stdin_name : file.path;
  baseline->judged(name);
  known_ += file.known;
  if (options_.writes_baseline) return baseline->replace(name, file.recorded);
  unmatched_[name] = file.outcome == File::Outcome::judged ? file.unmatched : baseline->of(name);
  // A file without TPUs has no findings of its own now.
  if (!file.may_belong) compared_.insert(name);
}

// Counts what the baseline has of the files of the run, and nothing found again.
void LintBatch::count_stale() {
  for (const std::string& name : compared_) {
    for (const auto& [finding, count] : unmatched_[name]) {
      const diag::Row* row = diag::find_row(finding.code);
      const bool asked = row == nullptr || options_.rules.notes || row->level != diag::Level::note;
      if (asked && (row == nullptr || options_.only.empty() || contains(options_.only, row->code)))
        stale_ += count;
    }
  }
}

std::string LintBatch::counted_findings() const {
  std::vector<std::string> parts;
  for (const auto& [number, noun] :
       {std::pair(levels_[0] + levels_[1], "error"), std::pair(levels_[2], "warning"),
        std::pair(levels_[3], "note")}) {
    if (number > 0) parts.push_back(counted(number, noun));
  }
  return text::join(parts, ", ");
}

int LintBatch::status() const {
  const std::size_t errors = levels_[static_cast<std::size_t>(diag::Level::error)] +
                             levels_[static_cast<std::size_t>(diag::Level::soft)];
  return std::max<int>(status_, errors > 0 ? findings : fine);
}

void LintBatch::end() {
  const auto list = [](std::initializer_list<std::pair<std::size_t, std::string>> counts) {
    std::vector<std::string> parts;
    for (const auto& [number, text] : counts) {
      if (number > 0) parts.push_back(text);
    }
    return text::join(parts, ", ");
  };
  const auto entry = [](std::size_t number, std::string_view noun) {
    return std::pair(number, counted(number, noun));
  };
  const auto plain = [](std::size_t number, std::string_view what) {
    return std::pair(number, fmt::format("{} {}", number, what));
  };
  const std::string findings = counted_findings();
  const std::string unread =
      list({entry(unread_fragments_, "fragment"), entry(unread_files_, "file")});
  const std::string left_out =
      list({plain(left_out_.ignored, "ignored by git"), plain(left_out_.excluded, "excluded"),
            plain(left_out_.hidden, "hidden"), entry(specs_, "spec"), plain(large_, "over 1 MiB"),
            plain(binary_, "binary"), plain(others_, "of other types")});
  Baseline* baseline = options_.baseline;
  count_stale();
  std::string line = fmt::format("{}, {} with TPUs: ", counted(files_, "file"), with_tpus_);
  if (options_.writes_baseline) {
    for (const auto& [name, recorded] : recorded_) baseline->add(name, recorded);
    baseline->drop_gone();
    baseline->write();
    line += fmt::format("{} of {} written to {}", counted(baseline->size(), "finding"),
                        counted(baseline->files(), "file"), baseline->path());
  } else {
    if (baseline != nullptr) stale_ += baseline->drop_gone();
    line += findings.empty() ? "no findings" : findings;
  }
  if (!unread.empty()) line += fmt::format("; {} not read", unread);
  if (known_ > 0) line += fmt::format("; {} hidden by the baseline", known_);
  if (stale_ > 0) line += fmt::format("; {} stale in the baseline", stale_);
  if (!left_out.empty()) line += fmt::format("; left out: {}", left_out);
  print_refusal(left_out_);
  print_error(line + "\n");
}

}  // namespace flexslice::cli
