#include "cli/run/batch.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lines.hpp"
#include "base/ordered_parallel.hpp"
#include "base/text.hpp"
#include "cli/files/documents.hpp"
#include "diag/fix.hpp"

namespace flexslice::cli {

namespace {

// One thread takes so much at a time: enough to be worth the switch, small enough to need little
// memory.
constexpr std::size_t chunk_documents = 8, chunk_bytes = 65536;

}  // namespace

struct Batch::InputFile {
  const std::string& path;
  std::optional<Failure> failure;  // why it was not read; known once its last piece is read
  std::optional<Failure> refusal;  // why it may not be fixed
  bool fix = false;
  std::int64_t modified = 0;  // with `fix`: before it was read
};

// A document, text around documents, or the end of a file.
struct Batch::Piece {
  std::shared_ptr<InputFile> file;
  Source source{};
  bool document = false, last = false;

  std::vector<Compiled> compiled{};
  std::string unfixed{};  // the text before it was fixed
  std::size_t fixed = 0;
  int more_lines = 0;  // by fixes
};

// Reads the files one after the other.
class Batch::Feed {
 public:
  Feed(std::span<const SpecFile> files, const Fixer* fixer) : files_(files), fixer_(fixer) {}

  // The next chunk, or nothing at the end.
  std::optional<std::vector<Piece>> next() {
    std::vector<Piece> chunk;
    std::size_t documents = 0, bytes = 0;
    while (documents < chunk_documents && bytes < chunk_bytes && (file_ || !files_.empty())) {
      if (!file_) open();
      chunk.push_back(piece());
      documents += chunk.back().document ? 1 : 0;
      bytes += chunk.back().source.text.size();
    }
    if (chunk.empty()) return std::nullopt;
    return chunk;
  }

 private:
  void open() {
    const SpecFile& file = files_.front();
    files_ = files_.subspan(1);
    file_ = std::make_shared<InputFile>(InputFile{file.path, file.failure, {}, false, 0});
    if (fixer_ != nullptr && !file.failure) {
      file_->refusal = fixer_->refusal(file.path);
      file_->fix = !file_->refusal;
      file_->modified = modified_at(file.path);
    }
  }

  Piece piece() {
    try {
      if (!reader_ && !file_->failure) reader_.emplace(file_->path, file_->fix);
      auto part = reader_ ? reader_->next() : std::nullopt;
      if (part)
        return {.file = file_, .source = std::move(part->source), .document = part->document};
    } catch (const Failure& failure) {
      file_->failure = failure;
    }
    reader_.reset();
    return {.file = std::move(file_), .last = true};
  }

  std::span<const SpecFile> files_;  // still to be read
  const Fixer* fixer_;
  std::shared_ptr<InputFile> file_;
  std::optional<DocumentReader> reader_;
};

Batch::Batch(const Run& run, void (*say)(std::string_view), bool shows_results)
    : run_(run), hint_(run), say_(say), progress_(shows_results) {
  rendering_.options = run.render;
}

// Runs on any thread.
void Batch::work(Piece& piece, const BatchOptions& options) const {
  const auto spec = static_cast<std::uint32_t>(run_.defaults.size());
  const int lines = piece.file->fix ? text::line_breaks(piece.source.text) : 0;
  for (int round = 0;; ++round) {
    const Sources sources = layered(run_.setting(), std::move(piece.source));
    piece.compiled = compile_document(run_.setting(), sources, options.compile, options.jobs);
    piece.source = sources[spec];
    if (!piece.file->fix || round == diag::max_fix_rounds) break;
    auto specs = piece.compiled;
    diag::Fixed fixed = diag::apply_fixes(piece.source.text, spec, take_findings(specs));
    if (fixed.applied == 0) break;
    if (piece.fixed == 0) piece.unfixed = piece.source.text;
    piece.fixed += fixed.applied;
    piece.source.text = std::move(fixed.text);
  }
  if (piece.file->fix) piece.more_lines = text::line_breaks(piece.source.text) - lines;
}

template <class Action>
void Batch::attempt(Action action) {
  try {
    action();
  } catch (const Failure& failure) {
    progress_.clear();
    status_ = std::max(status_, report(failure));
  }
}

void Batch::find_conflict(Piece& piece, const BatchOptions& options) {
  if (!options.conflicts) return;
  const std::string_view file =
      piece.file->path == "-" ? "<stdin>" : std::string_view(piece.file->path);
  for (Compiled& compiled : piece.compiled) {
    if (!compiled.ok) continue;
    add_to_run(specs_, file, piece.source, compiled);
    ended_ = ended_ || (options.ends_at_conflict && !compiled.ok);
  }
}

void Batch::emit_document(Piece& piece, const BatchOptions& options) {
  const int line = piece.source.first_line += line_shift_;
  find_conflict(piece, options);
  std::vector<diag::Diagnostic> diagnostics = take_findings(piece.compiled);
  // All specs have the same fault where `--set` or the defaults have it; it is said once.
  std::erase_if(diagnostics, [&](const diag::Diagnostic& finding) {
    const Span& where = finding.where;
    std::string text = finding.message;
    for (const std::string& note : finding.notes) text += "\n" + note;
    const bool is_of_spec =
        where.source == run_.defaults.size() ||
        std::ranges::any_of(finding.related, [&](const diag::Related& related) {
          return related.where.source == run_.defaults.size() && related.where != Span{};
        });
    return !is_of_spec && !shared_.emplace(where, std::move(text)).second;
  });
  hint_.add_to(diagnostics, piece.file->path, piece.source);
  ++(piece.compiled.front().ok ? good_ : bad_);
  progress_.tick(good_ + bad_, "spec");
  line_shift_ += piece.more_lines;
  fixable_ = fixable_ || std::any_of(diagnostics.begin(), diagnostics.end(),
                                     [](const auto& finding) { return !finding.fixes.empty(); });
  if (piece.file->fix)
    attempt([&] {
      options.fixer->write(piece.fixed > 0 ? piece.unfixed : piece.source.text, piece.source.text,
                           piece.fixed);
    });
  if (!diagnostics.empty()) {
    progress_.clear();
    std::string text;
    diag::render_findings(rendering_, layered(run_.setting(), std::move(piece.source)), diagnostics,
                          text);
    say_(text);
  }
  if (options.document)
    for (Compiled& compiled : piece.compiled)
      attempt([&] { options.document({std::move(compiled), piece.file->path, line}); });
}

void Batch::judge_run() {
  for (auto& [source, finding] : specs_.late_findings()) {
    std::vector<diag::Diagnostic> findings{std::move(finding)};
    diag::apply_policy(run_.policy, findings);
    between_ += diag::errors(findings);
    if (between_ > 0) status_ = std::max<int>(status_, cli::findings);
    std::string text;
    diag::render_findings(rendering_, layered(run_.setting(), std::move(source)), findings, text);
    say_(text);
  }
}

void Batch::emit_end(InputFile& file, const BatchOptions& options) {
  if (file.fix) attempt([&] { options.fixer->end(!file.failure); });
  if (file.failure) ++unread_;
  if (!file.failure && fixable_) file.failure = file.refusal;
  if (file.failure) attempt([&] { throw Failure(*file.failure); });
}

void Batch::emit(Piece& piece, const BatchOptions& options) {
  if (piece.file != current_) {
    current_ = piece.file;
    line_shift_ = 0;
    fixable_ = false;
    if (current_->fix) options.fixer->begin(current_->path, current_->modified);
  }
  if (piece.last) {
    emit_end(*piece.file, options);
  } else if (piece.document) {
    emit_document(piece, options);
  } else {
    attempt([&] { options.fixer->write(piece.source.text, piece.source.text, 0); });
  }
}

void Batch::files(std::span<const SpecFile> files, const BatchOptions& options) {
  using Chunk = std::vector<Piece>;
  Feed feed(files, options.fixer);
  ordered_parallel(
      options.jobs, [&] { return feed.next(); },
      [&](Chunk& chunk) {
        for (Piece& piece : chunk) {
          if (piece.document) work(piece, options);
        }
      },
      [&](Chunk& chunk) {
        for (Piece& piece : chunk) {
          emit(piece, options);
          if (ended_ || !stdout_works()) return false;
        }
        return true;
      });
  progress_.clear();
  judge_run();
}

void Batch::begin() {
  std::string text;
  diag::render_begin(rendering_, text);
  say_(text);
}

void Batch::end() {
  std::string text;
  diag::render_end(rendering_, text);
  say_(text);
}

int Batch::status() const { return std::max<int>(status_, bad_ > 0 ? findings : fine); }

void Batch::summary(std::size_t skipped, Single single) const {
  const bool one_is_fine = single == Single::said && good_ == 1 && status_ == fine;
  if (good_ + bad_ + unread_ < 2 && skipped == 0 && !one_is_fine) return;
  std::string line = fmt::format("{} fine", text::count(static_cast<std::int64_t>(good_), "spec"));
  if (good_ + bad_ + unread_ + skipped > 1) line += fmt::format(", {} with errors", bad_);
  if (between_ > 0)
    line += fmt::format(", {} between specs",
                        text::count(static_cast<std::int64_t>(between_), "error"));
  if (ended_) line += ", the rest not compiled";
  if (unread_ > 0)
    line += fmt::format(", {} not read", text::count(static_cast<std::int64_t>(unread_), "file"));
  if (skipped > 0)
    line += fmt::format(", {} without `apiVersion: flexslice/v1` skipped",
                        text::count(static_cast<std::int64_t>(skipped), "file"));
  print_error(line + "\n");
}

}  // namespace flexslice::cli
