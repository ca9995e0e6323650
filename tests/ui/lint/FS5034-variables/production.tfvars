# Terraform reads it only if its command line names it.
topology = "4x6"
