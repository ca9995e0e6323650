#include "base/stream.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {

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
    if (text::is_marker(line)) {
      close(line_begin);
      begin = line_begin;
      current.first_line = line_number;
      idle = true;
    }
    idle = idle && text::is_idle(line);
    line_begin = line_end + 1;
  }
  close(stream.size());
  if (documents.empty()) documents.push_back({stream, 1});
  return documents;
}

}  // namespace flexslice::yaml
