#include "import/wording.hpp"

#include <fmt/core.h>

#include "yaml/emit.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// On one line, cut where it is longer.
void write_inline(const Value& value, std::size_t longest, std::string& out) {
  if (out.size() > longest) return;
  const bool list = value.is_sequence();
  if (!list && !value.is_mapping()) {
    out += value.kind == Value::Kind::null ? "null" : yaml::one_line(value.text);
    return;
  }
  out += list ? '[' : '{';
  bool first = true;
  const auto separate = [&] {
    if (!first) out += ", ";
    first = false;
  };
  for (const Value& item : value.items) {
    separate();
    write_inline(item, longest, out);
  }
  for (const auto& [key, member] : value.members) {
    separate();
    out += key + ": ";
    write_inline(member, longest, out);
  }
  out += list ? ']' : '}';
}

}  // namespace

std::string value_text(const Value& value, std::size_t longest) {
  std::string text;
  write_inline(value, longest, text);
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string object_title(const Value& object) {
  return fmt::format("{} `{}`", object.text_at({"kind"}), object.text_at({"metadata", "name"}));
}

std::string_view consequence(std::string_view kind, const Difference& difference) {
  const std::string place = difference.place();
  if (kind == "Service" && place == "metadata.name")
    return "clients that use the old name have to use the new one";
  if (kind == "Deployment" && place.starts_with("spec.selector"))
    return "Kubernetes never changes a selector: delete the old Deployment before you apply this "
           "one";
  return {};
}

}  // namespace flexslice::imports
