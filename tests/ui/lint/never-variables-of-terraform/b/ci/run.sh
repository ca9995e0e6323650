export TF_VAR_n=4
terraform -chdir=infra apply -auto-approve
