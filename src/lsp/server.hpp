// The language server: JSON-RPC messages in and out, and the texts that the client has open. Pure:
// the caller moves the bytes. What a message asks is answered by desk.hpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "lsp/desk.hpp"

namespace flexslice::lsp {

class Server {
 public:
  // `send` gets the body of each message to the client.
  Server(Settings settings, std::string_view version, std::function<void(std::string_view)> send);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // A message of the client. What is malformed is answered with an error.
  void handle(std::string_view body);
  // A message that could not be read.
  void refuse(std::string_view error);
  // Sends the findings of texts that have changed: for when no message waits, so that a burst of
  // keystrokes is judged once.
  void publish();

  bool has_ended() const;
  int status() const;  // 1 where the client ended it without shutting it down first

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flexslice::lsp
