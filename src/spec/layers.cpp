#include "spec/layers.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "yaml/parse.hpp"

namespace flexslice::spec {

using yaml::Kind;
using yaml::Node;

Node overlay(Node base, Node over) {
  if (base.kind != Kind::mapping || over.kind != Kind::mapping) return over;
  for (yaml::Member& member : over.members) {
    const auto same =
        std::find_if(base.members.begin(), base.members.end(),
                     [&](const yaml::Member& each) { return each.key.text == member.key.text; });
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
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    sink.report<diag::Code::SetSyntax>(Span{index, 0, static_cast<std::uint32_t>(text.size())},
                                       text);
    return std::nullopt;
  }
  Sources own;
  own.add({sources[index].name, std::string(text.substr(equals + 1)), 1});
  diag::Sink own_sink;
  auto value = yaml::parse(own, 0, own_sink);
  if (!value || own_sink.errors() > 0) {
    sink.report<diag::Code::SetSyntax>(Span{index, 0, static_cast<std::uint32_t>(text.size())},
                                       text)
        .note(own_sink.found().front().message);
    return std::nullopt;
  }
  shift(*value, index, static_cast<std::uint32_t>(equals + 1));

  const std::vector<std::string_view> keys = text::split(text.substr(0, equals), '.');
  const Span path{index, 0, static_cast<std::uint32_t>(equals)};
  Node made = std::move(*value);
  for (std::size_t i = keys.size(); i-- > 0;) {
    Node key;
    key.kind = Kind::scalar;
    key.span = path;
    key.text = keys[i];
    Node outer;
    outer.kind = Kind::mapping;
    outer.span = path;
    outer.members.push_back({std::move(key), std::move(made)});
    made = std::move(outer);
  }
  return made;
}

}  // namespace flexslice::spec
