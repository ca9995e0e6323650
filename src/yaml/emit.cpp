#include "yaml/emit.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/json.hpp"
#include "base/lines.hpp"
#include "base/utf8.hpp"
#include "yaml/scalar.hpp"

namespace flexslice::yaml {

namespace {

using std::size_t;

// Readers give up on `key:` when the key is longer than 1024 characters; `? key` has no such limit.
constexpr size_t longest_simple_key = 1000;

size_t columns(std::string_view text) {
  return text.size() - static_cast<size_t>(std::ranges::count_if(text, utf8::continues));
}

bool is_nested(const Value& value) { return !value.items.empty() || !value.members.empty(); }

class Writer {
 public:
  Writer(const Style& style, std::string& out) : style_(style), out_(out) {}

  void document(const Value& value) {
    begin_line(0);
    if (!is_nested(value)) return scalar(value, 0);
    comment_above(value.comment);
    collection(value, 0, true);
  }

 private:
  void begin_line(size_t indent) {
    line_ = out_.size();
    indent_ = indent;
    out_.append(indent, ' ');
  }

  void comment_above(const std::string& comment) {
    if (!style_.comments || comment.empty()) return;
    const std::string above = fmt::format("{:{}}# {}\n", "", indent_, one_line(comment));
    out_.insert(line_, above);
    line_ += above.size();
  }

  void end_line(const std::string& comment) {
    if (style_.comments && !comment.empty()) {
      const size_t end = out_.size();
      out_.append("  # ").append(one_line(comment));
      if (!fits(std::string_view(out_).substr(line_))) {
        out_.resize(end);
        comment_above(comment);
      }
    }
    out_ += '\n';
  }

  bool fits(std::string_view line) const {
    const auto room = static_cast<size_t>(std::max(0, style_.width));
    return line.size() <= room || columns(line) <= room;
  }

  void key(std::string_view text, size_t indent) {
    const size_t begin = out_.size();
    emit_scalar(text, out_);
    if (out_.size() - begin > longest_simple_key) {
      out_.insert(begin, "? ");
      end_line({});
      begin_line(indent);
    }
    out_ += ':';
  }

  // `indent` is the column of the keys or dashes. `on_line`: the first goes on the current line,
  // after a dash.
  void collection(const Value& value, size_t indent, bool on_line) {
    for (const Value::Member& member : value.members) {
      if (!on_line) begin_line(indent);
      on_line = false;
      key(member.key, indent);
      if (is_nested(member.value)) {
        end_line(member.value.comment);
        collection(member.value, indent + 2, false);
      } else {
        out_ += ' ';
        scalar(member.value, indent);
      }
    }
    for (const Value& item : value.items) {
      if (!on_line) begin_line(indent);
      on_line = false;
      out_ += "- ";
      if (is_nested(item)) {
        comment_above(item.comment);
        collection(item, indent + 2, true);
      } else {
        scalar(item, indent);
      }
    }
  }

  // Writes a scalar after `key: ` or `- `, and the line's end. `indent` is the column of that key
  // or dash.
  void scalar(const Value& value, size_t indent) {
    const Quoting quoting = value.is_string() ? quoting_of(value.text) : Quoting::plain;
    if (quoting == Quoting::literal) return literal(value, indent);
    if (quoting == Quoting::quoted) {
      emit_json_string(value.text, out_);
    } else {
      out_ += value.is_sequence()               ? "[]"
              : value.is_mapping()              ? "{}"
              : value.kind == Value::Kind::null ? "null"
                                                : std::string_view(value.text);
    }
    end_line(value.comment);
  }

  void literal(const Value& value, size_t indent) {
    const std::string_view text = value.text;
    const char first = text[text.find_first_not_of('\n')];
    out_ += '|';
    // Without the number a reader would take the first line's own blanks for indentation.
    if (first == ' ' || first == '\t') out_ += '2';
    if (!text.ends_with('\n')) out_ += '-';
    if (text.ends_with("\n\n")) out_ += '+';
    end_line(value.comment);
    for (size_t at = 0, next = 0; at < text.size(); at = next) {
      next = text::next_line(text, at);
      if (text[at] != '\n') out_.append(indent + 2, ' ');
      out_ += text.substr(at, next - at);
    }
    if (!text.ends_with('\n')) out_ += '\n';
  }

  const Style& style_;
  std::string& out_;
  size_t line_ = 0;    // where the current line begins in out_
  size_t indent_ = 0;  // of the current line
};

void write_json(const Value& value, size_t indent, std::string& out) {
  // JSON has no infinities.
  const bool no_number =
      value.kind == Value::Kind::number && value.text.find_first_of("nN") != std::string::npos;
  if (value.is_string() || no_number) return emit_json_string(value.text, out);
  if (value.is_scalar()) {
    out += value.kind == Value::Kind::null ? "null" : value.text;
    return;
  }
  out += value.is_sequence() ? '[' : '{';
  std::string_view separator = "\n";
  const auto begin_child = [&] {
    out.append(separator).append(indent + 2, ' ');
    separator = ",\n";
  };
  for (const Value& item : value.items) {
    begin_child();
    write_json(item, indent + 2, out);
  }
  for (const Value::Member& member : value.members) {
    begin_child();
    emit_json_string(member.key, out);
    out += ": ";
    write_json(member.value, indent + 2, out);
  }
  if (is_nested(value)) out.append("\n").append(indent, ' ');
  out += value.is_sequence() ? ']' : '}';
}

}  // namespace

void emit(const Value& value, const Style& style, std::string& out) {
  Writer(style, out).document(value);
}

std::string emit(const Value& value, const Style& style) {
  std::string out;
  emit(value, style, out);
  return out;
}

void emit_documents(std::span<const Value> values, const Style& style, std::string& out) {
  for (const Value& value : values) {
    out += "---\n";
    emit(value, style, out);
  }
}

std::string one_line(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; }))
    return std::string(text);
  std::string line;
  for (const utf8::Point& point : utf8::Points(text))
    line += point.valid && is_safe(point.value) ? point.bytes : " ";
  return line;
}

void emit_scalar(std::string_view text, std::string& out) {
  if (quoting_of(text) != Quoting::plain) return emit_json_string(text, out);
  out += text;
}

std::string emit_json(const Value& value) {
  std::string out;
  write_json(value, 0, out);
  return out + "\n";
}

void emit_json_string(std::string_view text, std::string& out) {
  json::append_string(text, is_safe, out);
}

}  // namespace flexslice::yaml
