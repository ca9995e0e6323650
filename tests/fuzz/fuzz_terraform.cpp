// Modules of Terraform that are made of the arguments that are known, with values from variables,
// locals and other resources, in several files: nothing crashes, and every place is within a file.
#include <fmt/core.h>

#include <vector>

#include "driver/lint_file.hpp"
#include "import/import_files.hpp"
#include "support.hpp"
#include "yaml/embedded.hpp"

using namespace flexslice;

namespace {

constexpr std::string_view names[] = {"a", "b", "c", "d", "e"};
constexpr std::string_view literals[] = {"\"ct6e-standard-4t\"",
                                         "\"2x2x1\"",
                                         "\"4x4\"",
                                         "\"us-east5-b\"",
                                         "\"COMPACT\"",
                                         "3",
                                         "true",
                                         "false",
                                         "\"\"",
                                         "null",
                                         "\"a${var.b}\"",
                                         "0",
                                         "\"tpu7x-standard-4t\"",
                                         "[]",
                                         "{}",
                                         "\"%{ if var.a }x%{ endif }\"",
                                         "[\"us-east5-a\", \"us-east5-b\"]",
                                         "toset([])",
                                         "<<E\nx\nE\n"};

class Module {
 public:
  Module(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {
    for (const yaml::View type : embedded::root_of(embedded::kubernetes, "extract/terraform.yaml"))
      types_.push_back(type);
  }

  std::vector<Source> files() {
    std::string main = "# google.com/tpu\n", others, values;
    for (unsigned blocks = 1 + bytes_.below(3); blocks > 0; --blocks) block(main);
    for (unsigned each = bytes_.below(6); each > 0; --each)
      setting(bytes_.below(4) == 0 ? main : others);
    for (unsigned each = bytes_.below(3); each > 0; --each)
      values += fmt::format("{} = {}\n", name(), value(0));
    if (bytes_.below(4) == 0) block(others);
    std::vector<Source> made{{"m/main.tf", main, 1}, {"m/variables.tf", others, 1}};
    if (bytes_.below(2) == 0) made.push_back({"m/terraform.tfvars", values, 1});
    if (bytes_.below(3) == 0)
      made.push_back({"m/x.tf.json",
                      fmt::format("{{\"variable\": {{\"{}\": {{\"default\": [{{\"name\": \"p\", "
                                  "\"machine_type\": \"${{var.{}}}\"}}]}}}}}}",
                                  name(), name()),
                      1});
    return made;
  }

 private:
  std::string_view name() { return names[bytes_.below(std::size(names))]; }

  std::string reference() {
    switch (bytes_.below(5)) {
      case 0:
        return fmt::format("var.{}", name());
      case 1:
        return fmt::format("local.{}", name());
      case 2:
        return fmt::format("var.{}.{}", name(), argument());
      case 3:
        return fmt::format("google_container_node_pool.{}.{}", name(), argument());
      default:
        return fmt::format("\"${{var.{}}}\"", name());
    }
  }

  // The last name of an argument of some type.
  std::string argument() {
    const yaml::View rows =
        types_[bytes_.below(static_cast<unsigned>(types_.size()))].find("arguments");
    unsigned at = bytes_.below(64);
    std::string_view path = "machine_type";
    for (const yaml::View row : rows) {
      path = row.key();
      if (at-- == 0) break;
    }
    return std::string(path.substr(path.rfind('.') + 1));
  }

  std::string value(int depth) {
    switch (depth > 3 ? 0 : bytes_.below(6)) {
      case 1:
      case 2:
        return reference();
      case 3: {
        std::string list = "[";
        for (unsigned each = bytes_.below(4); each > 0; --each) list += value(depth + 1) + ", ";
        return list + "]";
      }
      case 4: {
        std::string map = "{ ";
        for (unsigned each = bytes_.below(5); each > 0; --each)
          map += fmt::format("{} = {}\n", argument(), value(depth + 1));
        return map + "}";
      }
      default:
        return std::string(literals[bytes_.below(std::size(literals))]);
    }
  }

  void body(std::string& text, int depth) {
    for (unsigned each = bytes_.below(8); each > 0; --each) {
      const std::string key = argument();
      const unsigned form = bytes_.below(6);
      if (form == 0 && depth < 3) {
        text += key + " {\n";
        body(text, depth + 1);
        text += "}\n";
      } else if (form == 1 && depth < 3) {
        text += fmt::format("dynamic \"{}\" {{\nfor_each = {}\ncontent {{\n", key, reference());
        body(text, depth + 1);
        text += "}\n}\n";
      } else {
        text += fmt::format("{} = {}\n", key, value(depth));
      }
    }
  }

  void block(std::string& text) {
    const yaml::View type = types_[bytes_.below(static_cast<unsigned>(types_.size()))];
    const yaml::View modules = type.find("modules");
    if (modules) {
      text += fmt::format("module \"{}\" {{\n", name());
      for (const yaml::View part : modules) {
        text += fmt::format("source = \"x/{}\"\n", part.text());
        break;
      }
      if (const yaml::View list = type.find("list"))
        text += fmt::format("{} = {}\n", list.text(), value(0));
      for (const yaml::View row : type.find("shared"))
        if (bytes_.below(2) == 0) text += fmt::format("{} = {}\n", row.key(), value(1));
    } else {
      text += fmt::format("resource \"{}\" \"{}\" {{\n", type.find("resource").text(), name());
    }
    if (bytes_.below(3) == 0) text += fmt::format("name = {}\n", value(2));
    body(text, 0);
    text += "}\n";
  }

  void setting(std::string& text) {
    if (bytes_.below(2) == 0)
      text += fmt::format("variable \"{}\" {{\ndefault = {}\n}}\n", name(), value(0));
    else
      text += fmt::format("locals {{\n{} = {}\n}}\n", name(), value(0));
  }

  fuzz::Bytes bytes_;
  std::vector<yaml::View> types_;
};

void lint_in(const Source& file, const extract::Module* module) {
  Sources sources;
  sources.add(file);
  const lint::Linted linted = lint::lint(
      sources, fuzz::facts(), {.notes = true, .gcloud_version = "528.0.0"}, module, {}, {});
  for (const diag::Diagnostic& finding : linted.diagnostics)
    fuzz::require(finding.where.source == 0, "a finding is in the file", file.text);
  fuzz::check_findings(sources, linted.diagnostics);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<Source> files = Module(data, size).files();
  const extract::Module module = lint::read_module(files);
  Sources sources;
  for (const Source& file : files) {
    lint_in(file, &module);
    lint_in(file, nullptr);
    sources.add(file);
  }
  const imports::Imported imported =
      imports::import_files(sources, fuzz::facts(), fuzz::built_in_templates(), 1);
  fuzz::check_findings(sources, imported.diagnostics);
  return 0;
}
