kubectl --context=gke_p_us-east5_b apply -f srv-b.yaml
