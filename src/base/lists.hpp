// Questions about lists that several passes ask. Anything that a `for` runs over will do.
#pragma once

#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace flexslice {

// The first element that `is` true of, or null.
template <class List, class Is>
auto find_where(const List& list, Is is) -> decltype(&*std::begin(list)) {
  for (const auto& element : list) {
    if (is(element)) return &element;
  }
  return nullptr;
}

template <class List, class Is>
bool any_of(const List& list, Is is) {
  for (const auto& element : list) {
    if (is(element)) return true;
  }
  return false;
}

template <class List, class T>
bool contains(const List& list, const T& wanted) {
  return any_of(list, [&](const auto& element) { return element == wanted; });
}

// Lists what `text_of` makes of the elements for which `is` holds, and skips empty texts. The
// result holds views if `text_of` returns views.
template <class List, class TextOf, class Is>
auto texts(const List& list, TextOf text_of, Is is) {
  using Given = std::decay_t<std::invoke_result_t<TextOf&, decltype(*std::begin(list))>>;
  std::vector<std::conditional_t<std::is_same_v<Given, std::string>, std::string, std::string_view>>
      texts;
  for (const auto& element : list) {
    if (!is(element)) continue;
    if (const auto& text = std::invoke(text_of, element); !text.empty()) texts.emplace_back(text);
  }
  return texts;
}
template <class List, class TextOf>
auto texts(const List& list, TextOf text_of) {
  return texts(list, text_of, [](const auto&) { return true; });
}

}  // namespace flexslice
