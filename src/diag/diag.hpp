// Diagnostics as values: the rows of diagnostics.yaml, one finding, and the sink that collects
// them. parse, decode and resolve take a Sink; the renderers read what it holds. The sink says
// why, an optional says whether. The build makes codes.inl of the rows.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.hpp"
#include "base/text.hpp"
#include "base/words.hpp"

namespace flexslice::diag {

// How a finding counts. A `soft` row is an error that `--allow` can lower, because the fact behind
// it is not certain. A note is worth knowing and never wrong: `lint` shows it when asked.
enum class Level : std::uint8_t { error, soft, warning, note };

enum class Code : std::uint16_t {
#define FS_CODE(name, number, level, values, of_run) name = number,
#include "diag/codes.inl"
#undef FS_CODE
};

struct Row {
  Code code;
  Level level;
  std::uint8_t values;  // that a finding puts into the message
  bool of_run;          // the files of a run are compared to find it, after each was read

  // In texts.cpp, so that a changed word rebuilds one file.
  std::string_view name() const;         // the enumerator, `UnknownTopology`
  std::string_view message() const;      // with `{name}` for each value
  std::string_view explanation() const;  // printed by `flexslice explain FS3002`; Markdown
};

inline constexpr Row rows[] = {
#define FS_CODE(name, number, level, values, of_run) Row{Code::name, Level::level, values, of_run},
#include "diag/codes.inl"
#undef FS_CODE
};

constexpr const Row& row(Code code) {
  for (const Row& each : rows) {
    if (each.code == code) return each;
  }
  return rows[0];
}

// `FS3002`.
std::string code_text(Code code);
// The row named by `FS3002`, `fs3002` or `3002`, or null. A number that was merged into another
// names that row.
const Row* find_row(std::string_view text);
// The numbers that were merged into it: `FS5001`.
std::vector<std::string> earlier_codes(Code code);
// The message with the names of its values, `<topology>`, in their places.
std::string summary(const Row& row);
// The message with these values, in order.
std::string message(Code code, std::span<const std::string> values);

// How sure a fact is: `high` is GKE's own code or two independent sources, `medium` one, `low`
// second-hand.
enum class Confidence : std::uint8_t { low, medium, high };
constexpr auto words(Confidence) { return word_list("low", "medium", "high"); }

// Replaces the bytes of `where` by `text`. Attached only when the fix is certain.
struct Edit {
  Span where;
  std::string text;
};

// Tokens and private keys in the texts of a finding are masked when they are added.

// A second place that a finding is about, and what is there.
struct Related {
  std::string text;
  Span where = {};
  // A note may be about a place outside of the sources of the finding, such as an earlier spec of
  // the run; `where` says nothing then.
  std::string file = {};
  Position position = {};
};

// A finding says that nobody has this: an object, or `Elsewhere::nodes`, `pods` or `binding`.
struct Elsewhere {
  static constexpr std::string_view nodes = "nodes";      // for the pods that `name` tells
  static constexpr std::string_view pods = "pods";        // with these labels
  static constexpr std::string_view binding = "binding";  // `name`: ACCOUNT NAMESPACE/NAME
  std::string kind, name = {};
  std::string name_space = {};  // empty: any, or of no namespace
  std::vector<std::pair<std::string, std::string>> labels = {};
};

struct Diagnostic {
  Code code;
  Level level;
  Span where;
  std::string message;
  std::vector<std::string> notes;  // `= note:` the facts and the arithmetic
  std::vector<std::string> helps;  // `= help:` what to do
  std::vector<Edit> fixes;
  std::vector<Related> related = {};  // `= note: FILE:LINE:COLUMN: …`
  std::vector<Edit> choices = {};     // each is a way out that a person may choose in an editor
  // The same for programs, by name: where pods are placed.
  std::vector<std::pair<std::string, std::string>> placement = {};
  // Nothing is wrong if another file of the run has one of these.
  std::vector<Elsewhere> unless = {};

  Diagnostic& note(std::string text);
  Diagnostic& help(std::string_view text);  // nothing when it is empty
  template <class First, class... Rest>
  Diagnostic& note(fmt::format_string<const First&, const Rest&...> text, const First& first,
                   const Rest&... rest) {
    return note_formatted(text, fmt::make_format_args(first, rest...));
  }
  template <class First, class... Rest>
  Diagnostic& help(fmt::format_string<const First&, const Rest&...> text, const First& first,
                   const Rest&... rest) {
    return help_formatted(text, fmt::make_format_args(first, rest...));
  }
  Diagnostic& fix(Span at, std::string text);
  Diagnostic& choice(Span at, std::string text);
  Diagnostic& also(Span at, std::string text);
  Diagnostic& also(std::string file, Position at, std::string text);
  // The fixes that are shown: none where a text has a token, since they belong together.
  std::span<const Edit> shown_fixes() const;
  // Sets the level by how sure the fact behind this finding is.
  Diagnostic& judged(Confidence confidence);

  // `note` and `help` above: the text is made here, since callers would hold code to destroy it.
  Diagnostic& note_formatted(fmt::string_view text, fmt::format_args values);
  Diagnostic& help_formatted(fmt::string_view text, fmt::format_args values);
};

std::size_t errors(std::span<const Diagnostic> findings);  // soft ones included

// The span of anything that has one: a claim, a node, or a span itself.
template <class At>
Span span_of(const At& at) {
  if constexpr (requires { at.where.span; }) {
    return at.where.span;
  } else if constexpr (requires { at.span; }) {
    return at.span;
  } else {
    return at;
  }
}

class Sink {
 public:
  // `at` is anything that has a span.
  template <Code C, class At = Span, class... Args>
  Diagnostic& report(const At& at, const Args&... args) {
    static_assert(sizeof...(Args) == row(C).values);
    return report_values(C, span_of(at), fmt::make_format_args(args...));
  }
  // Takes the values of the message in their order.
  Diagnostic& report_values(Code code, Span where, fmt::format_args values);
  // A finding of another sink.
  Diagnostic& add(Diagnostic finding) { return found_.emplace_back(std::move(finding)); }

  // Errors so far, soft ones included.
  std::size_t errors() const { return diag::errors(found_); }
  // Errors that nothing can lower. Passes go on as long as there are none of these.
  std::size_t hard_errors() const;
  // In order of place, at most one for the same code at the same place.
  std::vector<Diagnostic> take();
  std::span<const Diagnostic> found() const { return found_; }
  // Gives those that were added after there were so many.
  std::span<Diagnostic> since(std::size_t count) { return std::span(found_).subspan(count); }
  // To say more of it; null where there is none.
  Diagnostic* find(Code code, Span where) {
    const auto is_it = [&](const Diagnostic& each) {
      return each.code == code && each.where == where;
    };
    const auto found = std::ranges::find_if(found_, is_it);
    return found == found_.end() ? nullptr : &*found;
  }

 private:
  std::vector<Diagnostic> found_;
};

// The commonest help line: nothing when no candidate is near.
void did_you_mean(Diagnostic& diagnostic, std::string_view seen,
                  std::span<const std::string_view> candidates);

}  // namespace flexslice::diag
