#include "diag/render.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "diag/format.hpp"

namespace flexslice::diag {

namespace {

// In the order of `enum class Format`.
constexpr std::array<const FormatRow*, 5> formats = {&text_format, &brief_format, &json_format,
                                                     &sarif_format, &github_format};

const FormatRow& format_row(const Rendering& run) {
  return *formats[static_cast<std::size_t>(run.options.format)];
}

}  // namespace

Place Locator::place(Span span) {
  if (span.source >= sources_.size()) return {};
  const Source& source = sources_[span.source];
  // `--set` and its kind: the text is an argument, and a line in it means nothing to anybody.
  if (source.text.empty() || source.name.starts_with("--")) return {source.name, {}, {}};
  if (indexed_ != span.source) index_.emplace(source);
  indexed_ = span.source;
  return {source.name, index_->position(span.begin),
          index_->position(std::max(span.begin, span.end))};
}

Place Locator::place(const Related& related) {
  if (related.file.empty()) return place(related.where);
  return {related.file, related.position, related.position};
}

std::string_view level_text(Level level) {
  return level == Level::note ? "note" : level == Level::warning ? "warning" : "error";
}

std::string place_text(const Place& place) {
  std::string text(place.file.empty() ? "flexslice" : place.file);
  if (place.begin) text += fmt::format(":{}:{}", place.begin->line, place.begin->column);
  return text;
}

std::vector<std::string> all_notes(Locator& locator, const Diagnostic& finding) {
  std::vector<std::string> notes = finding.notes;
  for (const Related& related : finding.related)
    notes.push_back(fmt::format("{}: {}", place_text(locator.place(related)), related.text));
  return notes;
}

std::string whole_message(Locator& locator, const Diagnostic& finding) {
  const Place place = locator.place(finding.where);
  const bool named = !place.file.empty() && !place.is_file();
  std::string whole = named ? fmt::format("{}: ", place.file) : "";
  whole += finding.message;
  for (const std::string& note : all_notes(locator, finding)) whole += "\nnote: " + note;
  for (const std::string& help : finding.helps) whole += "\nhelp: " + help;
  return whole;
}

void render_begin(Rendering& run, std::string& out) {
  format_row(run).begin(run.options.version, out);
}

void render_finding(Rendering& run, Locator& locator, const Diagnostic& finding, std::string& out) {
  const bool for_people = run.options.format == Format::text || run.options.format == Format::brief;
  if (for_people && run.shown == run.options.limit) {
    ++run.hidden;
    return;
  }
  format_row(run).finding(run, locator, finding, out);
  run.last = finding.level;
  ++run.shown;
}

void render_findings(Rendering& run, const Sources& sources, std::span<const Diagnostic> findings,
                     std::string& out) {
  Locator locator(sources);
  for (const Diagnostic& finding : findings) render_finding(run, locator, finding, out);
}

void render_end(Rendering& run, std::string& out) { format_row(run).end(run, out); }

std::string render(const RenderOptions& options, const Sources& sources,
                   std::span<const Diagnostic> findings) {
  Rendering run{options};
  std::string out;
  render_begin(run, out);
  render_findings(run, sources, findings, out);
  render_end(run, out);
  return out;
}

}  // namespace flexslice::diag
