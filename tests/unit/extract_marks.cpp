#include "../catch.hpp"
#include "base/text.hpp"
#include "extract/marks.hpp"

namespace flexslice::extract {
namespace {

Excerpt blanked(std::string_view text, Language language) {
  Excerpt excerpt{language, std::string(text), {{0, 0}}};
  blank_marks(excerpt);
  CHECK(excerpt.text.size() == text.size());
  return excerpt;
}

// With `$` for each placeholder and one blank for any number.
std::string shown(const Excerpt& excerpt) {
  std::string shown;
  for (const char c : excerpt.text) {
    const bool again = (c == ' ' && shown.ends_with(' ')) || (c == 'X' && shown.ends_with('$'));
    if (!again) shown += c;
  }
  return shown;
}
std::string yaml(std::string_view text) { return shown(blanked(text, Language::yaml)); }
std::string shell(std::string_view text) { return shown(blanked(text, Language::shell)); }

TEST_CASE("marks are placeholders") {
  CHECK(yaml("a: {{ .Values.a }}") == "a: $");
  CHECK(yaml("a: \"{{ .a | default \"b\" }}-c\"") == "a: \"$-c\"");
  CHECK(yaml("- {{ a }}\n- b{{ c }}") == "- $\n- b$");
  CHECK(yaml("{{ a }}: {{b}}{{{c}}}") == "$: $$");
  CHECK(yaml("a: {% if b %}1{% else %}2{% endif %}\nc: {{ d }} e") == "a: $1$2$\nc: $ e");
  CHECK(yaml("a: 2 %{ if b }3%{ else }4%{ endif }") == "a: 2 $3$4$");
  CHECK(shell("gcloud {{ a }} --b={{ c }}") == "gcloud $ --b=$");
  CHECK(shell("gcloud a \\\n{% if b %}\n  --c") == "gcloud a \\\n$\n --c");
}

TEST_CASE("a document with lines of a template is open") {
  for (const char* text :
       {"{{- if .a }}\nb: c\n{{- end }} # d\n", "{% for a in b %}\n- {{ a }}\n{% endfor %}",
        "%{ for a in b ~}\n- ${a}\n%{ endfor ~}", "a:\n  {{ toYaml .a | nindent 2 }}\n",
        "{# a #}\nc: d", "a: {{ b\n  c }}\nd: e", "{{/*\n a\n */}}\nb: c"})
    CHECK(blanked(text, Language::yaml).has_template_lines);
  for (const char* text :
       {"a: {{ b }}", "{{ a }}: b", "- {{ a }}", "# {{ a", "a: [ZONE]", "run: echo ${{ a.b }}"})
    CHECK_FALSE(blanked(text, Language::yaml).has_template_lines);
  CHECK_FALSE(
      blanked("kubectl get -o go-template='\n{{range .a}}'", Language::shell).has_template_lines);
}

TEST_CASE("what YAML would read as something else") {
  CHECK(yaml("a: [ZONE]\nb: {MY_ZONE}\nc: gs://[BUCKET]/d") == "a: $\nb: $\nc: gs://$/d");
  CHECK(yaml("a: <b: c>\nd: <e>") == "a: $\nd: <e>");
  CHECK(yaml("a: {b: ${c}}\nd: ${e}\nf: ${g == \"h: i\" ? j : k}") == "a: {b: $}\nd: ${e}\nf: $");
  CHECK(yaml("{\"a\": ${b}}") == "{\"a\": $}");
  CHECK(yaml("run: echo ${{ a.b }}\nx: ${{ c }}") == "run: echo ${{ a.b }}\nx: ${{ c }}");
}

TEST_CASE("what is no mark is left alone") {
  for (const char* text : {"a: {}", "a: [b]", "a: {b: c}", "a: b}}", "# [ZONE]", "a: ${b}", "a: $b",
                           "<<: *c", "a: [1, 2]", "a: {% b", "a: '%{b}'"}) {
    CHECK(blanked(text, Language::yaml).text == text);
    CHECK(blanked(text, Language::yaml).mark == Span{});
  }
  for (const char* text : {"a=${b[C]} ${#d} ${e#}", "echo [A] {B} <c>", "curl -w '%{http_code}'"})
    CHECK(blanked(text, Language::shell).text == text);
}

TEST_CASE("marks of templates are told from placeholders") {
  CHECK(blanked("a: {{ b }}", Language::yaml).mark == Span{0, 3, 10});
  CHECK(blanked("{% if a %}", Language::shell).mark == Span{0, 0, 10});
  CHECK(blanked("a: [ZONE]", Language::yaml).mark == Span{});
}

TEST_CASE("marks take time that is linear in their number") {
  for (const char* text :
       {"{{", "}}", "{{ a }}", "{%", "{#", "%{ if", "${", "${a", "[A", "[AAAA", "<", "{{/*", "{{\n",
        "{{ a }}\n", "{% if a %} b", "a: {{ b }} ", "${{"}) {
    std::string many;
    while (many.size() < (1u << 13)) many += text;
    CAPTURE(text);
    blanked(many, Language::yaml);
    blanked("a: " + many, Language::yaml);
    blanked("{" + many, Language::yaml);
    blanked(many, Language::shell);
  }
}

}  // namespace
}  // namespace flexslice::extract
