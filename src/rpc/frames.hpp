// Cuts the bytes of a stream into messages. A language client writes headers, an empty line and as
// many bytes as `Content-Length` says; a client of the Model Context Protocol writes a line each.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace flexslice::rpc {

inline constexpr std::size_t max_message_bytes = 32u << 20;

struct Incoming {
  std::string body;
  std::string_view error = {};  // why there is no body
};

class Frames {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  // The next whole message or error, or nothing: it needs more bytes.
  std::optional<Incoming> next();

 private:
  // Drops the bytes before the next header that could be one.
  Incoming broken(std::size_t bytes, std::string_view error);

  std::string bytes_;
  std::size_t skipped_ = 0;  // bytes still to come of a message that is too long
};

// With its header.
std::string framed(std::string_view body);

class Lines {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  // The next line that is not blank or an error, or nothing: it needs more bytes.
  std::optional<Incoming> next();

 private:
  std::string bytes_;
  std::size_t searched_ = 0;  // bytes that have no line break
  bool skips_ = false;        // the rest of a line that is too long
};

}  // namespace flexslice::rpc
