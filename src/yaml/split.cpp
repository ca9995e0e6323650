#include <algorithm>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {

namespace {

// The end of the JSON object at the beginning of the text; npos: it has none.
std::size_t object_end(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return at + 1;
    }
  }
  return text.npos;
}

// Objects of JSON that follow each other, as `jq` and kubectl have them; else nothing.
std::vector<Document> split_json(std::string_view stream) {
  std::vector<Document> documents;
  const auto skip = [&](std::size_t at) {
    while (at < stream.size() && ascii::is_space(stream[at])) ++at;
    return at;
  };
  int line = 1;
  std::size_t counted = 0;
  for (std::size_t at = skip(0); at < stream.size();) {
    const std::size_t first = skip(at + 1);
    const bool is_object = stream[at] == '{' && first < stream.size() &&
                           (stream[first] == '"' || stream[first] == '}');
    const std::size_t end = is_object ? object_end(stream.substr(at)) : stream.npos;
    if (end == stream.npos) return {};
    line += static_cast<int>(std::ranges::count(stream.substr(counted, at - counted), '\n'));
    counted = at;
    documents.push_back({stream.substr(at, end), line});
    at = skip(at + end);
  }
  return documents.size() > 1 ? documents : std::vector<Document>();
}

}  // namespace

std::vector<Document> split_documents(std::string_view stream) {
  if (auto objects = split_json(stream); !objects.empty()) return objects;
  std::vector<Document> documents;
  std::size_t begin = 0;
  int line_number = 1;
  int first_line = 1;
  bool idle = true;
  const auto close = [&](std::size_t end) {
    if (!idle) documents.push_back({stream.substr(begin, end - begin), first_line});
  };
  for (std::size_t at = 0; at < stream.size(); ++line_number) {
    const std::size_t next = text::next_line(stream, at);
    const std::string_view line = stream.substr(at, next - at);
    if (text::is_marker(line)) {
      close(at);
      begin = at;
      first_line = line_number;
      idle = true;
    }
    idle = idle && text::is_idle(line);
    at = next;
  }
  close(stream.size());
  if (documents.empty()) documents.push_back({stream.substr(begin), first_line});
  return documents;
}

}  // namespace flexslice::yaml
