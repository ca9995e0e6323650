// Programs that the catalog knows, in the commands of containers: which one runs, and where it
// listens.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/object_rules.hpp"
#include "rules/programs.hpp"

namespace flexslice::rules {

// The words of the command of a container; of a script those that blanks separate, without
// comments.
std::vector<ProgramWord> server_words(const Node& container);

// Each `*` of the pattern matches any text.
bool matches_words(std::string_view text, std::string_view pattern);
// The server that the word starts, or null.
const Server* server_of(std::string_view word, const Catalog& catalog);

// A server that the container runs, alone or after commands of a script that have ended.
struct RunningServer {
  const Server* server = nullptr;
  std::vector<ProgramWord> words;
  const Node* container = nullptr;
  bool is_named = false;  // by a command; else by its image, whose entry point may be another
};
// Returns nothing for an unknown server, or several. Those that divide their work among devices may
// start others beside them.
enum class ServerUse : std::uint8_t { answers, devices };
std::optional<RunningServer> running_server(const Node& container, const Catalog& catalog,
                                            ServerUse use = ServerUse::answers);

struct ListeningPort {
  std::int64_t number = 0;
  std::string flag = {};  // that may set it
  Span where = {};        // of the value of the flag; empty: it is the default
  std::string host = {};  // before the number in the value of the flag, `0.0.0.0:`
};
// Returns nothing if not all of them are known.
std::optional<std::vector<ListeningPort>> ports_of(const RunningServer& running);

}  // namespace flexslice::rules
