// flexslice explain CODE: what a diagnostic means and what to do about it.
#include <cxxopts.hpp>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/parse_options.hpp"

namespace flexslice::cli {

namespace {

std::string wrapped(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t column = 0;
  for (std::string_view word : text::split(text, ' ')) {
    if (column > 0 && column + 1 + word.size() > width) {
      out += '\n';
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out + "\n";
}

std::string explanation(const diag::Row& row) {
  const std::string_view level = row.level == diag::Level::warning ? "warning"
                                 : row.level == diag::Level::soft  ? "error, which --allow can lower"
                                                                   : "error";
  return text::format("{}: {} ({})\n\n  {}\n\n{}", diag::code_text(row.code), row.name, level, row.message, wrapped(row.explanation, 80));
}

int explain(const std::string& topic) {
  if (const diag::Row* row = diag::find_row(topic)) return print(explanation(*row));
  return wrong_usage(text::format("there is nothing to explain about `{}`", topic));
}

}  // namespace

int run_explain(Arguments arguments) {
  cxxopts::Options options("flexslice explain");
  options.add_options()("topics", "", cxxopts::value<std::vector<std::string>>())("h,help", "show this");
  options.parse_positional({"topics"});
  options.positional_help("CODE");
  return with_options(options, arguments, [](const cxxopts::ParseResult& parsed) {
    if (parsed.count("topics") == 0) return wrong_usage("explain what? give a code such as FS3002");
    int status = fine;
    for (const std::string& topic : parsed["topics"].as<std::vector<std::string>>()) status = std::max(status, explain(topic));
    return std::max(status, flush());
  });
}

}  // namespace flexslice::cli
