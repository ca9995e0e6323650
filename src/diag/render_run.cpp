#include <array>

#include "diag/render.hpp"
#include "diag/render_parts.hpp"

namespace flexslice::diag {

namespace {

// In the order of `enum class Format`.
constexpr std::array<std::string_view, 5> names = {"text", "short", "json", "sarif", "github"};

const FormatRow& row_of(Format format) {
  static constexpr std::array<const FormatRow*, 5> formats = {&text_format, &brief_format, &json_format, &sarif_format, &github_format};
  return *formats[static_cast<std::size_t>(format)];
}

bool for_people(Format format) { return format == Format::text || format == Format::brief; }

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Format>(i);
  }
  return std::nullopt;
}

std::span<const std::string_view> format_names() { return names; }

void render_begin(Rendering& run, std::string& out) { row_of(run.options.format).begin(run, out); }

void render_findings(Rendering& run, const Sources& sources, std::span<const Diagnostic> findings, std::string& out) {
  const FormatRow& format = row_of(run.options.format);
  Locator locator(sources);
  for (const Diagnostic& finding : findings) {
    if (for_people(run.options.format) && run.shown == shown_findings) {
      ++run.hidden;
      continue;
    }
    format.finding(run, sources, locator, finding, out);
    ++run.shown;
  }
}

void render_end(Rendering& run, std::string& out) { row_of(run.options.format).end(run, out); }

std::string render(const RenderOptions& options, const Sources& sources, std::span<const Diagnostic> findings) {
  Rendering run{options};
  std::string out;
  render_begin(run, out);
  render_findings(run, sources, findings, out);
  render_end(run, out);
  return out;
}

}  // namespace flexslice::diag
