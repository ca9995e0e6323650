#include "import/copied_fields.hpp"

#include <fmt/core.h>

#include <string>

#include "backend/template/syntax.hpp"
#include "backend/template/template.hpp"
#include "base/lists.hpp"
#include "spec/spec_fields.hpp"

namespace flexslice::imports {

namespace {

using schema::Category;
using yaml::View;

// In a spec these have forms of their own, such as `script`.
constexpr std::string_view own_forms[] = {"command", "args"};

// The seconds of an object are durations in a spec, and a policy has rules of compile too.
const CopiedField converted[] = {
    {FieldPart::pod, {"terminationGracePeriodSeconds"}, "terminationGrace", true},
    {FieldPart::job, {"activeDeadlineSeconds"}, "activeDeadline", true},
    {FieldPart::object, {"ttlSecondsAfterFinished"}, "ttlAfterFinished", true},
    {FieldPart::job, {"podFailurePolicy"}, "podFailurePolicy"},
};

bool is_copied(const schema::Field* field) {
  if (field == nullptr || contains(own_forms, field->key)) return false;
  const schema::Type& type = *field->type;
  const Category category =
      type.category == Category::list ? type.element->category : type.category;
  return category != Category::record && category != Category::map && category != Category::list;
}

// The field that the placeholder names, which has to be the whole text; empty: it is another text.
std::string_view field_of(std::string_view text) {
  const auto piece = templates::take_piece(text);
  if (!piece || !piece->is_placeholder || !text.empty()) return {};
  std::string_view name = templates::placeholder_of(piece->text).name;
  for (const std::string_view scope : {"workload.", "container."}) {
    if (!name.starts_with(scope)) continue;
    name.remove_prefix(scope.size());
    const schema::Field* field = schema::TableOf<spec::Workload>::table.find(name);
    return is_copied(field) ? field->key : std::string_view();
  }
  return {};
}

void read_template(View tree, FieldPart part, yaml::Path& path, std::vector<CopiedField>& fields) {
  if (!tree.is_mapping()) return;
  for (const View member : tree) {
    if (member.key().starts_with('$')) continue;
    path.emplace_back(member.key());
    if (const std::string_view field = member.is_scalar() ? field_of(member.text()) : "";
        !field.empty())
      fields.push_back({part, path, field});
    else
      read_template(member, part, path, fields);
    path.pop_back();
  }
}

}  // namespace

std::vector<CopiedField> copied_fields(std::string_view kind) {
  static const templates::Set built_in;
  std::vector<CopiedField> fields(std::begin(converted), std::end(converted));
  yaml::Path path;
  const View pod = built_in.find("kubernetes/pod").find("spec");
  read_template(pod, FieldPart::pod, path, fields);
  for (const View container : pod.find("containers"))
    if (container.find(templates::each_key))
      read_template(container, FieldPart::container, path, fields);
  read_template(built_in.find("kubernetes/job-spec"), FieldPart::job, path, fields);
  const View object = built_in.find(fmt::format("kubernetes/{}", kind));
  if (object) read_template(object.find("spec"), FieldPart::object, path, fields);
  return fields;
}

}  // namespace flexslice::imports
