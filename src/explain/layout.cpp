#include "explain/layout.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace flexslice::explain {

namespace {

constexpr std::size_t indent = 2;
constexpr std::size_t gap = 2;
constexpr std::size_t widest_value = 24;

void end_line(std::string& out) {
  while (out.ends_with(' ')) out.pop_back();
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

std::string aligned_table(std::vector<std::string> headings,
                          const std::vector<std::vector<std::string>>& rows) {
  std::vector<bool> right;
  std::vector<std::size_t> widths;
  for (std::string& heading : headings) {
    right.push_back(heading.starts_with('>'));
    if (right.back()) heading.erase(0, 1);
    widths.push_back(heading.size());
  }
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string out;
  const auto add = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths[i] - cells[i].size(), ' ');
      if (i > 0) out.append(gap, ' ');
      out += right[i] ? padding + cells[i] : cells[i] + padding;
    }
    end_line(out);
  };
  add(headings);
  for (const auto& row : rows) add(row);
  return out;
}

void Sheet::title(std::string_view text) {
  flush();
  section_.clear();
  if (!out_.empty()) out_ += '\n';
  for (const std::string& line : wrapped(text, page_width)) out_ += line + "\n";
}

void Sheet::section(std::string_view heading) {
  flush();
  section_ = heading;
}

void Sheet::begin_section() {
  if (!section_.empty()) out_ += "\n" + section_ + "\n";
  section_.clear();
}

void Sheet::line(std::string_view text) {
  flush();
  begin_section();
  out_ += fmt::format("{:{}}{}\n", "", indent, text);
}

void Sheet::paragraph(std::string_view text) {
  for (const std::string& each : wrapped(text, page_width - indent)) line(each);
}

SheetEntry& Sheet::entry(std::string_view label, std::string_view text) {
  return entries_.emplace_back(SheetEntry{std::string(label), std::string(text)});
}

void Sheet::lay(const SheetEntry& entry, std::size_t value_column, std::size_t text_column) {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view part) {
    if (part.empty()) return;
    // A source in brackets is put after the text where the line has room.
    if (part.front() == '[' && lines.size() == 1 &&
        text_column + lines.back().size() + gap + part.size() <= page_width) {
      lines.back().append(gap, ' ').append(part);
      return;
    }
    for (std::string& line : wrapped(part, page_width - text_column))
      lines.push_back(std::move(line));
  };
  add(entry.text);
  for (std::string_view part : text::split(entry.source, '\n')) add(part);
  std::string line = std::string(indent, ' ') + entry.label;
  line.resize(value_column, ' ');
  line += entry.value;
  // A value wider than its column has the line to itself.
  if (!lines.empty() && !entry.value.empty() && line.size() + gap > text_column) {
    out_ += line + "\n";
    line.clear();
  }
  for (const std::string& text : lines) {
    line.resize(text_column, ' ');
    out_ += line + text + "\n";
    line.clear();
  }
  if (lines.empty()) end_line(out_ += line);
}

void Sheet::flush() {
  if (entries_.empty()) return;
  begin_section();
  std::size_t value_column = 0, value_width = 0;
  for (const SheetEntry& entry : entries_) {
    value_column = std::max(value_column, indent + entry.label.size() + gap);
    if (entry.value.size() <= widest_value) value_width = std::max(value_width, entry.value.size());
  }
  const std::size_t text_column = value_column + (value_width > 0 ? value_width + gap : 0);
  for (const SheetEntry& entry : entries_) lay(entry, value_column, text_column);
  entries_.clear();
}

std::string Sheet::take() {
  flush();
  return std::move(out_);
}

}  // namespace flexslice::explain
