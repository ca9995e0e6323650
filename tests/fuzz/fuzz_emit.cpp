// A tree made of the bytes: what is written as YAML and as JSON reads back as the same tree.
#include "support.hpp"
#include "yaml/emit.hpp"

namespace {

using namespace flexslice;
using yaml::Value;

// Readers of YAML give up on `"key":` when the key has more than 1024 bytes, and an escape takes up
// to 10.
constexpr std::size_t longest_key = 100;

Value number(fuzz::Bytes& bytes) {
  Value value = Value::number(0);
  value.text = std::to_string(static_cast<int>(bytes.below(256)) - 128);
  if (bytes.below(2) == 1)
    value.text += "." + std::to_string(bytes.below(100)) + "e+" + std::to_string(bytes.below(10));
  return value;
}

Value make(fuzz::Bytes& bytes, int depth) {
  const auto text = [&](std::size_t most) {
    return fuzz::valid_utf8(bytes.text(bytes.below(static_cast<unsigned>(most))));
  };
  Value value;
  const unsigned kind = bytes.below(depth > 0 ? 8 : 5);
  if (kind == 0) return value;
  if (kind == 1) value = Value::boolean(bytes.below(2) == 1);
  if (kind == 2) value = number(bytes);
  if (kind == 3 || kind == 4) value = Value::string(text(kind == 3 ? 12 : 200));
  if (kind == 5) value = Value::sequence();
  if (kind >= 6) value = Value::mapping();
  const unsigned children = kind >= 5 ? bytes.below(5) : 0;
  for (unsigned i = 0; i < children && !bytes.empty(); ++i) {
    if (kind == 5) value.push(make(bytes, depth - 1));
    if (kind >= 6) value[text(longest_key)] = make(bytes, depth - 1);
  }
  if (bytes.below(4) == 0) value.comment = text(30);
  return value;
}

void check(const Value& value, const std::string& written, std::string_view law) {
  fuzz::require(fuzz::read_back(written, law) == value, law, written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const int width = static_cast<int>(bytes.below(120));
  const Value value = make(bytes, 6);
  check(value, yaml::emit(value, {.comments = true, .width = width}),
        "YAML with comments reads back as the same tree");
  check(value, yaml::emit(value, {.comments = false, .width = width}),
        "YAML without comments reads back as the same tree");
  check(value, yaml::emit_json(value), "JSON reads back as the same tree");
  return 0;
}
