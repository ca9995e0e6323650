#include "extract/notebook.hpp"

#include <algorithm>
#include <string_view>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/scalar_text.hpp"
#include "yaml/parse.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

void append_source(const Excerpt& notebook, const yaml::Node& source, Excerpt& cell) {
  for (const yaml::Node& item : source.items) append_source(notebook, item, cell);
  const Excerpt text = text_of_scalar(notebook, source);
  if (!text.segments.empty()) append_bytes(cell, text, 0, text.text.size());
}

// Python fills in `{name}`, with as many bytes here.
void blank_braces(std::string& text) {
  for (size_t at = 0; (at = text.find('{', at)) != std::string::npos; ++at) {
    const size_t end = text.find('}', at);
    if (end == std::string::npos || (at > 0 && text[at - 1] == '$') || text.find('\n', at) < end)
      continue;
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(at) + 1,
              text.begin() + static_cast<std::ptrdiff_t>(end) + 1, 'X');
    text[at] = '$';
  }
}

// The bytes before the command in a line such as `!gcloud …` or `out = !gcloud …`; 0: it has none.
size_t before_command(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t");
  if (first == line.npos) return 0;
  std::string_view rest = line.substr(first);
  for (std::string_view magic : {"%sx ", "%system "}) {
    if (rest.starts_with(magic)) return first + magic.size();
  }
  if (rest.starts_with('!')) return first + (rest.starts_with("!!") ? 2 : 1);
  const size_t mark = rest.find("= !");
  const std::string_view name = rest.substr(0, std::min(mark, rest.size()));
  const bool is_assigned =
      mark != rest.npos && std::ranges::all_of(text::trim(name), ascii::is_word);
  return is_assigned ? first + mark + 3 : 0;
}

// The lines for a shell. Each is a shell of its own.
Excerpt shell_lines(const Excerpt& cell) {
  Excerpt script;
  const std::string_view text = cell.text;
  bool goes_on = false;
  for (size_t at = 0; at < text.size();) {
    const size_t next = text::next_line(text, at);
    const std::string_view line = text.substr(at, text::line_end(text, at) - at);
    const size_t skipped = before_command(line);
    if (skipped > 0 && !goes_on) script.shells.push_back(script.text.size());
    if (goes_on || skipped > 0) append_bytes(script, cell, at + (goes_on ? 0 : skipped), next);
    goes_on = (goes_on || skipped > 0) && line.ends_with('\\');
    at = next;
  }
  blank_braces(script.text);
  // Python fills in `$name` from its own variables, and `%env` sets those of the shells.
  script.has_open_environment = true;
  return script;
}

// A cell of code, whose first line may say what the others are.
NotebookCell code(const Excerpt& cell) {
  const std::string_view text = cell.text;
  const size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  if (!text.substr(first).starts_with("%%")) return {shell_lines(cell), ".sh"};
  const std::string_view line =
      text::trim(text.substr(first + 2, text::line_end(text, first) - first - 2));
  const size_t next = std::min(text::next_line(text, first), text.size());
  std::vector<std::string_view> words = text::split(line, ' ');
  std::erase(words, "");
  std::erase_if(words, [](std::string_view word) { return word.starts_with('-'); });
  if (words.empty()) return {};
  const std::string_view program = words.back().substr(words.back().rfind('/') + 1);
  if (words[0] == "writefile" && words.size() > 1)
    return {part(cell, next, text.size()), std::string(words[1])};
  if (words[0] == "bash" || words[0] == "sh" || words[0] == "shell" ||
      (words[0] == "script" && (program == "bash" || program == "sh")))
    return {part(cell, next, text.size()), ".sh"};
  return {};
}

}  // namespace

bool is_notebook(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text.starts_with('{') && text.find("\"nbformat\"") != text.npos &&
         text.find("\"cells\"") != text.npos;
}

std::vector<NotebookCell> notebook_cells(const Excerpt& notebook) {
  Sources sources;
  sources.add({"", notebook.text});
  diag::Sink ignored;
  const auto root = yaml::parse(sources, 0, ignored, {.last_wins = true});
  const yaml::Node* const cells = root ? root->find("cells") : nullptr;
  std::vector<NotebookCell> found;
  if (cells == nullptr) return found;
  for (const yaml::Node& each : cells->items) {
    const yaml::Node* const source = each.find("source");
    if (source == nullptr) continue;
    Excerpt text;
    append_source(notebook, *source, text);
    if (text.segments.empty()) continue;
    NotebookCell cell =
        each.text_at({"cell_type"}) == "code" ? code(text) : NotebookCell{std::move(text), ".md"};
    if (!cell.text.segments.empty() && !cell.text.text.empty()) found.push_back(std::move(cell));
  }
  return found;
}

}  // namespace flexslice::extract
