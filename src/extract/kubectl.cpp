#include "extract/kubectl.hpp"

#include "base/lists.hpp"

namespace flexslice::extract {

namespace {

constexpr std::string_view creating[] = {"apply", "create", "replace"};
constexpr std::string_view inputs[] = {
    "-",          "-f-",          "-f=-",          "--filename=-",
    "/dev/stdin", "-f/dev/stdin", "-f=/dev/stdin", "--filename=/dev/stdin"};

bool creates_input(const Command& command) {
  const auto has_one_of = [&](std::span<const std::string_view> wanted) {
    return any_of(command.words, [&](const Word& word) { return contains(wanted, word.text); });
  };
  return has_one_of(creating) && has_one_of(inputs);
}

std::string namespace_in(const std::vector<Word>& words) {
  std::string last;
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string_view text = words[i].text;
    if (text == "--") break;
    if (text == "-n" || text == "--namespace") {
      if (++i < words.size()) last = words[i].text;
    } else if (text.starts_with("--namespace=")) {
      last = text.substr(text.find('=') + 1);
    } else if (text.starts_with("-n")) {
      text.remove_prefix(text.starts_with("-n=") ? 3 : 2);
      last = text;
    }
  }
  return last.find("$(") == std::string::npos ? last : "$NAMESPACE";
}

}  // namespace

std::optional<std::string> namespace_of_input(std::span<const Command> commands, Span where) {
  const auto* command = find_where(commands, [&](const Command& each) {
    return where.begin <= each.where.begin && each.where.begin < where.end && creates_input(each);
  });
  if (command == nullptr) return std::nullopt;
  return namespace_in(command->words);
}

}  // namespace flexslice::extract
