#include "extract/file.hpp"

#include <algorithm>
#include <string>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/field_scripts.hpp"
#include "extract/justfile.hpp"
#include "extract/kubectl.hpp"
#include "extract/kustomization.hpp"
#include "extract/makefile.hpp"
#include "extract/marks.hpp"
#include "extract/nested.hpp"
#include "extract/notebook.hpp"
#include "extract/page.hpp"
#include "extract/shell.hpp"
#include "extract/terraform_objects.hpp"
#include "extract/workflow.hpp"
#include "extract/written_input.hpp"
#include "yaml/parse.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

struct Ending {
  std::string_view name;
  FileType type;
};
constexpr Ending endings[] = {
    {".yaml", FileType::yaml},      {".yml", FileType::yaml},
    {".json", FileType::yaml},      {".md", FileType::page},
    {".markdown", FileType::page},  {".sh", FileType::script},
    {".bash", FileType::script},    {".zsh", FileType::script},
    {".mk", FileType::makefile},    {"makefile", FileType::makefile},
    {".tf", FileType::terraform},   {".tfvars", FileType::terraform},
    {".ipynb", FileType::yaml},     {".mdx", FileType::page},
    {".just", FileType::justfile},  {"justfile", FileType::justfile},
    {".tofu", FileType::terraform}, {".ksh", FileType::script},
};
constexpr std::string_view template_endings[] = {".tftpl",  ".template", ".tpl",    ".tmpl",
                                                 ".gotmpl", ".j2",       ".jinja",  ".jinja2",
                                                 ".in",     ".example",  ".sample", ".dist"};
constexpr std::string_view shell_words[] = {"gcloud", "kubectl", "export",  "set", "sudo",
                                            "echo",   "cd",      "if",      "for", "function",
                                            "$",      "source",  "readonly"};

constexpr std::string_view hcl_words[] = {"resource", "variable",  "locals", "module",
                                          "provider", "terraform", "data"};

bool is_key(std::string_view line) {
  while (line.starts_with("- ")) line = text::trim(line.substr(2));
  const size_t colon = line.find(':');
  if (colon == 0 || colon == line.npos) return false;
  const std::string_view key = line.substr(0, colon);
  return (colon + 1 == line.size() || ascii::is_blank(line[colon + 1])) && !contains(key, ' ') &&
         !contains(key, '`');
}

// The first lines that say something decide.
FileType type_of_content(std::string_view text) {
  text.remove_prefix(text::mark_length(text));
  if (text.starts_with("#!")) {
    const std::string_view program = text.substr(0, text::line_end(text, 0));
    if (program.find("make") != program.npos) return FileType::makefile;
    return program.find("sh") != program.npos ? FileType::script : FileType::page;
  }
  for (size_t at = 0; at < text.size(); at = text::next_line(text, at)) {
    const std::string_view line = text::trim(text.substr(at, text::line_end(text, at) - at));
    if (line.empty() || line.starts_with('#') || line.starts_with("{{") || line.starts_with("{%"))
      continue;
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    if (line.starts_with("```") || line.starts_with("~~~") || line.starts_with('<'))
      return FileType::page;
    if (contains(hcl_words, word) && (line.ends_with('{') || line.ends_with('}')))
      return FileType::terraform;
    if (contains(shell_words, word) || (contains(word, '=') && !contains(word, ':')))
      return FileType::script;
    // A section of TOML or of an INI file, or an attribute of AsciiDoc.
    if (line.starts_with('[') && line.size() > 1 && ascii::is_letter_or_digit(line[1]))
      return FileType::page;
    if (line.starts_with('{') || line.starts_with('[') || text::is_marker(line) || is_key(line))
      return FileType::yaml;
    return FileType::page;
  }
  return FileType::yaml;
}

Excerpt whole_file(std::string_view text, Language language) {
  return {language, std::string(text), {{0, 0}}};
}

// Here-documents may be indented by tabs; in YAML no tab is indentation.
Excerpt without_tabs(const Excerpt& lines) {
  Excerpt bare = part(lines, 0, 0);
  bare.segments.clear();
  const std::string_view text = lines.text;
  for (size_t at = 0; at < text.size();) {
    const size_t next = text::next_line(text, at);
    append_bytes(bare, lines, std::min(text.find_first_not_of('\t', at), next), next);
    at = next;
  }
  return bare;
}

// Expressions of Terraform are not marks of a template.
bool is_terraform(std::string_view text) {
  return text.starts_with('{') && text.find("\"google_container_node_pool\"") != text.npos;
}

// Counts the keys that all objects have.
std::ptrdiff_t frame_keys(std::string_view text) {
  constexpr std::string_view keys[] = {"apiVersion:", "kind:", "metadata:"};
  const std::size_t begin = text.find_first_not_of(" \n\r");
  const std::size_t indent = begin == text.npos ? 0 : begin - text::line_begin(text, begin);
  return std::ranges::count_if(keys, [&](std::string_view key) {
    for (std::size_t at = 0; at < text.size(); at = text::next_line(text, at)) {
      const std::string_view line = text.substr(at, text::line_end(text, at) - at);
      if (line.find_first_not_of(' ') == indent && line.substr(indent).starts_with(key))
        return true;
    }
    return false;
  });
}

// All but one of several documents are whole objects.
bool has_whole_objects(std::span<const Excerpt> documents) {
  std::ptrdiff_t whole = 0, all = 0;
  for (const Excerpt& each : documents) {
    const std::ptrdiff_t keys = frame_keys(each.text);
    whole += keys == 3;
    all += keys > 0 || !text::trim(each.text).empty();
  }
  return all > 1 && whole + 1 >= all;
}

void add_documents(Excerpt stream, std::vector<Excerpt>& found) {
  stream.language = Language::yaml;
  const char* const begin = stream.text.data();
  const size_t before = found.size();
  bool has_template_lines = false;
  for (const yaml::Document& document : yaml::split_documents(stream.text)) {
    const auto from = static_cast<size_t>(document.text.data() - begin);
    Excerpt& each = found.emplace_back(part(stream, from, from + document.text.size()));
    if (!is_terraform(stream.text)) blank_marks(each);
    // The text of a ConfigMap may be a template of another program.
    has_template_lines |=
        each.has_template_lines && each.text.find("kind: ConfigMap") == each.text.npos;
  }
  const bool is_page_of_objects =
      stream.is_embedded && has_whole_objects(std::span(found).subspan(before));
  for (size_t i = before; i < found.size(); ++i) {
    found[i].has_template_lines |= has_template_lines;
    found[i].has_whole_objects |= is_page_of_objects;
  }
}

bool is_like(Language language, std::string_view line) {
  if (language == Language::shell) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t$"), line.size()));
    return line.starts_with("gcloud ");
  }
  // The keys of an object; of one in JSON they are after a brace.
  line.remove_prefix(std::min(line.find_first_not_of("- \t{\""), line.size()));
  return line.starts_with("apiVersion") || line.starts_with("kind:") || line.starts_with("kind\"");
}

// The first tells whether the first line that is no comment is of an object, or a command for
// Google Cloud; the second whether any line is.
bool begins_like(Language language, std::string_view text) {
  for (size_t at = 0; at < text.size(); at = text::next_line(text, at)) {
    const std::string_view line = text.substr(at, text::line_end(text, at) - at);
    if (!text::is_idle(line) && line != "{") return is_like(language, line);
  }
  return false;
}
bool looks_like(Language language, std::string_view text) {
  for (size_t at = 0; at < text.size(); at = text::next_line(text, at)) {
    if (is_like(language, text.substr(at, text::line_end(text, at) - at))) return true;
  }
  return false;
}

// The text of a here-document as a command reads it.
Excerpt here_text(const Excerpt& script, const HereText& here) {
  Excerpt text = part(script, 0, 0);
  text.segments.clear();
  if (here.is_expanded) text.completeness = Completeness::expanded;
  size_t at = here.begin;
  for (const Replacement& each : here.replacements) {
    append_bytes(text, script, at, each.begin);
    const size_t host = script.host(each.begin);
    const size_t host_end = std::max(script.host_end(each.end - 1), host + 1);
    append_in_place(text, each.text, host, host_end - host);
    at = each.end;
  }
  append_bytes(text, script, at, here.end);
  for (const auto& [begin, end] : here.unfilled)
    text.unfilled.push_back(in_file({0, begin, end}, script, 0));
  if (text.segments.empty()) text.segments.push_back({0, script.host(here.begin)});
  return text;
}

// Scripts in scripts.
constexpr int deepest_script = 4;

// `variables` are those of the scripts above it in the file.
void add_script(Excerpt script, Variables& variables, const ReadBeside& beside,
                std::vector<Excerpt>& found, int depth = 0) {
  script.language = Language::shell;
  blank_marks(script);
  const size_t self = found.size();
  found.push_back(std::move(script));
  if (depth == deepest_script) return;
  const Script read =
      read_shell(found[self], 0, variables, wrapper_names(), Loops::unrolled, beside);
  std::vector<Excerpt> nested = nested_scripts(found[self], read.commands);
  WrittenInputs inputs(found[self].text);
  for (const HereText& here : read.here_documents) {
    Excerpt text = here_text(found[self], here);
    text.is_embedded = true;
    if (runs_input(read.commands, here.line)) {
      text.own_shell = true;
      nested.push_back(std::move(text));
      continue;
    }
    const auto name_space = namespace_of_input(read.commands, here.line);
    text.is_sent = name_space.has_value();
    text.name_space = name_space.value_or("");
    if (!looks_like(Language::yaml, text.text)) continue;
    // A program on the way to kubectl makes another text of it.
    text.has_template_lines = !inputs.are_applied(here);
    add_documents(without_tabs(text), found);
  }
  for (Excerpt& each : nested) add_script(std::move(each), variables, beside, found, depth + 1);
}

// `$ `, `me@host:~/ml$ `, `(venv) [root@vm ml]# `, `bash-5.2$ `, `❯ `; 0: the line has none.
size_t prompt_length(std::string_view line) {
  std::string_view rest = line;
  if (rest.starts_with('(')) {
    const size_t end = rest.find(") ");
    if (end == rest.npos) return 0;
    rest.remove_prefix(end + 2);
  }
  for (std::string_view sign : {"$ ", "❯ ", "➜ "}) {
    if (rest.starts_with(sign)) return line.size() - rest.size() + sign.size();
  }
  const size_t end = std::min(rest.find("$ "), rest.find("# "));
  if (end == rest.npos) return 0;
  const std::string_view place = rest.substr(0, end);
  const size_t at_sign = place.find('@');
  const bool is_place =
      at_sign != place.npos && at_sign > 0 && place.find_first_of("=\"'|;<>") == place.npos &&
      place.find(' ') >= at_sign && (place.find(' ') == place.npos || place.starts_with('['));
  const bool is_version = place.starts_with("bash-") || place.starts_with("sh-");
  return is_place || (is_version && !contains(place, ' ')) ? line.size() - rest.size() + end + 2
                                                           : 0;
}

// Returns the commands that were typed in a terminal's contents: the lines with a prompt and those
// they go on in.
Excerpt typed(const Excerpt& session) {
  Excerpt commands = part(session, 0, 0);
  commands.segments.clear();
  const std::string_view text = session.text;
  bool goes_on = false;
  bool in_document = false;
  for (size_t at = 0; at < text.size();) {
    const size_t next = text::next_line(text, at);
    const std::string_view line = text.substr(at, next - at);
    const std::string_view bare = text::trim(line);
    size_t begin = at;
    const size_t prompt = prompt_length(bare);
    const bool has_prompt = prompt > 0;
    if (has_prompt) {
      begin = at + static_cast<size_t>(bare.data() - line.data()) + prompt;
      in_document = bare.find("<<") != bare.npos;
    } else if (goes_on && line.starts_with("> ")) {
      begin += 2;
    }
    if (has_prompt || goes_on || in_document || bare.starts_with('#'))
      append_bytes(commands, session, begin, next);
    goes_on = (has_prompt || goes_on) && (bare.ends_with('\\') || bare.starts_with('#'));
    at = next;
  }
  return commands;
}

bool has_prompts(std::string_view text) {
  for (size_t at = 0; at < text.size(); at = text::next_line(text, at)) {
    if (prompt_length(text.substr(at, text::line_end(text, at) - at)) > 0) return true;
  }
  return false;
}

constexpr std::string_view yaml_words[] = {"yaml", "yml", "json", "jsonc", "json5"};
constexpr std::string_view shell_languages[] = {
    "bash",          "sh",         "shell",        "zsh",     "console", "ksh", "command",
    "shell-session", "sh-session", "shellsession", "terminal"};
constexpr std::string_view unread_languages[] = {"diff", "patch"};

void add_block(Block block, Variables& variables, const ReadBeside& beside,
               std::vector<Excerpt>& found) {
  std::string_view language = block.language;
  text::take(language, [](char c) { return c == '{' || c == '.' || ascii::is_blank(c); });
  language = language.substr(0, language.find_first_of(" \t,:{}="));
  if (contains(unread_languages, language)) return;
  Excerpt& lines = block.lines;
  const bool is_yaml = contains(yaml_words, language);
  const bool is_shell = contains(shell_languages, language);
  const size_t before = found.size();
  lines.is_embedded = true;
  // fish, PowerShell and others set variables in another way, and a reader takes one of several
  // tabs.
  lines.own_shell = block.is_in_tab || (!language.empty() && !is_shell);
  if (begins_like(Language::yaml, lines.text)) {
    add_documents(lines, found);
  } else if (is_shell || begins_like(Language::shell, lines.text) ||
             (!is_yaml && looks_like(Language::shell, lines.text))) {
    add_script(has_prompts(lines.text) ? typed(lines) : std::move(lines), variables, beside, found);
  } else if (is_yaml || looks_like(Language::yaml, lines.text)) {
    add_documents(lines, found);
  }
  if (block.comment.text.empty()) return;
  for (size_t i = before; i < found.size(); ++i) {
    Excerpt with = part(found[i], 0, 0);
    with.text = block.comment.text;
    with.segments = block.comment.segments;
    append_bytes(with, found[i], 0, found[i].text.size());
    found[i] = std::move(with);
  }
}

const Ending* ending_of(std::string_view name) {
  std::string lowered = text::lower(name);
  const auto cut = [&](std::string_view ending) {
    if (!lowered.ends_with(ending)) return false;
    lowered.resize(lowered.size() - ending.size());
    return true;
  };
  while (any_of(template_endings, cut)) {
  }
  return find_where(endings, [&](const Ending& each) { return lowered.ends_with(each.name); });
}

}  // namespace

FileType file_type(std::string_view name, std::string_view text) {
  const Ending* ending = ending_of(name);
  return ending != nullptr ? ending->type : type_of_content(text);
}

bool is_known_type(std::string_view name, std::string_view text) {
  return ending_of(name) != nullptr || type_of_content(text) != FileType::page ||
         text.find("```") != text.npos || text.find("~~~") != text.npos;
}

namespace {

void add_page(const Excerpt& page, Variables& variables, const ReadBeside& beside,
              std::vector<Excerpt>& found) {
  for (Block& block : code_blocks(page)) add_block(std::move(block), variables, beside, found);
}

void add_stream(Excerpt stream, std::string_view text, Variables& variables,
                const ReadBeside& beside, const GivenNames& given, std::vector<Excerpt>& found) {
  const size_t before = found.size();
  add_documents(std::move(stream), found);
  const size_t documents = found.size();
  for (size_t i = before; i < documents; ++i) {
    for (Excerpt& script : workflow_steps(found[i], given))
      add_script(std::move(script), variables, beside, found);
    for (Excerpt& field : field_scripts(found[i], text, given)) {
      if (field.language == Language::yaml) {
        add_documents(std::move(field), found);
      } else {
        add_script(std::move(field), variables, beside, found);
      }
    }
    for (Excerpt& patch : inline_patches(found[i])) add_documents(std::move(patch), found);
  }
}

void add_terraform(Excerpt file, const Module* module, Variables& variables,
                   const ReadBeside& beside, std::vector<Excerpt>& found) {
  std::vector<Excerpt> texts = texts_of_hcl(file, module);
  std::vector<Excerpt> scripts = field_scripts(file, {}, {});
  found.push_back(std::move(file));
  for (Excerpt& script : scripts) add_script(std::move(script), variables, beside, found);
  for (Excerpt& text : texts) {
    text.is_embedded = true;
    text.completeness = Completeness::expanded;
    if (looks_like(Language::yaml, text.text)) {
      add_documents(std::move(text), found);
    } else if (looks_like(Language::shell, text.text)) {
      text.own_shell = true;
      add_script(std::move(text), variables, beside, found);
    }
  }
}

void add_notebook(const Excerpt& notebook, Variables& variables, const ReadBeside& beside,
                  std::vector<Excerpt>& found) {
  for (NotebookCell& cell : notebook_cells(notebook)) {
    cell.text.is_embedded = true;
    const FileType type = file_type(cell.name, cell.text.text);
    if (type == FileType::page) add_page(cell.text, variables, beside, found);
    if (type == FileType::yaml) add_documents(std::move(cell.text), found);
    if (type != FileType::script) continue;
    cell.text.own_shell = true;
    add_script(std::move(cell.text), variables, beside, found);
  }
}

}  // namespace

std::vector<Excerpt> excerpts(std::string_view text, FileType type, const ReadBeside& beside,
                              const GivenNames& given, const Module* module) {
  std::vector<Excerpt> found;
  Variables variables;
  if (type == FileType::yaml) {
    Excerpt file = whole_file(text, Language::yaml);
    if (is_notebook(text))
      add_notebook(file, variables, beside, found);
    else
      add_stream(std::move(file), text, variables, beside, given, found);
  }
  if (type == FileType::justfile)
    add_script(just_recipes(whole_file(text, Language::shell), given), variables, beside, found);
  if (type == FileType::makefile)
    add_script(recipes(whole_file(text, Language::shell), beside, given), variables, beside, found);
  if (type == FileType::page) add_page(whole_file(text, Language::yaml), variables, beside, found);
  if (type == FileType::script) {
    Excerpt script = whole_file(text, Language::shell);
    script.own_shell = !given.empty();
    script.has_open_environment = given.is_any();
    for (const std::string& name : given.names())
      script.environment.emplace_back(name, std::nullopt);
    add_script(std::move(script), variables, beside, found);
  }
  if (type == FileType::terraform)
    add_terraform(whole_file(text, Language::hcl), module, variables, beside, found);
  return found;
}

}  // namespace flexslice::extract
