#include "import/todo.hpp"

#include <fmt/core.h>

namespace flexslice::imports {

using yaml::Value;

Value missing(std::string_view placeholder, std::string_view words,
              std::vector<std::string>& todo) {
  Value value = Value::string(placeholder);
  value.comment = fmt::format("TODO: {}", words);
  todo.emplace_back(words);
  return value;
}

void require(Value& record, std::string_view key, std::string_view placeholder,
             std::string_view words, std::vector<std::string>& todo) {
  if (record.find(key) == nullptr) record[key] = missing(placeholder, words, todo);
}

}  // namespace flexslice::imports
