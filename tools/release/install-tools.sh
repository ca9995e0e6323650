#!/usr/bin/env bash
# Installs what a release is built and tested with, on Debian 12. Needs root or sudo.
set -euo pipefail
packages=(g++ cmake ninja-build file libyaml-cpp-dev libcxxopts-dev libfmt-dev nlohmann-json3-dev catch2 python3 python3-yaml git dpkg-dev
  emscripten g++-aarch64-linux-gnu qemu-user)
# Another source of node brings npm along, and conflicts with Debian's.
command -v npm >/dev/null || packages+=(nodejs npm)
as_root=()
if ((EUID != 0)); then as_root=(sudo); fi

# Waits while another apt is at work, as on a machine that has just started. apt itself waits only for
# the lock of dpkg.
apt_get() { # COMMAND…
  local tries said
  for ((tries = 1; ; ++tries)); do
    if said=$("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -qq -o DPkg::Lock::Timeout=600 "$@" 2>&1 >/dev/null); then return; fi
    if [[ $said != *'Could not get lock'* ]] || ((tries == 120)); then
      printf '%s\n' "$said" >&2
      return 1
    fi
    sleep 5
  done
}

apt_get update
apt_get install --yes --no-install-recommends "${packages[@]}"
