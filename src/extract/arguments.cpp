#include "extract/arguments.hpp"

namespace flexslice::extract {

std::vector<Word> all_words(const Command& command) {
  std::vector<Word> words = command.words;
  words.insert(words.end(), command.lost.begin(), command.lost.end());
  return words;
}

namespace {

// With a blank in it, it is no flag, and neither is a negative number.
bool may_be_value(std::string_view word) {
  const bool is_negative = word.size() > 1 && word[1] >= '0' && word[1] <= '9';
  return !word.starts_with('-') || word.find(' ') != word.npos || is_negative;
}

}  // namespace

Arguments read_arguments(std::span<const Word> words, const TakesValue& takes_value) {
  Arguments result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    if (word.text == "--") {
      result.rest = words.size() - i - 1;
      break;
    }
    if (!word.text.starts_with('-') || word.text == "-") {
      result.operands.push_back(&word);
      continue;
    }
    const std::size_t equals = word.text.find('=');
    FlagWords flag{word.text.substr(0, equals), &word};
    if (equals != std::string::npos) {
      flag.value = &word;
      flag.begin = equals + 1;
    } else if (i + 1 < words.size() && may_be_value(words[i + 1].text) &&
               takes_value(result.operands, flag.name)) {
      flag.value = &words[++i];
    }
    if (flag.name == "-z") flag.name = "--zone";
    result.flags.push_back(std::move(flag));
  }
  return result;
}

}  // namespace flexslice::extract
