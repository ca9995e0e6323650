#include "cli/batch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cxxopts.hpp>
#include <memory>
#include <thread>

#include "base/text.hpp"
#include "cli/batch_pipeline.hpp"
#include "cli/cli.hpp"
#include "cli/documents.hpp"
#include "cli/io.hpp"
#include "cli/io_write.hpp"
#include "diag/fix.hpp"

namespace flexslice::cli {

namespace {

// What one thread takes at a time: enough to be worth the way, little enough to keep memory small.
constexpr std::size_t chunk_documents = 8, chunk_items = 64, chunk_bytes = 65536;
// Fixes may uncover others, but two that undo one another must come to an end.
constexpr int max_rounds = 10;

int lines_of(std::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

// A document, or what stands around documents.
struct Batch::Item {
  enum class What { begin, document, other, end } what = What::document;
  const SpecFile* file = nullptr;
  std::optional<Failure> failure;  // of `end`: why it was not read
  std::optional<Failure> refusal;  // of `end`: why it may not be mended
  Source source{};            // of a document: after `work` only when there are findings or fixes
  bool fix = false;           // whether the file may be mended
  std::int64_t modified = 0;  // of `begin`

  Compiled compiled{};
  std::size_t fixed = 0;
  int more_lines = 0;  // by fixes
};

// Reads the files one after the other into chunks.
class Batch::Feed {
 public:
  Feed(std::span<const SpecFile> files, const BatchOptions& options)
      : files_(files), options_(options) {}

  bool operator()(Chunk& chunk) {
    std::size_t documents = 0, bytes = 0;
    while (documents < chunk_documents && bytes < chunk_bytes && chunk.size() < chunk_items) {
      if (!reader_ && !open(chunk)) break;
      auto part = reader_->next();
      if (!part) {
        close(chunk, reader_->failed());
        continue;
      }
      documents += part->document ? 1 : 0;
      bytes += part->source.text.size();
      Item item = here(part->document ? Item::What::document : Item::What::other);
      item.source = std::move(part->source);
      chunk.push_back(std::move(item));
    }
    return !chunk.empty();
  }

 private:
  Item here(Item::What what) const {
    Item item;
    item.what = what;
    item.file = &files_[at_];
    item.fix = fix_;
    return item;
  }

  // The next file that can be read.
  bool open(Chunk& chunk) {
    for (; at_ < files_.size(); ++at_) {
      const SpecFile& file = files_[at_];
      refusal_.reset();
      if (!file.failure && options_.fix) refusal_ = options_.fix(file.path);
      fix_ = !file.failure && options_.fix && !refusal_;
      chunk.push_back(here(Item::What::begin));
      if (fix_) chunk.back().modified = modified_at(file.path);
      if (!file.failure) {
        reader_ = std::make_unique<DocumentReader>(file.path, fix_);
        return true;
      }
      chunk.push_back(here(Item::What::end));
      chunk.back().failure = file.failure;
    }
    return false;
  }

  void close(Chunk& chunk, const std::optional<Failure>& failure) {
    chunk.push_back(here(Item::What::end));
    chunk.back().failure = failure;
    chunk.back().refusal = refusal_;
    reader_.reset();
    ++at_;
  }

  std::span<const SpecFile> files_;
  const BatchOptions& options_;
  std::size_t at_ = 0;
  bool fix_ = false;
  std::optional<Failure> refusal_;
  std::unique_ptr<DocumentReader> reader_;
};

Batch::Batch(const Run& run, bool speaks) : run_(run), progress_(speaks) {
  rendering_.options = run.render;
}

// The spec stands behind the defaults, before the sets.
Sources Batch::sources_of(Source source) const {
  Sources sources;
  for (const Source& layer : run_.defaults) sources.add(layer);
  sources.add(std::move(source));
  for (const Source& layer : run_.sets) sources.add(layer);
  return sources;
}

Compiled Batch::compile_once(const Sources& sources, const CompileOptions& options) const {
  const auto spec = static_cast<std::uint32_t>(run_.defaults.size());
  Input input{sources, spec, {}, {}};
  for (std::uint32_t i = 0; i < spec; ++i) input.defaults.push_back(i);
  for (std::uint32_t i = spec + 1; i < sources.size(); ++i) input.sets.push_back(i);
  Compiled compiled = compile(input, run_.knowledge.catalog, run_.knowledge.templates, options);
  diag::apply_policy(run_.policy, compiled.diagnostics);
  if (diag::count(compiled.diagnostics).errors > 0) compiled.ok = false;
  return compiled;
}

// On any thread.
void Batch::work(Item& item, const BatchOptions& options) const {
  const auto spec = static_cast<std::uint32_t>(run_.defaults.size());
  const int lines = item.fix ? lines_of(item.source.text) : 0;
  for (int round = 0;; ++round) {
    const Sources sources = sources_of(std::move(item.source));
    item.compiled = compile_once(sources, options.compile);
    const bool keep = item.fix || !item.compiled.diagnostics.empty();
    item.source = keep ? sources[spec] : Source{{}, {}, sources[spec].first_line};
    if (!item.fix || round == max_rounds) break;
    diag::Fixed fixed = diag::apply_fixes(item.source.text, spec, item.compiled.diagnostics);
    if (fixed.applied == 0) break;
    item.fixed += fixed.applied;
    item.source.text = std::move(fixed.text);
  }
  if (item.fix) item.more_lines = lines_of(item.source.text) - lines;
}

int Batch::consume_document(Item& item, const Visitor& visitor) {
  ++(item.compiled.ok ? good_ : bad_);
  progress_.tick(good_ + bad_);
  const int line = item.source.first_line += line_shift_;
  line_shift_ += item.more_lines;
  for (const diag::Diagnostic& finding : item.compiled.diagnostics)
    fixable_ = fixable_ || !finding.fixes.empty();
  Checked checked{std::move(item.compiled),
                  {},
                  item.file->path,
                  line,
                  item.fix ? item.source.text : std::string(),
                  item.fixed};
  if (!checked.compiled.diagnostics.empty()) {
    progress_.clear();
    diag::render_findings(rendering_, sources_of(std::move(item.source)),
                          checked.compiled.diagnostics, checked.findings);
  }
  return visitor.document(checked);
}

int Batch::consume_end(Item& item, const Visitor& visitor) {
  const int status = item.fix ? visitor.end(!item.failure) : fine;
  if (item.failure) ++unread_;
  if (!item.failure && item.refusal && fixable_) item.failure = item.refusal;
  if (!item.failure) return status;
  progress_.clear();
  return file_error(item.failure->message);
}

int Batch::consume(Item& item, const Visitor& visitor) {
  switch (item.what) {
    case Item::What::begin:
      line_shift_ = 0;
      fixable_ = false;
      return item.fix ? visitor.begin(item.file->path, item.modified) : fine;
    case Item::What::document:
      return consume_document(item, visitor);
    case Item::What::other:
      return visitor.other(item.source.text);
    case Item::What::end:
      return consume_end(item, visitor);
  }
  return fine;
}

int Batch::files(std::span<const SpecFile> files, const BatchOptions& options,
                 const Visitor& visitor) {
  int status = fine;
  Feed feed(files, options);
  const auto produce = [&](Chunk& chunk) { return feed(chunk); };
  const auto each = [&](Chunk& chunk) {
    for (Item& item : chunk) {
      if (item.what == Item::What::document) work(item, options);
    }
  };
  const auto take = [&](Chunk& chunk) {
    for (Item& item : chunk) {
      status = std::max(status, consume(item, visitor));
      if (!stdout_works()) return false;
    }
    return true;
  };
  Pipeline<Chunk>(options.jobs, produce, each, take).run();
  progress_.clear();
  return status;
}

int Batch::file(const std::string& path, const CompileOptions& options,
                const std::function<int(const Checked&)>& each) {
  const SpecFile file{path, std::nullopt};
  BatchOptions batch;
  batch.compile = options;
  Visitor visitor;
  visitor.document = each;
  return files({&file, 1}, batch, visitor);
}

std::string Batch::begin() {
  std::string out;
  diag::render_begin(rendering_, out);
  return out;
}

std::string Batch::end() {
  std::string out;
  diag::render_end(rendering_, out);
  return out;
}

int Batch::status() const { return bad_ > 0 ? findings : fine; }

void Batch::summary() const {
  if (good_ + bad_ + unread_ < 2) return;
  std::string line = fmt::format("{} fine, {} with errors",
                                 text::count(static_cast<std::int64_t>(good_), "spec"), bad_);
  if (unread_ > 0)
    line += fmt::format(", {} not read", text::count(static_cast<std::int64_t>(unread_), "file"));
  print_error(line + "\n");
}

void add_batch(cxxopts::Options& options) {
  options.add_options()("j,jobs", "threads; all cores unless given", cxxopts::value<std::string>(),
                        "N")("only-specs", "pass over files that are no flexslice specs");
}

std::optional<int> read_batch(const cxxopts::ParseResult& parsed, BatchWords& words) {
  words.only_specs = parsed.count("only-specs") > 0;
  const std::string jobs = value_of(parsed, "jobs");
  const auto number = text::whole_number(jobs);
  if (!jobs.empty() && (!number || *number < 1 || *number > 1024))
    return wrong_usage(fmt::format("--jobs is 1 to 1024, not `{}`", jobs));
  words.jobs =
      number ? static_cast<unsigned>(*number) : std::max(1u, std::thread::hardware_concurrency());
  return std::nullopt;
}

}  // namespace flexslice::cli
