// Steps → bash. A script is a mapping as templates/gcloud/*.yaml have it.
//
//   title: what the script does
//   namespace: of the Kubernetes objects; without it that of kubectl's current context
//   checks: true                          its steps are checks, and it ends with their summary
//   advice: text                          what to do when something is not as expected
//   changes: text                         the same where gcloud can change it while pods run
//   billed: text                          what may be billed when the script stops
//   keepGoing: true                       a step that fails is reported at the end
//   finally: text                         what to say when nothing failed
//   otherwise: text                       what to say when there are no steps
//   steps: a list of
//   title: what the step does             with one of
//     run: argv                           runs the command
//     expect: [condition, …, --], run: argv
//                                         compares the columns that the command prints
//     pools: [number, condition, …, --], run: argv
//                                         compares how many node pools the command lists by these
//                                         conditions with what there should be at least
//     check: [function, …], run: argv     calls a function of templates/script/check with the
//                                         title, its further arguments and the command; with
//                                         `kubectl: argv` in the namespace
//     credentials: argv                   runs the command with a kubeconfig of the script's own
//     kubectl: argv                       runs kubectl in the namespace
//     delete: object, api: path, kubectl: argv
//                                         the same for an object that may not exist, of a kind that
//                                         may not exist either
//     save: true, run or kubectl          prints what the command says as a document, masked
//     call: [function, word, …]           calls a function of templates/script; with `kubectl:
//     argv`
//                                         the function gets that command, in the namespace, as well
//     steps: […]                          steps that belong together
//   and perhaps
//     unless: {exists: name, list: argv}  does nothing when the list command prints the name
//     if: {exists: name, list: argv}      does nothing unless it does; each with `otherwise`, what
//                                         to say then, or the words of a function of
//                                         templates/script
//     same: [condition, …, --, word, …]   with `unless`: what exists is compared by that command
//     unused: [pool, label]               with `own`: nor when other workloads have pods there;
//     unusedCluster: [label, word, …]     the same for a cluster, whose pools the command lists
//     differs: [condition, …, --, word, …]
//                                         does nothing when what exists fulfils the conditions
//     is_old: [resource, JSONPath, text]  does nothing unless the object has that text there; with
//                                         `unlike`, unless it has another one
//     goes_on: [resource, name]           does nothing where a workload has finished or was never
//                                         started; a ConfigMap of that name remembers that it ran
//     input: text                         what the command reads
//     keepGoing: true                     with `steps`: as for a script
//     containsAll: true                   in a script that keeps going: with it goes what earlier
//                                         steps could not delete
#pragma once

#include <string>
#include <string_view>

#include "backend/template/template.hpp"
#include "diag/diag.hpp"
#include "yaml/value.hpp"

namespace flexslice::gcloud {

// With `flexslice`, which is the workload's name, the label that says whose a cluster or pool is. A
// word that ends with it and `=` gets the namespace that the script uses.
inline constexpr std::string_view namespace_label = "flexslice-namespace";

struct Header {
  std::string_view file;     // `provision.sh`
  std::string_view summary;  // of the plan
  std::string_view source;   // file name of the spec
  bool comments = true;
};

// The whole script, executable by bash 3.2 and later. `templates` has the shell parts under
// script/.
std::string to_bash(const yaml::Value& script, const Header& header,
                    const templates::Set& templates);

// Reports steps that are not of the form above.
void check(yaml::View script, diag::Sink& sink);

}  // namespace flexslice::gcloud
