#include "base/lines.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {

std::vector<Document> split_documents(std::string_view stream) {
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
