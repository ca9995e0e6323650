terraform apply -var-file=vars/prod.tfvars
