#include "yaml/parse.hpp"

namespace flexslice::yaml {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_marker(std::string_view line) { return line.starts_with("---") && (line.size() == 3 || is_blank(line[3]) || line[3] == '\n'); }

// Blank, a comment, a marker without content, or a directive: a line that by itself makes no document.
bool is_idle(std::string_view line) {
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (line.starts_with("%YAML ") || line.starts_with("%TAG ")) return true;
  if (is_marker(line) || (line.starts_with("...") && (line.size() == 3 || is_blank(line[3])))) line.remove_prefix(3);
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  return line.empty() || line.front() == '#';
}

}  // namespace

std::vector<Document> split_documents(std::string_view stream) {
  std::vector<Document> documents;
  std::size_t begin = 0;
  int line_number = 1;
  Document current;
  bool idle = true;
  const auto close = [&](std::size_t end) {
    current.text = stream.substr(begin, end - begin);
    if (!idle) documents.push_back(current);
  };
  for (std::size_t line_begin = 0; line_begin < stream.size(); ++line_number) {
    std::size_t line_end = stream.find('\n', line_begin);
    if (line_end == std::string_view::npos) line_end = stream.size();
    const std::string_view line = stream.substr(line_begin, line_end - line_begin);
    if (is_marker(line)) {
      close(line_begin);
      begin = line_begin;
      current.first_line = line_number;
      idle = true;
    }
    idle = idle && is_idle(line);
    line_begin = line_end + 1;
  }
  close(stream.size());
  if (documents.empty()) documents.push_back({stream, 1});
  return documents;
}

}  // namespace flexslice::yaml
