#include "spec/document.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "yaml/parse.hpp"

namespace flexslice::spec {

using yaml::Kind;
using yaml::Node;

bool is_spec(const yaml::Node& document, diag::Sink& sink) {
  const yaml::Node* version = document.find("apiVersion");
  const yaml::Node* kind = document.find("kind");
  if (version == nullptr || kind == nullptr || version->kind != yaml::Kind::scalar ||
      kind->kind != yaml::Kind::scalar)
    return true;
  constexpr std::string_view ours[] = {"flexslice/v1"};
  if (version->text.starts_with("flexslice") || text::nearest(version->text, ours)) return true;
  sink.report<diag::Code::UnknownChoice>(version->span, "apiVersion", version->text)
      .note(
          fmt::format("this is a Kubernetes {}; specs have `apiVersion: flexslice/v1`", kind->text))
      .help(
          "`flexslice init` writes a starter spec; with `--only-specs` other files are "
          "skipped");
  return false;
}

Node overlay(Node base, Node over) {
  if (base.kind != Kind::mapping || over.kind != Kind::mapping) return over;
  for (yaml::Member& member : over.members) {
    const auto same = std::ranges::find(
        base.members, member.key.text,
        [](const yaml::Member& below) -> const std::string& { return below.key.text; });
    if (same == base.members.end()) {
      base.members.push_back(std::move(member));
    } else {
      *same = {std::move(member.key), overlay(std::move(same->value), std::move(member.value))};
    }
  }
  // What is missing is missing in the spec, not in the layer beneath it.
  base.span = over.span;
  return base;
}

namespace {

void shift(Node& node, std::uint32_t source, std::uint32_t by) {
  node.span = {source, node.span.begin + by, node.span.end + by};
  for (Node& item : node.items) shift(item, source, by);
  for (yaml::Member& member : node.members) {
    shift(member.key, source, by);
    shift(member.value, source, by);
  }
}

}  // namespace

std::optional<Node> set_value(const Sources& sources, std::uint32_t index, diag::Sink& sink) {
  const std::string_view text = sources[index].text;
  const auto whole = static_cast<std::uint32_t>(text.size());
  const auto report = [&]() -> diag::Diagnostic& {
    return sink.report<diag::Code::SetSyntax>(Span{index, 0, whole}, text);
  };
  const auto equals = static_cast<std::uint32_t>(std::min(text.find('='), text.size()));
  if (equals == whole || equals == 0) {
    report();
    return std::nullopt;
  }
  Sources own;
  own.add({sources[index].name, std::string(text.substr(equals + 1)), 1});
  diag::Sink own_sink;
  auto tree = yaml::parse(own, 0, own_sink);
  if (!tree || own_sink.errors() > 0) {
    report().note(own_sink.found().front().message);
    return std::nullopt;
  }
  shift(*tree, index, equals + 1);

  const Span path{index, 0, equals};
  std::vector<std::string_view> keys = text::split(text.substr(0, equals), '.');
  for (; !keys.empty(); keys.pop_back()) {
    yaml::Member member{{}, std::move(*tree)};
    member.key.kind = Kind::scalar;
    member.key.span = path;
    member.key.text = keys.back();
    tree.emplace();
    tree->kind = Kind::mapping;
    tree->span = path;
    tree->members.push_back(std::move(member));
  }
  return tree;
}

}  // namespace flexslice::spec
