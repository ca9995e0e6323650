#include "yaml/emit.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "yaml/scalar.hpp"

namespace flexslice::yaml {

namespace {

// Readers give up on `key:` when the key is longer than 1024 characters; `? key` has no such limit.
constexpr std::size_t longest_simple_key = 1000;

std::size_t columns(std::string_view text) {
  return text.size() -
         static_cast<std::size_t>(std::count_if(text.begin(), text.end(), utf8::continues));
}

class Writer {
 public:
  Writer(const Style& style, std::string& out) : style_(style), out_(out) {}

  void document(const Value& value);

 private:
  void begin_line(std::size_t indent);
  void end_line(const std::string& comment);
  void comment_above(const std::string& comment);
  void key(std::string_view text, std::size_t indent);
  void collection(const Value& value, std::size_t indent, bool on_line);
  void mapping(const Value& value, std::size_t indent, bool on_line);
  void sequence(const Value& value, std::size_t indent, bool on_line);
  void scalar(const Value& value, std::size_t indent);
  void literal(const Value& value, std::size_t indent);

  const Style& style_;
  std::string& out_;
  std::size_t line_ = 0;    // where the current line begins in out_
  std::size_t indent_ = 0;  // of the current line
};

bool is_nested(const Value& value) { return !value.items.empty() || !value.members.empty(); }

void Writer::begin_line(std::size_t indent) {
  line_ = out_.size();
  indent_ = indent;
  out_.append(indent, ' ');
}

void Writer::comment_above(const std::string& comment) {
  if (!style_.comments || comment.empty()) return;
  const std::string above = std::string(indent_, ' ') + "# " + one_line(comment) + "\n";
  out_.insert(line_, above);
  line_ += above.size();
}

void Writer::end_line(const std::string& comment) {
  if (style_.comments && !comment.empty()) {
    const std::string line = one_line(comment);
    const std::size_t width = columns(std::string_view(out_).substr(line_)) + 4 + columns(line);
    if (width <= static_cast<std::size_t>(std::max(0, style_.width))) {
      out_ += "  # ";
      out_ += line;
    } else {
      comment_above(comment);
    }
  }
  out_ += '\n';
}

void Writer::key(std::string_view text, std::size_t indent) {
  const std::size_t begin = out_.size();
  emit_scalar(text, out_);
  if (out_.size() - begin > longest_simple_key) {
    out_.insert(begin, "? ");
    end_line({});
    begin_line(indent);
  }
  out_ += ':';
}

// `indent` is the column of the keys or dashes. `on_line`: the first goes on the current line,
// behind a dash.
void Writer::collection(const Value& value, std::size_t indent, bool on_line) {
  if (value.is_mapping()) {
    mapping(value, indent, on_line);
  } else {
    sequence(value, indent, on_line);
  }
}

void Writer::mapping(const Value& value, std::size_t indent, bool on_line) {
  for (const Value::Member& member : value.members) {
    if (!on_line) begin_line(indent);
    on_line = false;
    key(member.key, indent);
    if (!is_nested(member.value)) {
      out_ += ' ';
      scalar(member.value, indent);
      continue;
    }
    end_line(member.value.comment);
    collection(member.value, indent + 2, false);
  }
}

void Writer::sequence(const Value& value, std::size_t indent, bool on_line) {
  for (const Value& item : value.items) {
    if (!on_line) begin_line(indent);
    on_line = false;
    out_ += "- ";
    if (!is_nested(item)) {
      scalar(item, indent);
      continue;
    }
    comment_above(item.comment);
    collection(item, indent + 2, true);
  }
}

// What fits behind `key: ` or `- `, and the line's end. `indent` is the column of that key or dash.
void Writer::scalar(const Value& value, std::size_t indent) {
  switch (value.kind) {
    case Value::Kind::null:
      out_ += "null";
      break;
    case Value::Kind::boolean:
    case Value::Kind::number:
      out_ += value.text;
      break;
    case Value::Kind::sequence:
      out_ += "[]";
      break;
    case Value::Kind::mapping:
      out_ += "{}";
      break;
    case Value::Kind::string:
      switch (quoting_of(value.text)) {
        case Quoting::plain:
          out_ += value.text;
          break;
        case Quoting::quoted:
          emit_json_string(value.text, out_);
          break;
        case Quoting::literal:
          literal(value, indent);
          return;
      }
      break;
  }
  end_line(value.comment);
}

void Writer::literal(const Value& value, std::size_t indent) {
  const std::string_view text = value.text;
  const std::size_t first = text.find_first_not_of('\n');
  out_ += '|';
  // Without the number a reader would take the first line's own blanks for indentation.
  if (text[first] == ' ' || text[first] == '\t') out_ += '2';
  if (!text.ends_with('\n')) {
    out_ += '-';
  } else if (text.ends_with("\n\n")) {
    out_ += '+';
  }
  end_line(value.comment);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) {
      out_.append(indent + 2, ' ');
      out_ += text.substr(begin, end - begin);
    }
    out_ += '\n';
    begin = end + 1;
  }
}

void Writer::document(const Value& value) {
  begin_line(0);
  if (!is_nested(value)) {
    scalar(value, 0);
    return;
  }
  comment_above(value.comment);
  collection(value, 0, true);
}

}  // namespace

void emit(const Value& value, const Style& style, std::string& out) {
  Writer(style, out).document(value);
}

std::string one_line(std::string_view text) {
  const auto is_ascii = [](char c) { return c >= ' ' && c <= '~'; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return std::string(text);
  std::string line;
  for (const utf8::Point& point : utf8::Points(text))
    line += point.valid && is_safe(point.value) ? point.bytes : " ";
  return line;
}

std::string emit(const Value& value, const Style& style) {
  std::string out;
  emit(value, style, out);
  return out;
}

}  // namespace flexslice::yaml
