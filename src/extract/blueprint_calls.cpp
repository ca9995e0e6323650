#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/blueprint.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {

namespace {

// The second is the older name of the first.
constexpr std::array<std::string_view, 2> blueprint_programs{"gcluster", "ghpc"};
constexpr std::array<std::string_view, 3> blueprint_commands{"create", "deploy", "expand"};
constexpr std::string_view blueprint_keys[] = {"deployment_groups", "config_base"};

// Other flags of these commands have no value.
constexpr std::string_view flags_with_value[] = {
    "-o", "--out", "-l", "--validation-level", "--backend-config", "--skip-validators"};
constexpr std::string_view flags_of_output[] = {"-o", "--out", "--backend-config"};

// True where one path may be the end of the other: nobody knows in which folder a call runs.
bool may_be_same(std::string_view path, std::string_view other) {
  for (std::string_view begin : {"../", "./", "/"}) {
    while (other.starts_with(begin)) other.remove_prefix(begin.size());
  }
  const auto ends_with = [](std::string_view whole, std::string_view end) {
    return whole.ends_with(end) &&
           (whole.size() == end.size() || whole[whole.size() - end.size() - 1] == '/');
  };
  return ends_with(path, other) || ends_with(other, path);
}

// The words after the program at `begin`. Lines that end with a `\` go on, and a code span of a
// page ends.
std::vector<std::string> words_from(std::string_view text, std::size_t begin,
                                    std::string_view program) {
  std::size_t end = text.find('\n', begin);
  while (end != text.npos && text[end - 1] == '\\') end = text.find('\n', end + 1);
  std::string_view line = text.substr(begin, end - begin);
  line = line.substr(0, line.find('`'));
  Variables variables;
  const Script script = read_shell(line, 0, variables, {program});
  std::vector<std::string> words;
  if (script.commands.empty()) return words;
  for (const Word& word : script.commands.front().words) words.push_back(word.text);
  words.erase(words.begin());
  return words;
}

// A shell fills it in, or the reader of a page: `$ZONE`, `<zone>`, `YOUR_ZONE`.
bool is_to_be_filled(std::string_view value) {
  return value.find_first_of("$<>{}[]") != value.npos ||
         (!value.empty() && std::ranges::all_of(value, [](char c) {
           return ascii::is_upper(c) || c == '_' || c == '-';
         }));
}

class CallReader {
 public:
  CallReader(std::string_view path, const ReadBeside& read, bool any)
      : path_(path), read_(read), any_(any) {}

  // Returns nothing for a call of another blueprint.
  std::optional<BlueprintCall> read(const std::vector<std::string>& words) {
    bool names_other = false, names_it = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string& word = words[i];
      const std::size_t equals = std::min(word.find('='), word.size());
      const std::string flag = word.substr(0, equals);
      if (!word.starts_with('-')) {
        names_it |= may_be_same(path_, word);
        names_other |= word.ends_with(".yaml") || word.ends_with(".yml");
        call_.is_open |= word.find('$') != std::string::npos;
      } else if (flag == "-d" || flag == "--deployment-file" || flag == "--vars") {
        const bool has_value = equals < word.size();
        if (!has_value && i + 1 == words.size()) continue;
        value_of(flag, has_value ? word.substr(equals + 1) : words[++i]);
      } else if (contains(flags_with_value, word)) {
        call_.skips_validators |= !contains(flags_of_output, word);
        ++i;
      }
    }
    if (!names_it && (names_other || !call_.is_open || !any_)) return std::nullopt;
    return std::move(call_);
  }

 private:
  void value_of(std::string_view flag, const std::string& value) {
    if (flag == "--vars") {
      for (std::string_view pair : text::split(value, ',')) {
        const std::size_t equals = pair.find('=');
        // Items of a list belong to the variable before them.
        if (equals == pair.npos) {
          if (!call_.variables.empty()) call_.variables.back().second = open_value;
        } else {
          const std::string_view said = pair.substr(equals + 1);
          call_.variables.emplace_back(pair.substr(0, equals),
                                       is_to_be_filled(said) ? open_value : said);
        }
      }
      return;
    }
    const auto text = value.find('$') == std::string::npos ? read_(value) : std::nullopt;
    call_.is_open |= !text;
    call_.deployment = text.value_or("");
  }

  std::string_view path_;
  const ReadBeside& read_;
  bool any_;
  BlueprintCall call_;
};

}  // namespace

bool may_call_blueprints(std::string_view text) {
  return any_of(blueprint_programs,
                [&](std::string_view name) { return text.find(name) != text.npos; });
}

bool may_be_blueprint(std::string_view text) {
  return any_of(blueprint_keys, [&](std::string_view key) { return text.find(key) != text.npos; });
}

std::vector<BlueprintCall> calls_of_blueprint(std::string_view text, std::string_view path,
                                              const ReadBeside& read, bool any) {
  std::vector<BlueprintCall> calls;
  for (std::string_view program : blueprint_programs) {
    for (std::size_t at = 0; (at = text.find(program, at)) != text.npos;) {
      const bool begins = at == 0 || !ascii::is_word(text[at - 1]);
      const std::size_t begin = std::exchange(at, at + program.size());
      if (!begins || at == text.size() || !ascii::is_blank(text[at])) continue;
      const std::vector<std::string> words = words_from(text, begin, program);
      if (words.empty() || !contains(blueprint_commands, words.front())) continue;
      if (auto call = CallReader(path, read, any).read(words)) calls.push_back(std::move(*call));
    }
  }
  return calls;
}

}  // namespace flexslice::extract
