#include "yaml/emit.hpp"

namespace flexslice::yaml {

namespace {

void write(const Value& value, std::size_t indent, std::string& out);

void write_item(const Value& item, std::size_t indent, std::string& out) {
  write(item, indent, out);
}

void write_item(const Value::Member& member, std::size_t indent, std::string& out) {
  emit_json_string(member.key, out);
  out += ": ";
  write(member.value, indent, out);
}

void write_list(const auto& items, std::string_view brackets, std::size_t indent,
                std::string& out) {
  out += brackets.front();
  const char* separator = "\n";
  for (const auto& item : items) {
    out.append(separator).append(indent + 2, ' ');
    write_item(item, indent + 2, out);
    separator = ",\n";
  }
  if (!items.empty()) out.append("\n").append(indent, ' ');
  out += brackets.back();
}

void write(const Value& value, std::size_t indent, std::string& out) {
  // JSON has no infinities.
  const bool no_number =
      value.kind == Value::Kind::number && value.text.find_first_of("nN") != std::string::npos;
  if (value.is_sequence()) {
    write_list(value.items, "[]", indent, out);
  } else if (value.is_mapping()) {
    write_list(value.members, "{}", indent, out);
  } else if (value.is_string() || no_number) {
    emit_json_string(value.text, out);
  } else {
    out += value.kind == Value::Kind::null ? "null" : value.text;
  }
}

}  // namespace

std::string emit_json(const Value& value) {
  std::string out;
  write(value, 0, out);
  return out + "\n";
}

}  // namespace flexslice::yaml
