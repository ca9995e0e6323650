// The layout of scripts, and what is found in templates of scripts.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "../catch.hpp"
#include "backend/gcloud/bash.hpp"
#include "backend/gcloud/shell_quote.hpp"
#include "base/text.hpp"
#include "gist.hpp"
#include "yaml/parse.hpp"

namespace flexslice::gcloud {
namespace {

using yaml::Value;

yaml::Node parsed(const std::string& text) {
  Sources sources;
  sources.add({"script", text, 1});
  diag::Sink sink;
  auto node = yaml::parse(sources, 0, sink);
  REQUIRE(node);
  return std::move(*node);
}

std::string script_of(const Value& script, bool comments = true) {
  return to_bash(script, {"provision.sh", "two chips", "spec.yaml", comments}, templates::Set());
}

// The steps as they are written, without what every script begins with.
std::string steps(const std::string& yaml, bool comments = true, const std::string& top = "") {
  const std::string text =
      script_of(yaml::to_value(parsed("title: T\n" + top + "steps:\n" + yaml)), comments);
  std::size_t first = text.find("\nstep ");
  constexpr std::string_view of_namespace = "\nstep \"Use namespace $namespace\"\n";
  if (text.compare(first, of_namespace.size(), of_namespace) == 0)
    first = text.find("\nstep ", first + of_namespace.size());
  REQUIRE(first != std::string::npos);
  return text.substr(first + 1);
}

const std::string wide(90, 'w');

TEST_CASE("a command that fits stands on one line") {
  CHECK(steps("  - {title: Do it, run: [gcloud, a, --b=c]}\n") ==
        "step 'Do it'\nrun gcloud a --b=c\n");
  CHECK(steps("  - {title: one, run: [echo, \"it's\"]}\n  - {title: two, run: [ls]}\n") ==
        "step one\nrun echo 'it'\\''s'\n\nstep two\nrun ls\n");
}

TEST_CASE("one that does not has each flag on a line") {
  CHECK(steps("  - {title: t, run: [gcloud, pools, create, p, --one=" + wide +
              ", --two, --three=3 4]}\n") == "step t\nrun gcloud pools create p \\\n    --one=" +
                                                 wide + " \\\n    --two \\\n    --three='3 4'\n");
  CHECK(steps("  - {title: t, run: [echo, " + wide + ", x]}\n") ==
        "step t\nrun echo " + wide + " x\n");
  CHECK(steps("  - {title: t, run: [echo, " + wide + wide + "]}\n") ==
        "step t\nrun echo " + wide + wide + "\n");
}

// 100 columns fit, 101 do not.
TEST_CASE("where a line ends") {
  const std::string before = "run a --b=";
  const std::string fits(100 - before.size(), 'x');
  CHECK(steps("  - {title: t, run: [a, --b=" + fits + "]}\n") == "step t\n" + before + fits + "\n");
  CHECK(steps("  - {title: t, run: [a, --b=" + fits + "x]}\n") ==
        "step t\nrun a \\\n    --b=" + fits + "x\n");
}

TEST_CASE("guards") {
  CHECK(steps("  - {title: t, unless: {exists: p, list: [gcloud, list]}, run: [make, p]}\n") ==
        "step t\nif missing p gcloud list; then\n  run make p\nfi\n");
  CHECK(steps("  - {title: t, own: {exists: p, list: [gcloud, list]}, run: [drop, p]}\n")
            .starts_with("step t\nif own p gcloud list; then\n  run drop p\nfi\n"));
  CHECK(steps("  - {title: t, if: {exists: p, list: [gcloud, list]}, run: [drop, p]}\n") ==
        "step t\nif present p gcloud list; then\n  run drop p\nelse\n  echo '    gone "
        "already'\nfi\n");
  CHECK(steps("  - {title: t, unless: {exists: p, list: [gcloud, list, --filter=" + wide +
              "]}, run: [make, p]}\n") ==
        "step t\nif missing p gcloud list \\\n    --filter=" + wide + "; then\n  run make p\nfi\n");
}

// A template may drop the name that it asks for: then there is nothing to ask.
TEST_CASE("a guard without its name is none") {
  CHECK(steps("  - {title: t, unless: {list: [gcloud, list]}, run: [make, p]}\n") ==
        "step t\nrun make p\n");
  CHECK(steps("  - {title: t, if: {exists: p}, run: [make, p]}\n") == "step t\nrun make p\n");
  CHECK(steps("  - {title: t, run: [make, p]}\n  - {run: [no, title]}\n") ==
        "step t\nrun make p\n\nrun no title\n");
}

TEST_CASE("steps within steps") {
  CHECK(steps("  - title: outer\n    if: {exists: p, list: [l]}\n    steps:\n      - {title: "
              "inner, run: [a]}\n      - {title: more, run: "
              "[b]}\n") ==
        "step outer\nif present p l; then\n\n  step inner\n  run a\n\n  step more\n  run b\nelse\n "
        " echo '    gone already'\nfi\n");
}

TEST_CASE("what a command prints is compared, and the verdict stands at the end") {
  const std::string text =
      steps("  - {title: t, expect: [a=1 or 2, --], run: [gcloud, describe]}\n");
  CHECK(text.starts_with(
      "step t\nexpect 'a=1 or 2' -- gcloud describe\n\nstep 'Compare with the spec'\n"));
  CHECK(text.ends_with("exit 1\nfi\n"));
}

TEST_CASE("kubectl gets the namespace") {
  CHECK(steps("  - {title: t, kubectl: [get, pods]}\n") ==
        "step t\nrun kubectl get pods --namespace=\"$namespace\"\n");
  CHECK(steps("  - {title: t, delete: Job a, api: /apis/batch, kubectl: [delete, job/a]}\n") ==
        "step t\ndelete 'Job a' /apis/batch kubectl delete job/a --namespace=\"$namespace\"\n");
}

TEST_CASE("which namespace, and what the options say of it") {
  const std::string step = "steps: [{title: t, kubectl: [get, pods]}]\n";
  const std::string any = script_of(yaml::to_value(parsed("title: T\n" + step)));
  CHECK(any.find("\n  namespace=$(kubectl config view ") != std::string::npos);
  CHECK(any.find("#   bash provision.sh --namespace NS  uses namespace NS instead") !=
        std::string::npos);
  CHECK(any.find("[--dry-run] [--namespace NS]") != std::string::npos);
  const std::string given =
      script_of(yaml::to_value(parsed("title: T\nnamespace: team-a\n" + step)));
  CHECK(given.find("config view") == std::string::npos);
  CHECK(given.find("\nof_spec=team-a\n") != std::string::npos);
  CHECK(given.find("#   bash provision.sh --namespace NS  fails unless NS is team-a") !=
        std::string::npos);
  const std::string none = script_of(
      yaml::to_value(parsed("title: T\nnamespace: team-a\nsteps: [{title: t, run: [a]}]\n")));
  CHECK(none.find("namespace") == std::string::npos);
}

TEST_CASE("a script that keeps going tries every step, and reports at the end") {
  const std::string top = "keepGoing: true\n";
  const std::string all = steps(
      "  - {title: a, credentials: [c]}\n"
      "  - {title: b, if: {exists: p, list: [l]}, run: [drop, p]}\n"
      "  - {title: c, containsAll: true, run: [drop, all]}\n",
      true, top);
  CHECK(all ==
        "step a\ntry credentials c\n\nstep b\nif present p l; then\n  try run drop "
        "p\nelse\n  echo '    gone already'\nfi\n\n"
        "step c\ntry_whole run drop all\n\nstop_if_failed\n");
  CHECK(steps("  - {title: a, run: [c]}\n", true, "keepGoing: false\n") == "step a\nrun c\n");
}

TEST_CASE("a script without steps says why") {
  const std::string text =
      script_of(yaml::to_value(parsed("title: T\notherwise: it's all there\n")));
  CHECK(text.ends_with("\necho 'it'\\''s all there' >&2\n"));
}

TEST_CASE("only the functions that are used are there") {
  const auto functions = [](const std::string& yaml, const std::string& top = "") {
    const std::string text =
        script_of(yaml::to_value(parsed("title: T\n" + top + "steps:\n" + yaml)));
    std::string found;
    for (const char* name : {"run", "usage", "missing", "present", "expect", "credentials",
                             "delete", "try", "try_whole"}) {
      if (text.find("\n" + std::string(name) + "() {") != std::string::npos)
        found += std::string(name) + " ";
    }
    return found;
  };
  CHECK(functions("  - {title: t, run: [a]}\n") == "run ");
  CHECK(functions("  - {title: t, unless: {exists: p, list: [l]}, run: [a]}\n") ==
        "run usage missing ");
  CHECK(functions("  - {title: t, if: {exists: p, list: [l]}, run: [a]}\n") == "run present ");
  CHECK(functions("  - {title: t, expect: [x=1, --], run: [a]}\n") == "run expect ");
  CHECK(functions("  - {title: t, credentials: [a]}\n") == "run credentials ");
  CHECK(functions("  - {title: t, kubectl: [a]}\n") == "run usage ");
  CHECK(functions("  - {title: t, delete: x, api: y, kubectl: [a]}\n") == "run usage delete ");
  CHECK(functions("  - {title: t, run: [a]}\n", "keepGoing: true\n") == "run try ");
  CHECK(functions("  - {title: t, containsAll: true, run: [a]}\n", "keepGoing: true\n") ==
        "run try try_whole ");
}

TEST_CASE("comments explain the numbers, unless they are not wanted") {
  Value script =
      yaml::to_value(parsed("title: T\nsteps:\n  - {title: t, run: [make, --n=4, --m=5]}\n"));
  script["steps"].items[0]["run"].items[1].comment = "16 / 4\n= 4";
  const std::string with = script_of(script);
  CHECK(with.ends_with("step t\n# --n=4: 16 / 4 = 4\nrun make --n=4 --m=5\n"));
  CHECK(with.starts_with(
      "#!/usr/bin/env bash\n# T.\n# two chips.\n#\n# Compiled by flexslice from spec.yaml"));
  const std::string without = script_of(script, false);
  CHECK(without.ends_with("\nstep t\nrun make --n=4 --m=5\n"));
  CHECK(without.find("Compiled by") == std::string::npos);
}

TEST_CASE("what needs no quotes gets none") {
  CHECK(shell_quote("us-east5_b,c:d/e.f@g%h+i=j") == "us-east5_b,c:d/e.f@g%h+i=j");
  CHECK(shell_quote("") == "''");
  CHECK(shell_quote("a b") == "'a b'");
  CHECK(shell_quote("~") == "'~'");
  CHECK(shell_quote("é") == "'é'");
  CHECK(shell_quote("--filter=name~^a$") == "--filter='name~^a$'");
  CHECK(shell_quote("--labels=") == "--labels=");
  CHECK(shell_quote("--Labels=a b") == "'--Labels=a b'");
  CHECK(shell_quote("--a b=c") == "'--a b=c'");
}

std::vector<std::string> findings(const std::string& text) {
  Sources sources;
  sources.add({"script", text, 1});
  diag::Sink sink;
  auto node = yaml::parse(sources, 0, sink);
  REQUIRE(node);
  const yaml::Frozen frozen(*node);
  check(frozen.root(), sink);
  std::vector<std::string> lines;
  for (const auto& each : sink.take()) {
    const Position at = sources.position(each.where);
    lines.push_back(test::gist(
        fmt::format("{}:{} {} {}", at.line, at.column, diag::code_text(each.code), each.message)));
  }
  return lines;
}

TEST_CASE("steps of another form are found") {
  using Lines = std::vector<std::string>;
  CHECK(findings("title: T\nsteps:\n  - {title: t, run: [a]}\n  - {$each: x in y, $when: z, title: "
                 "t, credentials: [a]}\n") == Lines{});
  CHECK(findings("title: T\nsteps:\n  - {title: t, steps: [{title: i, expect: [x=1, --], run: [a], "
                 "unless: "
                 "{exists: a, list: [b]}}]}\n") == Lines{});
  CHECK(findings("[]\n") == Lines{"1:1 FS9301 `title` `steps`"});
  CHECK(findings("title: T\n") == Lines{"1:1 FS9301 `title` `steps`"});
  CHECK(findings("title: T\nsteps: x\n") == Lines{"2:8 FS9301 `steps`"});
  CHECK(findings("title: T\nstep: x\nsteps: []\n") == Lines{"2:7 FS9301 `step`"});
  CHECK(findings("title: T\nsteps: [x]\n") == Lines{"2:9 FS9301"});
  CHECK(findings("title: T\nsteps:\n  - {title: t, rum: [a]}\n") ==
        Lines{"3:5 FS9301 `title` `run` `credentials` `kubectl` `steps`", "3:21 FS9301 `rum`"});
  CHECK(findings("title: T\nsteps:\n  - {title: t, run: [a], if: {exists: x}}\n") ==
        Lines{"3:30 FS9301 `if` `exists` `list`"});
  CHECK(findings("title: T\nsteps:\n  - {title: t, delete: x, kubectl: [a]}\n") ==
        Lines{"3:5 FS9301 `delete` `api` `kubectl`"});
  CHECK(findings("title: T\nsteps:\n  - {title: t, steps: [{run: [a]}]}\n") ==
        Lines{"3:24 FS9301 `title` `run` `credentials` `kubectl` `steps`"});
}

}  // namespace
}  // namespace flexslice::gcloud
