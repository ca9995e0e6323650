// The release of Terraform's provider that a document is for.
#pragma once

#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "yaml/value.hpp"

namespace flexslice::terraform {

// Reports at `where` the arguments of the document that the provider lacks, each once.
void check_arguments(const yaml::Value& document, const catalog::Provider& provider, Span where,
                     diag::Sink& sink);

// Lets the document require that release, or a later one, instead of the one that it names.
void require_provider(std::string_view version, yaml::Value& document);

}  // namespace flexslice::terraform
