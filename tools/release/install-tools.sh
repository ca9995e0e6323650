#!/usr/bin/env bash
# Installs what a release is built and tested with, on Debian 12. Needs root or sudo.
set -euo pipefail
packages=(g++ cmake ninja-build file libyaml-cpp-dev libcxxopts-dev libfmt-dev nlohmann-json3-dev catch2 python3 python3-yaml git dpkg-dev
  emscripten g++-aarch64-linux-gnu qemu-user)
# Another source of node brings npm along, and conflicts with Debian's.
command -v npm >/dev/null || packages+=(nodejs npm)
as_root=()
if ((EUID != 0)); then as_root=(sudo); fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "${packages[@]}" >/dev/null
