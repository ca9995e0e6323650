echo N=4 >> "$GITHUB_ENV"
