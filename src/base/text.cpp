#include "base/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>

#include "base/ascii.hpp"

namespace flexslice::text {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find(separator, begin)) != std::string_view::npos;
       begin = end + 1) {
    parts.push_back(text.substr(begin, end - begin));
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::string_view trim(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  take(text, ascii::is_space);
  return text;
}

std::string quoted_list(std::span<const std::string_view> words) {
  return words.empty() ? "" : "`" + join(words, "`, `") + "`";
}

std::string lower(std::string_view text) {
  std::string lowered(text);
  std::ranges::transform(lowered, lowered.begin(), ascii::to_lower);
  return lowered;
}

std::string count(std::int64_t number, std::string_view noun) {
  std::string text = std::to_string(number);
  text.append(1, ' ').append(noun);
  if (number != 1) text += 's';
  return text;
}

void add_to_path(std::string& path, std::string_view key) {
  if (key.starts_with('[')) {
    path += key;
  } else if (key.find_first_of("./") != std::string_view::npos) {
    path += fmt::format("[{}]", key);
  } else {
    path += path.empty() ? "" : ".";
    path += key;
  }
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  if (text.starts_with('-')) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool includes(std::string_view text, std::string_view part) {
  return part.empty() || ::memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

bool is_index(std::string_view key) { return whole_number(key).has_value(); }

// Damerau-Levenshtein with adjacent transpositions.
std::string fingerprint(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return fmt::format("{:08x}", hash);
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last = before_last, current = last;
  std::iota(last.begin(), last.end(), 0u);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] =
          std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last.back();
}

std::optional<std::string_view> nearest(std::string_view seen,
                                        std::span<const std::string_view> candidates) {
  const std::string wanted = lower(seen.substr(0, 64));
  std::optional<std::string_view> best;
  const std::size_t most = std::max<std::size_t>(1, wanted.size() / 3);
  std::size_t best_distance = most + 1;
  for (std::string_view candidate : candidates) {
    const std::string other = lower(candidate);
    std::size_t cost = distance(wanted, other);
    const auto& [shorter, longer] = std::minmax(
        wanted, other, [](const auto& a, const auto& b) { return a.size() < b.size(); });
    // Near enough, but what is spelt alike is nearer.
    if (shorter.size() >= 4 && longer.find(shorter) != std::string::npos)
      cost = std::min(cost, most);
    if (cost < best_distance) {
      best_distance = cost;
      best = candidate;
    }
  }
  return best;
}

}  // namespace flexslice::text
