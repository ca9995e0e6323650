// A mutator for targets that read lines of YAML: bytes alone seldom make another spec of a spec.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::size_t value_begin(const std::string& line) {
  const std::size_t colon = line.find(": ");
  return colon == std::string::npos ? line.size() : colon + 2;
}

void change(std::vector<std::string>& lines, std::minstd_rand& random) {
  const auto pick = [&] { return random() % lines.size(); };
  const std::size_t a = pick(), b = pick();
  switch (random() % 6) {
    case 0:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(a));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(a), std::string(lines[b]));
      break;
    case 2:
      std::swap(lines[a], lines[b]);
      break;
    case 3:  // the value of another line
      lines[a] = lines[a].substr(0, value_begin(lines[a])) + lines[b].substr(value_begin(lines[b]));
      break;
    case 4:  // deeper
      lines[a].insert(0, "  ");
      break;
    default:  // less deep
      if (lines[a].starts_with("  ")) lines[a].erase(0, 2);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  if (size == 0 || random() % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  std::vector<std::string> lines = lines_of({reinterpret_cast<const char*>(data), size});
  for (std::size_t count = 1 + random() % 3; count > 0 && !lines.empty(); --count)
    change(lines, random);
  std::string text;
  for (const std::string& line : lines) text += line;
  if (text.empty() || text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
