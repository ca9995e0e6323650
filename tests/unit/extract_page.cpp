#include "../catch.hpp"
#include "extract/file.hpp"

namespace flexslice::extract {
namespace {

// The excerpts of a page; every byte is where it says, unless the page has tabs or marks.
std::vector<Excerpt> read(std::string_view page) {
  std::vector<Excerpt> found = excerpts(page, FileType::page);
  for (const Excerpt& excerpt : found) {
    CHECK(excerpt.is_embedded);
    for (std::size_t i = 0; i < excerpt.text.size(); ++i) {
      if (excerpt.text.starts_with('#') || page.find('\t') != page.npos) break;
      CAPTURE(page, excerpt.text, i);
      CHECK(page[excerpt.host(i)] == excerpt.text[i]);
    }
  }
  return found;
}

std::vector<std::string> texts(std::string_view page, Language language) {
  std::vector<std::string> texts;
  for (const Excerpt& excerpt : read(page)) {
    CHECK(excerpt.language == language);
    texts.push_back(excerpt.text);
  }
  return texts;
}

using Texts = std::vector<std::string>;
Texts yaml(std::string_view page) { return texts(page, Language::yaml); }
Texts shell(std::string_view page) { return texts(page, Language::shell); }

TEST_CASE("code blocks of a page, by their languages") {
  CHECK(yaml("a\n```yaml\na: 1\n```\nb: 2\n```yml\nc: 3\n---\nd: 4\n```\n~~~json\n{}\n~~~\n") ==
        Texts{"a: 1\n", "c: 3\n", "---\nd: 4\n", "{}\n"});
  CHECK(
      shell(
          "```bash\na\n```\n```sh\nb\n```\n```shell\nc\n```\n```console\nd\n```\n```zsh\ne\n```") ==
      Texts{"a\n", "b\n", "c\n", "d\n", "e\n"});
  CHECK(yaml("``` {.yaml title=\"a\"}\na: 1\n```\n```yaml:a.yaml\nb: 2\n```\n```YAML\nc: 3\n```") ==
        Texts{"a: 1\n", "b: 2\n", "c: 3\n"});
}

TEST_CASE("blocks of other languages, by their looks") {
  CHECK(yaml("```\napiVersion: v1\n```\n    kind: Pod\n\n```text\n{\"kind\": \"Job\"}\n```\n") ==
        Texts{"apiVersion: v1\n", "kind: Pod\n\n", "{\"kind\": \"Job\"}\n"});
  CHECK(shell("```\ngcloud a\n```\n```text\n$ gcloud b\n```\n") ==
        Texts{"gcloud a\n", "gcloud b\n"});
  CHECK(yaml("```bash\napiVersion: v1\n```") == Texts{"apiVersion: v1\n"});
  CHECK(shell("```yaml\ngcloud a\n```") == Texts{"gcloud a\n"});
  CHECK(
      yaml("```\na: 1\n```\n```python\nx = 1\n```\n```diff\n kind: Pod\n-gcloud a\n```\ngcloud b\n")
          .empty());
}

TEST_CASE("lines of commands left of their block") {
  CHECK(shell("  ```sh\n  gcloud a \\\n--b\n c\n  ```\n") == Texts{"gcloud a \\\n--b\nc\n"});
  CHECK(shell("* a\n  ```sh\n  gcloud a \\\n--b \\\n c\n  d\n  ```\ne\n\n```sh\nf\n```\n") ==
        Texts{"gcloud a \\\n--b \\\nc\nd\n", "f\n"});
  CHECK(shell("1. a\n\n   ```sh\n   a \\\n--b\n   ```\n\n   ```sh\n   c \\\n\td\n   ```\n") ==
        Texts{"a \\\n--b\n", "c \\\nd\n"});
  CHECK(shell("* a\n  ```sh\n  b\nc\n  ```\nd\n") == Texts{"b\nc\n"});
  CHECK(shell("* a\n  ```sh\n  b \\\n  ```\nc\n") == Texts{"b \\\n"});
}

TEST_CASE("blocks in lists and quotes, with their places") {
  CHECK(yaml("1. a\n\n   ```yaml\n   a:\n     b: 1\n\n   c: 2\n   ```\n") ==
        Texts{"a:\n  b: 1\n\nc: 2\n"});
  CHECK(yaml("- ```yaml\n  a: 1\n  ```\n- b\n  > ```yaml\n  > c: 3\n  >\n  > d: 4\n  > ```\n") ==
        Texts{"a: 1\n", "c: 3\n\nd: 4\n"});
  CHECK(yaml("* a\n    * b\n\n        ```yaml\n        a: [1]\n        ```\n") ==
        Texts{"a: [1]\n"});
  CHECK(yaml("  ```yaml\n  a: 1\n b: 2\n   c: 3\n  ```\n") == Texts{"a: 1\nb: 2\n c: 3\n"});
  CHECK(yaml("> 1. > ```yaml\n>    > a: 1\n>    > ```\n") == Texts{"a: 1\n"});
}

TEST_CASE("blocks that other tools indent") {
  CHECK(yaml("=== \"Standard\"\n\n    ```yaml\n    a: 1\n    ```\n\n=== \"Autopilot\"\n\n    "
             "```yaml\n    b: 2\n    ```\n") == Texts{"a: 1\n", "b: 2\n"});
}

TEST_CASE("line ends, tabs, and fences that are not closed") {
  CHECK(yaml("```yaml\r\na: 1\r\nb: 2\r\n```\r\n") == Texts{"a: 1\r\nb: 2\r\n"});
  CHECK(yaml("```yaml\na: 1\nb: 2") == Texts{"a: 1\nb: 2"});
  CHECK(yaml("```yaml\na: *x\nb: [\"<y>\", '&']\n```") == Texts{"a: *x\nb: [\"<y>\", '&']\n"});
  CHECK(yaml("\xEF\xBB\xBF```yaml\na: 1\n```") == Texts{"a: 1\n"});
  CHECK(yaml("- a\n\n\t```yaml\n\ta: 1\n\t```\n") == Texts{"a: 1\n"});
  CHECK(yaml("- a\n\n\t\tkind: Pod\n") == Texts{"kind: Pod\n"});
  CHECK(read("```yaml\n```").empty());
  CHECK(read("").empty());
}

TEST_CASE("what was typed into a terminal") {
  CHECK(
      shell("```console\n$ gcloud a \\\n    --b\nCreating don't\n# c\n$ gcloud d\nERROR\n```\n") ==
      Texts{"gcloud a \\\n    --b\n# c\ngcloud d\n"});
  CHECK(shell("```bash\n$ gcloud a \\\n> --b\nx\n```\n") == Texts{"gcloud a \\\n--b\n"});
  const auto found =
      read("```sh\n$ kubectl apply -f - <<EOF\nkind: Pod\nEOF\n$ gcloud a\nb\n```\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].text == "kubectl apply -f - <<EOF\nkind: Pod\nEOF\ngcloud a\n");
  CHECK(found[1].text == "kind: Pod\n");
}

TEST_CASE("a comment that suppresses is the first line of the next block") {
  const std::string_view page =
      "<!-- flexslice: allow FS5003 - reason -->\n\nText.\n\n```yaml\nkind: A\n---\nkind: B\n```\n"
      "<!-- else -->\n```yaml\nc: 3\n```\n";
  const auto found = read(page);
  REQUIRE(found.size() == 3);
  CHECK(found[0].text == "# flexslice: allow FS5003 - reason\nkind: A\n");
  CHECK(found[1].text == "# flexslice: allow FS5003 - reason\n---\nkind: B\n");
  CHECK(found[2].text == "c: 3\n");
  const std::size_t code = found[0].text.find("FS5003");
  CHECK(page.substr(found[0].host(code), 6) == "FS5003");
  CHECK(page.substr(found[0].host(found[0].text.find("kind")), 7) == "kind: A");
  // Without the comment nothing would be left of it that is right in a page.
  diag::Diagnostic unused{diag::rows[0].code, diag::Level::warning, {1, 0, 34}, "", {}, {}, {}};
  unused.fix({1, 0, 34}, "");
  move_to_file(unused, found[0], 1, 0);
  CHECK(unused.fixes.empty());
}

TEST_CASE("a comment in a block, or of an earlier one, is not of the next") {
  CHECK(yaml("```yaml\n# <!-- flexslice: allow FS5003 -->\na: 1\n```\n```yaml\nb: 2\n```\n")[1] ==
        "b: 2\n");
  CHECK(yaml("<!--flexslice: allow FS5003-->\n```yaml\na: 1\n```\n```yaml\nb: 2\n```\n") ==
        Texts{"# flexslice: allow FS5003\na: 1\n", "b: 2\n"});
  CHECK(yaml("<!-- flexslice: allow FS5003\n```yaml\na: 1\n```\n").empty());
}

TEST_CASE("pages take time that is linear in their size") {
  for (const char* text : {"[a]: b\n",
                           "![l",
                           "[",
                           "*a _b ",
                           "`a",
                           "<!--",
                           "<!--\n",
                           "> ",
                           "- ",
                           "> - ",
                           "> > > a\n",
                           "```\n",
                           "    ```\n",
                           "    ```\n\n",
                           "- ```\n  a\n",
                           "~~~\n\n",
                           "<a ",
                           "\t",
                           "&",
                           "\r",
                           "\\",
                           "<!-- flexslice: \n\n    gcloud \n\n",
                           "> ```\n> gcloud <<a\n"}) {
    std::string many;
    while (many.size() < (1u << 14)) many += text;
    CAPTURE(text);
    CHECK(excerpts(many, FileType::page).size() < many.size());
  }
}

}  // namespace
}  // namespace flexslice::extract
