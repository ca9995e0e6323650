// Turns diagnostics into what people and programs read: text, short lines, JSON, SARIF, GitHub's
// workflow commands. Nothing of the user's text reaches a terminal as a control character, and all
// output is valid UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/source.hpp"
#include "diag/diag.hpp"

namespace flexslice::diag {

// With their words on the command line.
enum class Format : std::uint8_t { text, brief, json, sarif, github };
constexpr auto words(Format) { return word_list("text", "short", "json", "sarif", "github"); }

// The formats for people (text, brief) show this many findings of a run and count the rest, unless
// the caller wants another limit.
inline constexpr std::size_t shown_findings = 50;

struct RenderOptions {
  Format format = Format::text;
  bool color = false;        // of text and brief; the others have none
  std::string_view version;  // the program's, for SARIF; left out when empty
  std::size_t limit = shown_findings;
  bool short_notes = false;  // in text, a note is a line without an excerpt
};

// The state of one run. Every function appends to `out`, which the caller may write and clear
// whenever it likes.
struct Rendering {
  RenderOptions options;
  std::size_t shown = 0;
  std::size_t hidden = 0;
  Level last = Level::error;  // of what was shown last
};

void render_begin(Rendering& run, std::string& out);
void render_findings(Rendering& run, const Sources& sources, std::span<const Diagnostic> findings,
                     std::string& out);
void render_end(Rendering& run, std::string& out);

// The three in one, for callers that have everything at hand.
std::string render(const RenderOptions& options, const Sources& sources,
                   std::span<const Diagnostic> findings);

}  // namespace flexslice::diag
