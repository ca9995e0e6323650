#include "rules/servers.hpp"

#include <algorithm>
#include <bitset>
#include <cstdint>

namespace flexslice::rules {

namespace {

// Nearly all words are of no server, and differ from the first letter on.
class FirstLetters {
 public:
  explicit FirstLetters(const Catalog& catalog) {
    for (const Server& server : catalog.servers) {
      for (std::string_view program : server.programs) letters_.set(std::uint8_t(program[0]));
    }
  }
  bool may_begin(std::string_view word) const {
    return !word.empty() && (letters_.test(std::uint8_t(word[0])) || word.find('/') != word.npos);
  }

 private:
  std::bitset<256> letters_;
};

// The program, or the end of its path.
bool is_server_program(std::string_view word, std::string_view program) {
  for (;;) {
    if (matches_words(word, program)) return true;
    const std::size_t slash = word.find('/');
    if (slash == word.npos) return false;
    word.remove_prefix(slash + 1);
  }
}

bool is_of_use(const Server& server, ServerUse use) {
  return use == ServerUse::devices ? !server.flags.empty()
                                   : !server.ports.empty() || !server.metric_prefix.empty();
}

// Something that goes on beside the server, as a script can start it.
bool starts_others(const Node& container) {
  for (std::string_view key : {"command", "args"}) {
    for (const Node& word : items(container, key)) {
      const std::string_view text = word.text;
      for (std::size_t at = text.find('&'); at != text.npos; at = text.find('&', at + 1)) {
        const char before = at == 0 ? ' ' : text[at - 1],
                   after = at + 1 == text.size() ? ' ' : text[at + 1];
        if (before != '&' && before != '>' && after != '&' && after != '>') return true;
      }
    }
  }
  return false;
}

// The value that the words before the `end`th give to the variable by one assignment; nothing where
// that may not run, or is one of several.
std::optional<std::string_view> assigned_before(std::size_t end, std::string_view name,
                                                const RunningServer& running) {
  constexpr std::string_view conditions[] = {"if", "case", "for", "while", "until", "read"};
  std::optional<std::string_view> value;
  for (std::size_t i = 0; i < running.words.size(); ++i) {
    const std::string_view word = running.words[i].text;
    if (i < end && std::ranges::count(conditions, word) > 0) return std::nullopt;
    if (!word.starts_with(name) || word.substr(name.size(), 1) != "=") continue;
    const std::string_view before = i == 0 ? "" : std::string_view(running.words[i - 1].text);
    if (value || i >= end || before.ends_with('&') || before.ends_with('|')) return std::nullopt;
    // Quotes end a word.
    value = word.substr(name.size() + 1);
    if (value->empty() && i + 1 < running.words.size()) value = running.words[i + 1].text;
  }
  return value;
}

// The value that the container's environment or its script gives to `$PORT`, `${PORT}` or
// `$(PORT)`; the `index`th word itself where it is any other, or both give one.
std::string_view with_variable(std::string_view word, std::size_t index,
                               const RunningServer& running) {
  if (!word.starts_with('$') || running.container == nullptr) return word;
  std::string_view name = word.substr(1);
  const bool is_of_shell = !name.starts_with('(');
  if (name.size() > 2 && (name.front() == '(' || name.front() == '{'))
    name = name.substr(1, name.size() - 2);
  const std::string assignment = std::string(name) + '=';
  const bool is_assigned = any_of(
      running.words, [&](const ProgramWord& each) { return each.text.starts_with(assignment); });
  for (const Node& variable : items(*running.container, "env")) {
    const Node *own = variable.find("name"), *value = variable.find("value");
    if (own == nullptr || own->text != name) continue;
    return !is_assigned && is_literal(value) ? std::string_view(value->text) : word;
  }
  if (!is_assigned || !is_of_shell || running.container->find("envFrom") != nullptr) return word;
  return assigned_before(index, name, running).value_or(word);
}

// A variable such as `PORT`, `UVICORN_PORT` or `GUNICORN_CMD_ARGS`, from which servers read what no
// flag says.
bool may_set_port(const RunningServer& running) {
  return running.container != nullptr &&
         any_of(items(*running.container, "env"), [](const Node& variable) {
           const std::string_view name = variable.text_at({"name"});
           return name == "PORT" || name.ends_with("_PORT") || name.ends_with("_CMD_ARGS");
         });
}

// The port of `8000`, `:8000` and `0.0.0.0:8000`.
std::optional<std::int64_t> port_in(std::string_view value) {
  const auto number = text::whole_number(value.substr(value.rfind(':') + 1));
  return number && *number > 0 && *number < 65536 ? number : std::nullopt;
}

}  // namespace

bool matches_words(std::string_view text, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == pattern.npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  const std::string_view rest = pattern.substr(star + 1);
  const std::size_t next = rest.find('*');
  if (next == rest.npos) return text.ends_with(rest);
  const std::size_t at = text.find(rest.substr(0, next));
  return at != text.npos && matches_words(text.substr(at), rest);
}

std::vector<ProgramWord> server_words(const Node& container) {
  std::vector<ProgramWord> words;
  for (std::string_view key : {"command", "args"}) {
    for (const Node& word : items(container, key)) add_words(word, words);
  }
  return words;
}

const Server* server_of(std::string_view word, const Catalog& catalog) {
  if (word.empty()) return nullptr;
  const bool is_path = word.find('/') != word.npos;
  return find_where(catalog.servers, [&](const Server& server) {
    return any_of(server.programs, [&](std::string_view program) {
      const bool may_be = is_path || program.starts_with(word[0]) || program.starts_with('*');
      return may_be && is_server_program(word, program);
    });
  });
}

std::optional<RunningServer> running_server(const Node& container, const Catalog& catalog,
                                            ServerUse use) {
  RunningServer running{.words = server_words(container), .container = &container};
  int count = 0;
  bool is_installed = false;  // `pip install uvicorn`
  const FirstLetters letters(catalog);
  for (const ProgramWord& word : running.words) {
    const Server* server = letters.may_begin(word.text) ? server_of(word.text, catalog) : nullptr;
    if (server != nullptr && is_of_use(*server, use) && !is_installed) {
      running.server = server;
      ++count;
    }
    is_installed = word.text == "install" || (is_installed && word.text.starts_with('-'));
  }
  const bool is_alone = use == ServerUse::devices || !starts_others(container);
  if (count > 1 || (count == 1 && !is_alone)) return std::nullopt;
  if (count == 1) {
    running.is_named = true;
    return running;
  }
  const Node *command = container.find("command"), *image = container.find("image");
  if (command != nullptr || !is_literal(image)) return std::nullopt;
  running.server = find_where(catalog.servers, [&](const Server& server) {
    return is_of_use(server, use) && any_of(server.images, [&](std::string_view part) {
             return image->text.find(part) != std::string::npos;
           });
  });
  return running.server == nullptr ? std::nullopt : std::optional(std::move(running));
}

std::optional<std::vector<ListeningPort>> ports_of(const RunningServer& running) {
  std::vector<ListeningPort> ports;
  for (const ServerPort& port : running.server->ports) {
    // A flag that is not for the port alone takes an address.
    const std::string_view main_flag = port.flags.front();
    const bool is_address = main_flag.find("port") == main_flag.npos;
    const std::string any_host = is_address ? "0.0.0.0:" : "";
    ListeningPort own{port.number, std::string(main_flag), {}, any_host};
    bool is_set = false;
    for (std::size_t i = 0; i < running.words.size(); ++i) {
      const std::string_view word = running.words[i].text;
      const std::size_t equals = word.find('=');
      if (!contains(port.flags, word.substr(0, equals))) {
        // `-b0.0.0.0:8000`, which is not taken apart here.
        if (!word.starts_with("--") && contains(port.flags, word.substr(0, 2))) return std::nullopt;
        continue;
      }
      const bool is_next = equals == word.npos;
      if (is_set || (is_next && i + 1 == running.words.size())) return std::nullopt;
      const ProgramWord& value = running.words[is_next ? i + 1 : i];
      const std::string_view address = with_variable(
          is_next ? std::string_view(value.text) : word.substr(equals + 1), i, running);
      const auto number = port_in(address);
      if (!number) return std::nullopt;
      const std::string_view host = address.substr(0, address.rfind(':') + 1);
      // A number alone is a host to a program that wants an address.
      if (is_address && host.empty()) return std::nullopt;
      own = {*number, std::string(word.substr(0, equals)), value.where,
             host.empty() ? any_host : std::string(host)};
      is_set = true;
    }
    if (!is_set && may_set_port(running)) return std::nullopt;
    // An image may say another one.
    if (own.number > 0 && (is_set || running.is_named)) ports.push_back(std::move(own));
  }
  return ports;
}

}  // namespace flexslice::rules
