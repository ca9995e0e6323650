// Closed sets of words, such as the modes of a cluster: enums that documents write as words. Beside
// each stands `words(Enum)`, its only table; tables of fields, messages and options read it.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>

namespace flexslice {

// `words` of an enum returns such a list: the enum's words, in its order.
template <class... Words>
constexpr auto word_list(Words... words) {
  return std::array<std::string_view, sizeof...(words)>{words...};
}

template <class Enum>
concept Worded = requires(Enum value) {
  words(value);
};

template <Worded Enum>
inline constexpr auto words_of = words(Enum{});

template <Worded Enum>
constexpr std::string_view word(Enum value) {
  return words_of<Enum>[static_cast<std::size_t>(value)];
}

// The value with that word, or nothing.
template <Worded Enum>
constexpr std::optional<Enum> find_word(std::string_view text) {
  const auto found = std::find(words_of<Enum>.begin(), words_of<Enum>.end(), text);
  if (found == words_of<Enum>.end()) return std::nullopt;
  return static_cast<Enum>(found - words_of<Enum>.begin());
}

// A word that stands for the value of whatever enum it is given to.
struct FromWord {
  std::string_view text;

  template <Worded Enum>
  constexpr operator Enum() const {
    return find_word<Enum>(text).value();
  }
};

}  // namespace flexslice
