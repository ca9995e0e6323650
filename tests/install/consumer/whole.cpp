// Every part of the public interface, printed in a form that a test can compare with the program's
// own output.
//   whole about
//   whole lint NAME [--notes] <TEXT
//   whole compile|check|threads NAME [--no-comments] [--emit N] [--set PATH=VALUE] [--defaults
//   FILE] <SPEC
// Fields end with a unit separator, records with a record separator, which no artifact has.
#include <flexslice/flexslice.hpp>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace api = flexslice::api;

namespace {

constexpr char unit = '\x1f', record = '\x1e';

std::string read(std::istream& stream) {
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

void print(const api::Place& place) {
  std::cout << place.file << unit << place.line << unit << place.column << unit << place.end_line
            << unit << place.end_column << unit;
}

void print(const std::vector<std::string>& lines) {
  std::cout << lines.size() << unit;
  for (const std::string& line : lines) std::cout << line << unit;
}

void print(const std::vector<api::Finding>& findings) {
  for (const api::Finding& each : findings) {
    std::cout << each.code << unit << static_cast<int>(each.level) << unit;
    print(each.where);
    std::cout << each.message << unit;
    print(each.notes);
    print(each.helps);
    std::cout << each.fixes.size() << unit;
    for (const api::Fix& fix : each.fixes) {
      print(fix.where);
      std::cout << fix.text << unit;
    }
    std::cout << each.related.size() << unit;
    for (const api::Related& related : each.related) {
      print(related.where);
      std::cout << related.text << unit;
    }
    std::cout << record;
  }
}

void print(const api::Result& result) {
  for (const api::Workload& workload : result.workloads) {
    for (const api::Artifact& artifact : workload.artifacts) {
      std::cout << workload.name << unit << api::word(artifact.emit) << unit
                << api::file_name(artifact.emit) << unit << artifact.text << unit << record;
    }
  }
}

bool same(const api::Result& one, const api::Result& other) {
  if (one.ok != other.ok || one.workloads.size() != other.workloads.size() ||
      one.findings.size() != other.findings.size())
    return false;
  for (std::size_t i = 0; i < one.workloads.size(); ++i) {
    const auto &ours = one.workloads[i].artifacts, &theirs = other.workloads[i].artifacts;
    if (ours.size() != theirs.size()) return false;
    for (std::size_t j = 0; j < ours.size(); ++j) {
      if (ours[j].text != theirs[j].text) return false;
    }
  }
  return true;
}

// Exits with 0 when the same input gave the same result in every thread.
int in_threads(const std::string& text, const api::Options& options) {
  constexpr int threads = 4, rounds = 20;
  std::vector<api::Result> results(threads * rounds);
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&, i] {
      for (int j = 0; j < rounds; ++j)
        results[static_cast<std::size_t>(i * rounds + j)] = api::compile(text, options);
    });
  }
  for (std::thread& each : running) each.join();
  const api::Result alone = api::compile(text, options);
  for (const api::Result& each : results) {
    if (!same(each, alone)) return 1;
  }
  return 0;
}

api::Options read_options(const std::vector<std::string>& words) {
  api::Options options;
  options.file = words.at(1);
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "--no-comments") {
      options.comments = false;
    } else if (words[i] == "--emit") {
      options.emit.push_back(static_cast<api::Emit>(std::stoi(words.at(++i))));
    } else if (words[i] == "--set") {
      options.sets.push_back(words.at(++i));
    } else if (words[i] == "--defaults") {
      std::ifstream file(words.at(++i));
      options.defaults.push_back({words[i], read(file)});
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.at(0) == "about") {
    const api::About about = api::about();
    std::cout << "flexslice " << about.version << "\ncatalog " << about.catalog_date << "\ngcloud "
              << about.gcloud_version << "\n";
    return 0;
  }
  if (words[0] == "lint") {
    print(api::lint(read(std::cin), {words.at(1), words.back() == "--notes"}));
    return 0;
  }
  const api::Options options = read_options(words);
  const std::string text = read(std::cin);
  if (words[0] == "threads") return in_threads(text, options);
  if (words[0] == "check") {
    print(api::check(text, options));
    return 0;
  }
  const api::Result result = api::compile(text, options);
  print(result);
  return result.ok ? 0 : 1;
}
