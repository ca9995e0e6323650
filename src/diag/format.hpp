// Formats of findings share these functions, which find the position and write the whole message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/source.hpp"
#include "diag/diag.hpp"
#include "diag/render.hpp"

namespace flexslice::diag {

struct Place {
  std::string_view file;  // empty: the finding belongs to no input
  std::optional<Position> begin,
      end;  // nothing: it belongs to the file as a whole, or to the command line

  // Programs can open the file; not so `--set`.
  bool is_file() const { return !file.empty() && !file.starts_with("--"); }
};

// Finds places, and keeps the line index of the source that was asked for last.
class Locator {
 public:
  explicit Locator(const Sources& sources) : sources_(sources) {}

  Place place(Span span);
  Place place(const Related& related);
  const Sources& sources() const { return sources_; }

 private:
  const Sources& sources_;
  std::optional<std::uint32_t> indexed_;  // the source that index_ is of
  std::optional<LineIndex> index_;
};

// For callers that take the findings about some sources one by one.
void render_finding(Rendering& run, Locator& locator, const Diagnostic& finding, std::string& out);

std::string_view level_text(Level level);  // `error` or `warning`

std::string place_text(const Place& place);  // `FILE:LINE:COLUMN`, as far as it is known
// The notes, then the related places as notes.
std::vector<std::string> all_notes(Locator& locator, const Diagnostic& finding);

// The message, and after it each note and help on a line of its own; what is not of a file is
// named first.
std::string whole_message(Locator& locator, const Diagnostic& finding);

// One format: what it writes for each finding, before all and after all.
struct FormatRow {
  void (*finding)(const Rendering&, Locator&, const Diagnostic&, std::string& out);
  void (*begin)(std::string_view version, std::string& out) = [](std::string_view, std::string&) {};
  void (*end)(const Rendering&, std::string& out) = [](const Rendering&, std::string&) {};
};

extern const FormatRow text_format, brief_format, json_format, sarif_format, github_format;

}  // namespace flexslice::diag
