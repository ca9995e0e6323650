#include "compiled.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/text.hpp"
#include "catalog/command_table.hpp"
#include "yaml/parse.hpp"

namespace flexslice::law {

using yaml::Value;

std::size_t sampled(std::size_t step) {
  return std::getenv("FLEXSLICE_WHOLE") == nullptr ? step : 1;
}

const catalog::Catalog& facts() {
  static const catalog::Catalog catalog = catalog::built_in();
  return catalog;
}

const templates::Set& built_in_templates() {
  static const templates::Set set;
  return set;
}

std::size_t Case::errors() const {
  const auto is_error = [](const diag::Diagnostic& each) {
    return each.level != diag::Level::warning;
  };
  return static_cast<std::size_t>(
      std::count_if(compiled.diagnostics.begin(), compiled.diagnostics.end(), is_error));
}

std::string Case::findings() const {
  std::string all;
  for (const diag::Diagnostic& each : compiled.diagnostics) {
    const Position position = sources.position(each.where);
    all += fmt::format("{}:{} {} {}\n", position.line, position.column, diag::code_text(each.code),
                       each.message);
  }
  return all;
}

std::string_view Case::text(Emit emit) const {
  for (const Artifact& artifact : compiled.artifacts) {
    if (artifact.emit == emit) return artifact.text;
  }
  return {};
}

Case compile(std::string text, const Setting& setting) {
  Case made;
  made.sources.add({setting.name, std::move(text), 1});
  made.compiled = flexslice::compile({made.sources, 0, {}, {}}, setting.catalog, setting.templates,
                                     {.emit = setting.emit, .comments = true});
  add_queues({&made.compiled, 1}, setting.templates, true);
  return made;
}

Case check(std::string text) { return compile(std::move(text), {.emit = {}}); }

std::vector<Value> documents(std::string_view stream) {
  std::vector<Value> all;
  for (const yaml::Document& document : yaml::split_documents(stream)) {
    Sources sources;
    sources.add({"artifact", std::string(document.text), 1});
    diag::Sink sink;
    const auto node = yaml::parse(sources, 0, sink);
    all.push_back(node && sink.errors() == 0 ? yaml::to_value(*node) : Value{});
  }
  return all;
}

const Value* object(const std::vector<Value>& objects, std::string_view kind) {
  for (const Value& each : objects) {
    const Value* found = each.find("kind");
    if (found != nullptr && found->text == kind) return &each;
  }
  return nullptr;
}

const Value* at(const Value* value, std::string_view path) {
  for (std::string_view key : text::split(path, '.')) {
    if (value == nullptr) return nullptr;
    const auto index = text::whole_number(key);
    if (value->is_sequence() && index) {
      value = static_cast<std::size_t>(*index) < value->items.size()
                  ? &value->items[static_cast<std::size_t>(*index)]
                  : nullptr;
    } else {
      value = value->find(key);
    }
  }
  return value;
}

std::string text_at(const Value* value, std::string_view path) {
  const Value* found = at(value, path);
  return found == nullptr ? "(none)" : found->text;
}

namespace {

// One logical line of a script as words; of bash's syntax only what our scripts use: single quotes,
// `\'` and continued lines.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  std::optional<Words> line() {
    if (at_ >= text_.size()) return std::nullopt;
    Words words;
    std::optional<std::string> word;
    bool comment = false;
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      const char c = text_[at_];
      if (comment) continue;
      if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
        ++at_;
      } else if (c == ' ' || (c == ';' && !word)) {
        end(words, word);
      } else if (c == '#' && !word) {
        comment = true;
      } else {
        piece(word);
      }
    }
    ++at_;
    end(words, word);
    return words;
  }

 private:
  static void end(Words& words, std::optional<std::string>& word) {
    if (word) words.push_back(std::move(*word));
    word.reset();
  }

  void piece(std::optional<std::string>& word) {
    if (!word) word.emplace();
    if (text_[at_] == '\'') {
      const std::size_t close = text_.find('\'', at_ + 1);
      *word += text_.substr(at_ + 1, close - at_ - 1);
      at_ = std::min(close, text_.size() - 1);
    } else if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
      *word += text_[++at_];
    } else {
      *word += text_[at_];
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Words> commands(std::string_view script) {
  std::vector<Words> found;
  // Behind the functions that every script begins with.
  WordReader reader(script.substr(std::min(script.find("\nstep "), script.size())));
  while (auto words = reader.line()) {
    const auto begin = std::find_if(words->begin(), words->end(), [](const auto& word) {
      return word == "gcloud" || word == "kubectl";
    });
    if (begin == words->end() || words->front() == "step") continue;
    Words command(begin, words->end());
    if (words->front() == "if") {
      command.pop_back();  // then
      if (command.back().ends_with(';')) command.back().pop_back();
    }
    found.push_back(std::move(command));
  }
  return found;
}

std::string name_of(const Words& command) {
  std::vector<std::string_view> words;
  for (std::size_t i = 1; i < command.size() && !command[i].starts_with("--"); ++i)
    words.push_back(command[i]);
  const auto found = catalog::CommandTable::built_in().find(words);
  words.resize(found.words);
  return found.is_command() ? text::join(words, " ") : std::string();
}

std::string flag(const Words& command, std::string_view name) {
  for (const std::string& word : command) {
    if (word.starts_with(name) && word.size() > name.size() && word[name.size()] == '=')
      return word.substr(name.size() + 1);
  }
  return {};
}

bool has_flag(const Words& command, std::string_view name) {
  return std::any_of(command.begin(), command.end(), [&](const std::string& word) {
    return word == name || (word.starts_with(name) && word[name.size()] == '=');
  });
}

}  // namespace flexslice::law
