#!/usr/bin/env bash
# Fetches the sources of the libraries that programs for other machines are compiled with into
# FOLDER: yaml-cpp and fmtlib, in the versions whose packages are installed here. Without a version
# apt takes the newest source of all releases that it knows. The system's package lists stay as they
# are: apt reads a copy of its sources here, in which each archive is one of source packages.
#
# usage: fetch_libraries.sh FOLDER
set -euo pipefail

folder=$1
mkdir -p "$folder"
cd "$folder"
rm -rf apt && mkdir -p apt/sources.d apt/lists/partial apt/cache/archives/partial
for file in /etc/apt/sources.list.d/*.sources; do
  [[ ! -e $file ]] || sed 's/^Types:.*/Types: deb-src/' "$file" >"apt/sources.d/${file##*/}"
done
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [[ ! -e $file ]] || sed -n 's/^deb /deb-src /p' "$file" >"apt/sources.d/${file##*/}"
done
options=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$PWD/apt/sources.d"
  -o "Dir::State::Lists=$PWD/apt/lists" -o "Dir::Cache=$PWD/apt/cache" -o APT::Sandbox::User=)
apt-get "${options[@]}" -qq update
for pair in yaml-cpp=libyaml-cpp-dev fmtlib=libfmt-dev; do
  package=${pair%=*}
  version=$(dpkg-query --show --showformat='${source:Version}' "${pair#*=}")
  rm -rf "$package" fetched && mkdir fetched
  (cd fetched && apt-get "${options[@]}" -qq source "$package=$version" >/dev/null)
  mv fetched/*/ "$package"
done
rm -rf fetched apt
touch complete
