// What the fuzz targets share. A broken law ends the process, so that libFuzzer keeps the input and
// the replay turns red.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "driver/run.hpp"
#include "yaml/value.hpp"

namespace flexslice::fuzz {

// Prints what does not hold, and ends the process.
void require(bool holds, std::string_view law, std::string_view shown = {});

// The bytes of an input, taken from the front as numbers and texts; zeros when there are none left.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}

  bool empty() const { return rest_.empty(); }
  unsigned below(unsigned limit);
  // Up to `most` bytes.
  std::string_view text(std::size_t most);

 private:
  std::string_view rest_;
};

// The bytes with every ill-formed part replaced by `?`.
std::string valid_utf8(std::string_view bytes);
bool is_utf8(std::string_view text);

// The first document, as a reader of YAML 1.2 has it; ends the process when it cannot be read.
yaml::Value read_back(const std::string& text, std::string_view law);

// Every finding lies in its source, and can be rendered in every format.
void check_findings(const Sources& sources, std::span<const diag::Diagnostic> findings);

const catalog::Catalog& facts();
const templates::Set& built_in_templates();

// Compiles everything of one spec with that knowledge; checks what must hold of every result, and
// gives it.
Compiled compile_all(const std::string& spec, const catalog::Catalog& catalog,
                     const templates::Set& templates);

// Specs that together use most of the catalog and of the templates.
std::span<const std::string_view> sample_specs();

}  // namespace flexslice::fuzz
