#include "extract/arguments.hpp"

#include "base/lists.hpp"

namespace flexslice::extract {

namespace {

// Flags that take no value, beside those that begin with --enable- or --no-.
constexpr std::string_view switches[] = {
    "--flex-start", "--spot", "--preemptible", "--async", "--quiet", "--help",
    "-q",           "-h",     "--autopilot",   "--uri"};

bool is_switch(std::string_view flag) {
  return flag.starts_with("--enable-") || flag.starts_with("--no-") || contains(switches, flag);
}

}  // namespace

std::vector<Word> all_words(const Command& command) {
  std::vector<Word> words = command.words;
  words.insert(words.end(), command.lost.begin(), command.lost.end());
  return words;
}

Arguments read_arguments(std::span<const Word> words) {
  Arguments result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    if (!word.text.starts_with('-') || word.text == "-") {
      result.operands.push_back(&word);
      continue;
    }
    const std::size_t equals = word.text.find('=');
    FlagWords flag{word.text.substr(0, equals), &word};
    if (equals != std::string::npos) {
      flag.value = &word;
      flag.begin = equals + 1;
    } else if (!is_switch(word.text) && i + 1 < words.size() &&
               !words[i + 1].text.starts_with('-')) {
      flag.value = &words[++i];
    }
    if (flag.name == "-z") flag.name = "--zone";
    result.flags.push_back(std::move(flag));
  }
  return result;
}

}  // namespace flexslice::extract
