// Questions about lists that several passes ask. Any range will do.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace flexslice {

template <class List, class T>
bool contains(const List& list, const T& wanted) {
  return std::find(std::begin(list), std::end(list), wanted) != std::end(list);
}

template <class List, class Is>
bool any_of(const List& list, Is is) {
  return std::any_of(std::begin(list), std::end(list), is);
}

// The first element that `is` true of, or null.
template <class List, class Is>
auto find_where(const List& list, Is is) {
  const auto found = std::find_if(std::begin(list), std::end(list), is);
  return found == std::end(list) ? nullptr : &*found;
}

// What `text_of` makes of the elements, without what is empty: views where it gives views.
template <class List, class TextOf>
auto texts(const List& list, TextOf text_of) {
  using Given = std::decay_t<std::invoke_result_t<TextOf&, decltype(*std::begin(list))>>;
  std::vector<std::conditional_t<std::is_same_v<Given, std::string>, std::string, std::string_view>>
      texts;
  for (const auto& element : list) {
    if (const auto& text = std::invoke(text_of, element); !text.empty()) texts.emplace_back(text);
  }
  return texts;
}

}  // namespace flexslice
