#include "yaml/emit.hpp"
#include "yaml/scalar.hpp"

namespace flexslice::yaml {

namespace {

void new_line(int depth, std::string& out) {
  out += '\n';
  out.append(static_cast<std::size_t>(depth) * 2, ' ');
}

void write(const Value& value, int depth, std::string& out);

void write_sequence(const Value& value, int depth, std::string& out) {
  out += '[';
  for (const Value& item : value.items) {
    if (&item != &value.items.front()) out += ',';
    new_line(depth + 1, out);
    write(item, depth + 1, out);
  }
  if (!value.items.empty()) new_line(depth, out);
  out += ']';
}

void write_mapping(const Value& value, int depth, std::string& out) {
  out += '{';
  for (const Value::Member& member : value.members) {
    if (&member != &value.members.front()) out += ',';
    new_line(depth + 1, out);
    emit_json_string(member.key, out);
    out += ": ";
    write(member.value, depth + 1, out);
  }
  if (!value.members.empty()) new_line(depth, out);
  out += '}';
}

void write(const Value& value, int depth, std::string& out) {
  switch (value.kind) {
    case Value::Kind::null:
      out += "null";
      break;
    case Value::Kind::boolean:
      out += value.text;
      break;
    case Value::Kind::number:
      // JSON has no infinities.
      if (value.text.find_first_of("nN") != std::string::npos) {
        emit_json_string(value.text, out);
      } else {
        out += value.text;
      }
      break;
    case Value::Kind::string:
      emit_json_string(value.text, out);
      break;
    case Value::Kind::sequence:
      write_sequence(value, depth, out);
      break;
    case Value::Kind::mapping:
      write_mapping(value, depth, out);
      break;
  }
}

}  // namespace

void emit_json_string(std::string_view text, std::string& out) { write_quoted(text, out); }

std::string emit_json(const Value& value) {
  std::string out;
  write(value, 0, out);
  out += '\n';
  return out;
}

}  // namespace flexslice::yaml
