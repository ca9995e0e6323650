#include <fmt/core.h>

#include <algorithm>

#include "backend/template/syntax.hpp"
#include "backend/template/template.hpp"
#include "base/text.hpp"

namespace flexslice::templates {

using diag::Code;
using schema::Category;
using schema::Field;
using schema::Type;
using yaml::View;

namespace {

constexpr int deepest = 8;  // templates within templates

// A path leads to this, by type alone.
struct Lead {
  const Type* type = nullptr;  // null: the path does not exist, or nothing is known of it
  // The parts of the path, from its beginning, that may have no value.
  std::vector<std::string_view> may_lack = {};
  const schema::Table* table = nullptr;  // where a path that does not exist left the tables,
  std::size_t at = 0;                    // and the part of it that is not there
};

// From the part of `path` that begins at `at`, which is of that type.
Lead follow(const Type* type, std::string_view path, std::size_t at) {
  Lead lead;
  while (at < path.size()) {
    const std::size_t end = std::min(path.find('.', at), path.size());
    if (type->category == Category::tree) {
      lead.may_lack.push_back(path);
      break;
    }
    const Field* field = type->category == Category::record
                             ? type->table->find_with_claims(path.substr(at, end - at))
                             : nullptr;
    if (field == nullptr && type->category != Category::map) return {nullptr, {}, type->table, at};
    if (field == nullptr || field->presence == schema::Presence::optional)
      lead.may_lack.push_back(path.substr(0, end));
    type = field == nullptr ? type->element : field->type;
    at = end + 1;
  }
  const bool collection = type->category == Category::list || type->category == Category::map;
  if (collection && (lead.may_lack.empty() || lead.may_lack.back() != path))
    lead.may_lack.push_back(path);
  lead.type = type;
  return lead;
}

// The names that are bound, and the conditions that hold, at one place of a template.
struct Context {
  const Scope* scope;
  const Context* outer = nullptr;
  std::string_view holds = {};  // a path that has a value here
};

class Checker {
 public:
  Checker(const Set& templates, diag::Sink& sink) : templates_(templates), sink_(sink) {}

  void whole_template(std::string_view name, Span where, const Context& context) {
    const View tree = templates_.find(name);
    if (!tree)
      return diag::did_you_mean(sink_.report<Code::TemplateUnknownPath>(where, name), name,
                                templates_.names({}));
    if (++depth_ > deepest) {
      syntax(where, fmt::format("`{}` includes itself, or is nested more than {} templates deep",
                                name, deepest));
    } else {
      node(tree, context);
    }
    --depth_;
  }

 private:
  void syntax(Span where, std::string_view message) {
    sink_.report<Code::TemplateSyntax>(where, message);
  }

  void node(View tree, const Context& context) {
    if (tree.is_scalar()) {
      for (std::string_view rest = tree.text(); const auto piece = take_piece(rest);) {
        if (piece->is_placeholder) target(placeholder_of(piece->text), tree.span(), context);
      }
    } else if (tree.is_mapping()) {
      mapping(tree, context);
    } else if (tree.is_sequence()) {
      for (const View child : tree) node(child, context);
    }
  }

  // The type of the value that the target names; null where it is not known.
  const Type* target(Placeholder target, Span where, const Context& context) {
    if (target.is_template()) {
      whole_template(target.name, where, context);
      return nullptr;
    }
    const Lead lead = path(target.name, where, context);
    if (lead.type == nullptr || target.optional) return lead.type;
    const auto lacking = std::ranges::find_if(
        lead.may_lack, [&](std::string_view part) { return !holds(part, context); });
    if (lacking != lead.may_lack.end())
      syntax(where, fmt::format("`{0}` may be absent: write `${{?{1}}}`, or add `$when: {0}` "
                                "around it",
                                *lacking, target.name));
    return lead.type;
  }

  static bool holds(std::string_view path, const Context& context) {
    return context.holds == path || (context.outer != nullptr && holds(path, *context.outer));
  }

  Lead path(std::string_view path, Span where, const Context& context) {
    const std::string_view first = path.substr(0, path.find('.'));
    Lead missing;
    for (const Scope* scope = path.empty() ? nullptr : context.scope; scope != nullptr;
         scope = scope->outer) {
      const bool is_named = !scope->name.empty();
      if (is_named && scope->name != first) continue;
      // An element has no known type where its list has none.
      if (scope->value.type == nullptr) return {};
      Lead lead = follow(scope->value.type, path, is_named ? first.size() + 1 : 0);
      if (lead.type != nullptr) return lead;
      if (missing.table == nullptr) missing = std::move(lead);
      if (is_named) break;
    }
    diag::Diagnostic& report = sink_.report<Code::TemplateUnknownPath>(where, path);
    if (missing.table == nullptr) return {};
    const std::size_t end = std::min(path.find('.', missing.at), path.size());
    std::vector<std::string> known;
    const auto add = [&](const Field& field) {
      known.push_back(fmt::format("{}{}", path.substr(0, missing.at), field.key));
    };
    std::ranges::for_each(missing.table->fields, add);
    missing.table->for_each_claim(add);
    const std::vector<std::string_view> candidates(known.begin(), known.end());
    if (const auto near = text::nearest(path.substr(0, end), candidates))
      report.help(fmt::format("did you mean `{}{}`?", *near, path.substr(end)));
    return {};
  }

  void mapping(View tree, const Context& outer) {
    Context context{outer.scope, &outer, {}};
    Scope bound{{}, {}, outer.scope};
    if (const View each = tree.find(each_key)) {
      if (const auto loop = loop_of(each.text())) {
        const Type* list = target({loop->list.name, true}, each.span(), outer);
        bound.name = loop->name;
        bound.value.type =
            list != nullptr && list->category == Category::list ? list->element : nullptr;
        context.scope = &bound;
      } else {
        syntax(each.span(), "`$each` must be `NAME in PATH`");
      }
    }
    if (const View name = tree.find(key_key); name && !tree.find(each_key))
      syntax(name.span(), "`$key` needs an `$each`");
    if (const View with = tree.find(with_key)) {
      const auto binding = loop_of(with.text());
      if (!binding || !tree.find(value_key)) {
        syntax(with.span(), "`$with` must be `NAME in PATH`, and needs a `$value`");
      } else {
        bound.name = binding->name;
        bound.value.type = target({binding->list.name, true}, with.span(), outer);
        context.scope = &bound;
      }
    }
    if (const View when = tree.find(when_key)) {
      const Condition condition = condition_of(when.text());
      path(condition.path, when.span(), context);
      if (!condition.negated) context.holds = condition.path;
    }
    for (const View child : tree) member(child, context);
  }

  void member(View child, const Context& context) {
    const std::string_view key = child.key();
    if (key == when_key || key == each_key || key == with_key) return;
    if (key == merge_key) {
      merge(child, context);
    } else if (key == put_key) {
      put(child, context);
    } else if (key.starts_with('$') && key != value_key && key != comment_key && key != key_key) {
      syntax(
          child.span(),
          fmt::format("there is no `{}`, only `$when`, `$each`, `$key`, `$with`, `$merge`, `$put`, "
                      "`$value` and `$comment`",
                      key));
    } else {
      node(child, context);
    }
  }

  void merge(View sources, const Context& context) {
    if (!sources.is_sequence())
      return void(target({sources.text(), true}, sources.span(), context));
    for (const View source : sources) merge(source, context);
  }

  void put(View row, const Context& context) {
    const auto loop = loop_of(row.text());
    if (!loop) return syntax(row.span(), "`$put` must be `MEMBER in PATH`");
    const Type* list = target({loop->list.name, true}, row.span(), context);
    if (list == nullptr) return;
    for (std::string_view member : {loop->name, std::string_view("value")}) {
      if (list->category != Category::list || follow(list->element, member, 0).type == nullptr)
        sink_.report<Code::TemplateUnknownPath>(row.span(),
                                                fmt::format("{}.{}", loop->list.name, member));
    }
  }

  const Set& templates_;
  diag::Sink& sink_;
  int depth_ = 0;
};

}  // namespace

void check(const Set& templates, std::string_view name, const Scope& scope, diag::Sink& sink) {
  Checker(templates, sink).whole_template(name, {}, Context{&scope});
}

}  // namespace flexslice::templates
