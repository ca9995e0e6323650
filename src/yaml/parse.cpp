#include "yaml/parse.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "base/lines.hpp"
#include "yaml/builder.hpp"
#include "yaml/check.hpp"
#include "yaml/extent.hpp"

namespace flexslice::yaml {

namespace {

using diag::Code;

// yaml-cpp counts bytes, but not the mark at the beginning of the file; offsets are made to fit the
// source here.
class Handler final : public YAML::EventHandler {
  using Mark = YAML::Mark;
  using Anchor = YAML::anchor_t;
  using Style = YAML::EmitterStyle::value;

 public:
  Handler(std::string_view text, Builder& builder)
      : base_(text::mark_length(text)), size_(text.size()), builder_(builder) {}

  void OnDocumentStart(const Mark& mark) override { builder_.document(offset(mark)); }
  void OnDocumentEnd() override { builder_.document_end(); }
  void OnNull(const Mark& mark, Anchor anchor) override { builder_.null(offset(mark), anchor); }
  void OnAlias(const Mark& mark, Anchor anchor) override { builder_.alias(offset(mark), anchor); }
  void OnScalar(const Mark& mark, const std::string& tag, Anchor anchor,
                const std::string& value) override {
    builder_.scalar(offset(mark), tag, anchor, value);
  }
  void OnSequenceStart(const Mark& mark, const std::string& tag, Anchor anchor,
                       Style style) override {
    builder_.open(Kind::sequence, offset(mark), tag, anchor, style == YAML::EmitterStyle::Flow);
  }
  void OnSequenceEnd() override { builder_.close(); }
  void OnMapStart(const Mark& mark, const std::string& tag, Anchor anchor, Style style) override {
    builder_.open(Kind::mapping, offset(mark), tag, anchor, style == YAML::EmitterStyle::Flow);
  }
  void OnMapEnd() override { builder_.close(); }
  void OnAnchor(const Mark& mark, const std::string& name) override {
    builder_.anchor(offset(mark), name);
  }

  std::size_t offset(const Mark& mark) const {
    return std::min(base_ + static_cast<std::size_t>(std::max(0, mark.pos)), size_);
  }

 private:
  std::size_t base_;
  std::size_t size_;
  Builder& builder_;
};

bool report_line(std::string_view message, std::string_view text, std::size_t at,
                 std::uint32_t source, diag::Sink& sink) {
  const Span where{source, static_cast<std::uint32_t>(at),
                   static_cast<std::uint32_t>(text::line_end(text, at))};
  sink.report<Code::InvalidYaml>(where, message);
  return false;
}

constexpr std::string_view stray_directive = "a line cannot begin with `%`";

// The reader drops every line that begins with `%`, but only `%YAML` and `%TAG` are something that
// may be dropped, and only at the beginning. `at` moves behind them.
bool check_directives(std::string_view text, std::size_t& at, std::uint32_t source,
                      diag::Sink& sink) {
  at = skip_space(text, text::mark_length(text));
  while (at < text.size() && text[at] == '%') {
    const std::string_view line = text.substr(at);
    if (!line.starts_with("%YAML ") && !line.starts_with("%TAG "))
      return report_line(stray_directive, text, at, source, sink);
    at = skip_space(text, text::line_end(text, at));
  }
  return true;
}

// The reader drops what follows such a line in the middle of a text. `at` is the end of the
// document's value.
bool check_rest(std::string_view text, std::size_t at, std::uint32_t source, diag::Sink& sink) {
  at = skip_properties(text, skip_space(text, at));
  if (text.substr(at).starts_with("---")) at = skip_space(text, at + 3);
  if (at >= text.size() || text.substr(at).starts_with("...")) return true;
  const std::string_view message =
      text[at] == '%' ? stray_directive : "unexpected text after the end of the value";
  return report_line(message, text, at, source, sink);
}

// Whether the reader came to the end; if not, the reason is reported.
bool read(std::string_view text, std::uint32_t source, Builder& builder, diag::Sink& sink) {
  Handler handler(text, builder);
  try {
    std::istringstream stream{std::string(text.substr(text::mark_length(text)))};
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(handler)) parser.HandleNextDocument(handler);
    return true;
  } catch (const Stop&) {
    return false;
  } catch (const YAML::ParserException& exception) {
    builder.fail(handler.offset(exception.mark), exception.msg);
  } catch (const YAML::Exception& exception) {
    sink.report<Code::InvalidYaml>({source, 0, 0}, text::lower(exception.what()));
  }
  return false;
}

}  // namespace

std::optional<Node> parse(const Sources& sources, std::uint32_t index, diag::Sink& sink) {
  const std::string_view text = sources[index].text;
  std::size_t begin = 0;
  if (!check_text(text, index, sink) || !check_directives(text, begin, index, sink))
    return std::nullopt;
  Builder builder(sources, index, sink);
  if (!read(text, index, builder, sink)) return std::nullopt;
  if (builder.report_refusals() || !check_rest(text, std::max(begin, builder.end()), index, sink))
    return std::nullopt;
  return builder.take();
}

}  // namespace flexslice::yaml
