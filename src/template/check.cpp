#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "template/syntax.hpp"
#include "template/template.hpp"

namespace flexslice::templates {

using diag::Code;
using schema::Category;
using schema::Field;
using schema::Type;
using yaml::View;

namespace {

constexpr int deepest = 8;  // templates within templates

// What a path leads to, by type alone.
struct Found {
  const Type* type = nullptr;  // null: the path does not exist, or nothing is known of it
  std::vector<std::string_view>
      may_lack;  // the parts of the path, from its beginning, that may have no value
  const schema::Table* table = nullptr;  // where a path that does not exist left the tables,
  std::size_t at = 0;                    // and the part of it that is not there
};

// From the part of `path` that begins at `at`, which is of that type.
Found follow(const Type* type, std::string_view path, std::size_t at) {
  Found found;
  while (at < path.size()) {
    const std::size_t end = std::min(path.find('.', at), path.size());
    const std::string_view key = path.substr(at, end - at), so_far = path.substr(0, end);
    if (type->category == Category::tree) {
      found.may_lack.push_back(path);
      break;
    }
    const Field* field = type->category == Category::record ? type->table->find(key) : nullptr;
    if (field == nullptr && type->category != Category::map) return {nullptr, {}, type->table, at};
    if (field == nullptr || field->presence == schema::Presence::optional)
      found.may_lack.push_back(so_far);
    type = field == nullptr ? type->element : field->type;
    at = end + 1;
  }
  const bool collection = type->category == Category::list || type->category == Category::map;
  if (collection && (found.may_lack.empty() || found.may_lack.back() != path))
    found.may_lack.push_back(path);
  found.type = type;
  return found;
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
    if (!tree) {
      diag::did_you_mean(sink_.report<Code::TemplateUnknownPath>(where, name), name,
                         templates_.names({}));
      return;
    }
    if (++depth_ > deepest) {
      syntax(where, fmt::format("`{}` is nested in itself, or more than {} templates deep", name,
                                deepest));
    } else {
      node(tree, context);
    }
    --depth_;
  }

 private:
  void syntax(Span where, std::string message) {
    sink_.report<Code::TemplateSyntax>(where, message);
  }

  void node(View tree, const Context& context) {
    if (tree.is_scalar()) {
      for (std::string_view rest = tree->text; const auto piece = take_piece(rest);) {
        if (piece->is_placeholder) target(target_of(piece->text), tree->span, context);
      }
    } else if (tree.is_mapping()) {
      mapping(tree, context);
    } else if (tree.is_sequence()) {
      for (const View child : tree) node(child, context);
    }
  }

  // The type of what the target stands for; null where it is not known.
  const Type* target(Target target, Span where, const Context& context) {
    if (target.is_template()) {
      whole_template(target.name, where, context);
      return nullptr;
    }
    const Found found = path(target.name, where, context);
    if (found.type == nullptr || target.optional) return found.type;
    for (std::string_view lacking : found.may_lack) {
      if (holds(lacking, context)) continue;
      syntax(where, "`" + std::string(lacking) + "` may be absent: write `${?" +
                        std::string(target.name) + "}`, or add `$when: " + std::string(lacking) +
                        "` around it");
      break;
    }
    return found.type;
  }

  static bool holds(std::string_view path, const Context& context) {
    for (const Context* each = &context; each != nullptr; each = each->outer) {
      if (each->holds == path) return true;
    }
    return false;
  }

  Found path(std::string_view path, Span where, const Context& context) {
    const std::string_view first = path.substr(0, path.find('.'));
    Found missing;
    for (const Scope* each = path.empty() ? nullptr : context.scope; each != nullptr;
         each = each->outer) {
      if (!each->name.empty() && each->name != first) continue;
      // Of an element whose list is not known by type, nothing is known.
      if (each->value.type == nullptr) return {};
      Found found = follow(each->value.type, path, each->name.empty() ? 0 : first.size() + 1);
      if (found.type != nullptr) return found;
      if (missing.table == nullptr) missing = std::move(found);
      if (!each->name.empty()) break;
    }
    diag::Diagnostic& found = sink_.report<Code::TemplateUnknownPath>(where, path);
    suggest(found, path, missing);
    return {};
  }

  static void suggest(diag::Diagnostic& found, std::string_view path, const Found& missing) {
    if (missing.table == nullptr) return;
    const std::size_t end = std::min(path.find('.', missing.at), path.size());
    std::vector<std::string> known;
    for (const Field& field : missing.table->fields)
      known.push_back(fmt::format("{}{}", path.substr(0, missing.at), field.key));
    const std::vector<std::string_view> candidates(known.begin(), known.end());
    if (const auto near = text::nearest(path.substr(0, end), candidates))
      found.help(fmt::format("did you mean `{}{}`?", *near, path.substr(end)));
  }

  void mapping(View tree, const Context& outer) {
    Context context{outer.scope, &outer, {}};
    Scope bound{{}, {}, outer.scope};
    if (const View each = tree.find(each_key)) {
      if (const auto loop = loop_of(each->text)) {
        const Type* list = target({loop->list.name, true}, each->span, outer);
        bound.name = loop->name;
        bound.value.type =
            list != nullptr && list->category == Category::list ? list->element : nullptr;
        context.scope = &bound;
      } else {
        syntax(each->span, "`$each` must be `NAME in PATH`");
      }
    }
    if (const View when = tree.find(when_key)) {
      const Condition condition = condition_of(when->text);
      path(condition.path, when->span, context);
      if (!condition.negated) context.holds = condition.path;
    }
    for (const View child : tree) member(child, context);
  }

  void member(View child, const Context& context) {
    const std::string_view key = child.key();
    if (key == when_key || key == each_key) return;
    if (key == merge_key) {
      if (!child.is_sequence()) return void(target({child->text, true}, child->span, context));
      for (const View each : child) target({each->text, true}, each->span, context);
    } else if (key.starts_with('$') && key != value_key && key != comment_key) {
      syntax(
          child->span,
          fmt::format("there is no `{}`, only `$when`, `$each`, `$merge`, `$value` and `$comment`",
                      key));
    } else {
      node(child, context);
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
