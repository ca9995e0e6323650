#include "rpc/frames.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace flexslice::rpc {

namespace {

constexpr std::size_t max_header_bytes = 4096;
constexpr std::string_view too_long = "a message is longer than 32 MiB";

// Reads it from the headers of a message; nothing where it is missing or not a number.
std::optional<std::int64_t> content_length(std::string_view headers) {
  for (std::string_view line : text::split(headers, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && text::lower(line.substr(0, colon)) == "content-length")
      return text::whole_number(text::trim(line.substr(colon + 1)));
  }
  return std::nullopt;
}

}  // namespace

Incoming Frames::broken(std::size_t bytes, std::string_view error) {
  bytes_.erase(0, bytes);
  return {{}, error};
}

std::optional<Incoming> Frames::next() {
  const std::size_t skipped = std::min(skipped_, bytes_.size());
  bytes_.erase(0, skipped);
  skipped_ -= skipped;
  constexpr std::string_view end = "\r\n\r\n";
  const std::size_t headers = bytes_.find(end);
  if (headers == std::string::npos) {
    if (bytes_.size() <= max_header_bytes) return std::nullopt;
    return broken(bytes_.size(), "the header of a message has no end");
  }
  const std::size_t begin = headers + end.size();
  const auto length = content_length(std::string_view(bytes_).substr(0, headers));
  if (!length) return broken(begin, "a message has no Content-Length");
  const auto size = static_cast<std::size_t>(*length);
  if (size > max_message_bytes) {
    skipped_ = size;
    return broken(begin, too_long);
  }
  if (bytes_.size() - begin < size) return std::nullopt;
  Incoming frame{bytes_.substr(begin, size)};
  bytes_.erase(0, begin + size);
  return frame;
}

std::optional<Incoming> Lines::next() {
  while (true) {
    const std::size_t end = bytes_.find('\n', searched_);
    const bool is_long = std::min(end, bytes_.size()) > max_message_bytes;
    if (end == std::string::npos) {
      searched_ = bytes_.size();
      if (!skips_ && !is_long) return std::nullopt;
      bytes_.clear();
      searched_ = 0;
      if (std::exchange(skips_, true)) return std::nullopt;
      return Incoming{{}, too_long};
    }
    Incoming line{bytes_.substr(0, end)};
    bytes_.erase(0, end + 1);
    searched_ = 0;
    if (std::exchange(skips_, false) || text::trim(line.body).empty()) continue;
    return is_long ? Incoming{{}, too_long} : line;
  }
}

std::string framed(std::string_view body) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace flexslice::rpc
