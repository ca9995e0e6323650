#include "view/gcloud_words.hpp"

namespace flexslice::view {

namespace {

using catalog::CommandTable;

class WordReader {
 public:
  GcloudWords read(std::span<const extract::Word> words) {
    result_.syntax = table_.syntax({});
    result_.arguments =
        extract::read_arguments(words, [this](const auto& operands, std::string_view flag) {
          find(operands);
          return takes_value(flag);
        });
    find(result_.arguments.operands);
    return std::move(result_);
  }

 private:
  void find(const std::vector<const extract::Word*>& operands) {
    if (result_.command.is_command() || operands.size() == seen_) return;
    seen_ = operands.size();
    std::vector<std::string_view> names;
    for (const extract::Word* word : operands) {
      if (word->unknown) break;
      names.push_back(word->text);
    }
    result_.command = table_.find(names);
    if (result_.command.is_command()) result_.syntax = table_.syntax(result_.command);
  }

  bool takes_value(std::string_view flag) const {
    const catalog::FlagRow* row = result_.syntax.find(flag);
    if (row == nullptr) row = table_.any_flag(flag);
    // A flag that no command has is read as its name reads.
    if (row == nullptr) return !flag.starts_with("--enable-") && !flag.starts_with("--no-");
    return row->takes_value();
  }

  const CommandTable& table_ = CommandTable::built_in();
  std::size_t seen_ = 0;
  GcloudWords result_;
};

}  // namespace

GcloudWords read_gcloud(std::span<const extract::Word> words) { return WordReader().read(words); }

}  // namespace flexslice::view
