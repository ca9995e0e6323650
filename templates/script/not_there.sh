
# Says where it was looked for: in another project than you think of, it would seem to be gone.
not_there() {
  local project=${2-}
  echo "    no $1 in project ${project:-$(gcloud config get-value project 2>/dev/null)}: nothing deleted there"
}
