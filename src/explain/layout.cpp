#include "explain/layout.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace flexslice::explain {

namespace {

constexpr std::size_t indent = 2;
constexpr std::size_t gap = 2;
constexpr std::size_t widest_value = 24;

void pad(std::string& out, std::size_t count) { out.append(count, ' '); }

void trim_line(std::string& out) {
  while (!out.empty() && out.back() == ' ') out.pop_back();
  out += '\n';
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (std::string_view word : text::split(text, ' ')) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
      lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

std::string table(const std::vector<std::string>& headings,
                  const std::vector<std::vector<std::string>>& rows) {
  std::vector<bool> right;
  std::vector<std::string> names;
  std::vector<std::size_t> widths;
  for (const std::string& heading : headings) {
    right.push_back(heading.starts_with('>'));
    names.push_back(right.back() ? heading.substr(1) : heading);
    widths.push_back(names.back().size());
  }
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) pad(out, gap);
      if (right[i]) pad(out, widths[i] - cells[i].size());
      out += cells[i];
      if (!right[i]) pad(out, widths[i] - cells[i].size());
    }
    trim_line(out);
  };
  line(names);
  for (const auto& row : rows) line(row);
  return out;
}

void Sheet::title(std::string_view text) {
  flush();
  if (!out_.empty()) out_ += '\n';
  for (const std::string& line : wrapped(text, page_width)) out_ += line + "\n";
}

void Sheet::section(std::string_view heading) {
  flush();
  out_ += '\n';
  out_ += heading;
  out_ += '\n';
}

void Sheet::paragraph(std::string_view text) {
  flush();
  for (const std::string& line : wrapped(text, page_width - indent)) {
    pad(out_, indent);
    out_ += line + "\n";
  }
}

void Sheet::lay(const Entry& entry, std::size_t label_width, std::size_t value_width) {
  const std::size_t value_column = indent + label_width + gap;
  const std::size_t column = value_column + (value_width > 0 ? value_width + gap : 0);
  std::string line(indent, ' ');
  line += entry.label;
  line.resize(value_column, ' ');
  line += entry.value;
  std::vector<std::string> lines;
  const auto add = [&](std::string_view part) {
    if (part.empty()) return;
    // In brackets behind what is there, where the line has room.
    const bool room = part.front() == '[' && lines.size() == 1 &&
                      column + lines.back().size() + gap + part.size() <= page_width;
    if (room) {
      lines.back() += std::string(gap, ' ') + std::string(part);
      return;
    }
    for (std::string& each : wrapped(part, page_width - column)) lines.push_back(std::move(each));
  };
  add(entry.text);
  for (std::string_view part : text::split(entry.source, '\n')) add(part);
  // A value wider than its column has the line to itself.
  if (!lines.empty() && line.size() + (value_width > 0 ? gap : 0) > column) {
    out_ += line + "\n";
    line.clear();
  }
  for (const std::string& text : lines) {
    line.resize(column, ' ');
    out_ += line + text + "\n";
    line.clear();
  }
  if (lines.empty()) trim_line(out_ += line);
}

void Sheet::flush() {
  std::size_t label_width = 0;
  std::size_t value_width = 0;
  for (const Entry& entry : entries_) {
    label_width = std::max(label_width, entry.label.size());
    if (entry.value.size() <= widest_value) value_width = std::max(value_width, entry.value.size());
  }
  for (const Entry& entry : entries_) lay(entry, label_width, value_width);
  entries_.clear();
}

std::string Sheet::take() {
  flush();
  return std::move(out_);
}

}  // namespace flexslice::explain
