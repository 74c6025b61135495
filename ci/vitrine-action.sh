#!/usr/bin/env bash
# What action.yml does, from the root of a repository. It reads VITRINE_* and GITHUB_* of the environment, which stay data: no value becomes shell
# text, an option, or a command of the runner. Bash 3.2 is enough. Exit codes are vitrine's; of several the highest.
set -euo pipefail

main() {
  worst=0 check=skipped lock=skipped diff=skipped number=0
  said=$(mktemp)
  trap 'rm -f -- "$said"' EXIT
  read_switches
  open_program
  find_base
  local line
  while IFS= read -r line <&3 || [ -n "$line" ]; do
    line=$(trim "$line")
    if [ -n "$line" ]; then try_curation "$line"; fi
  done 3<<<"$VITRINE_CURATIONS"
  [ "$number" -gt 0 ] || fail "No curation is named."
  write_to "${GITHUB_OUTPUT:-}" "check=$check" "lock=$lock" "diff=$diff"
  exit "$worst"
}

read_switches() {
  local value
  for value in "$VITRINE_STRICT" "$VITRINE_LOCK"; do
    case $value in true | false) ;; *) fail "strict and lock are true or false, not: $value" ;; esac
  done
}

# The vitrine of this revision, unless one is named.
open_program() {
  if [ -n "$VITRINE_PROGRAM" ]; then
    vitrine=("$VITRINE_PROGRAM")
    return
  fi
  local home
  home=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
  node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' ||
    fail "vitrine needs Node 20.19 or newer: let actions/setup-node come before."
  if [ ! -e "$home/dist/vitrine.js" ]; then
    (cd -- "$home" && npm ci --ignore-scripts --no-audit --no-fund && node build.mjs) >"$said" 2>&1 ||
      { tell <"$said" && fail "vitrine could not be built."; }
  fi
  vitrine=(node "$home/dist/vitrine.js")
}

# Sets `base` to a commit; empty where there is nothing to compare with, as for the first push of a branch.
find_base() {
  base=
  if [[ $VITRINE_BASE =~ ^0*$ ]]; then
    echo "::notice title=vitrine::There is no base to compare with."
    return
  fi
  # No name of git's begins so, and an option must not come in as one.
  case $VITRINE_BASE in -*) fail "This is no revision: $VITRINE_BASE" ;; esac
  base=$(commit_of "$VITRINE_BASE" || commit_of "refs/remotes/origin/$VITRINE_BASE" || fetch_base) ||
    fail "There is no such revision: $VITRINE_BASE"
}

commit_of() {
  git rev-parse --verify --quiet "$1^{commit}"
}

# For a checkout that holds the newest commit only.
fetch_base() {
  local ref=$VITRINE_BASE depth=()
  [[ $ref =~ ^[0-9a-f]{40,64}$ ]] || ref=refs/heads/$ref
  git check-ref-format "refs/heads/${ref#refs/heads/}" || return 1
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then depth=(--depth=1); fi
  git fetch --quiet --no-tags ${depth[@]+"${depth[@]}"} origin "$ref" >&2 && commit_of FETCH_HEAD
}

try_curation() {
  local path=$1 name options=()
  case $path in /*) fail "A path begins at the root of the repository: $path" ;; -* | git:*) path=./$path ;; esac
  number=$((number + 1))
  name=$number-$(file_name "$path")
  write_to "${GITHUB_STEP_SUMMARY:-}" "# \`$(printf %s "$path" | tr -d '`<>\r')\`" ""

  echo "vitrine check $path" | tell
  outputs "$name.check"
  if [ "$VITRINE_STRICT" = true ]; then options=(--strict); fi
  annotate check check "$path" ${options[@]+"${options[@]}"}

  if [ "$VITRINE_LOCK" = true ]; then check_lock "$path"; fi
  if [ -n "$base" ]; then compare "$path" "$name"; fi
}

check_lock() {
  local code=0
  "${vitrine[@]}" tools "$1" --lock --check >"$said" 2>&1 || code=$?
  tell <"$said"
  came lock "$code"
  if [ "$code" = 1 ]; then
    echo "::error title=vitrine::A lock is not that of the tools as they are; the log of this step says why."
    write_to "${GITHUB_STEP_SUMMARY:-}" "The lock is not that of the tools as they are: \`vitrine tools CURATION --lock\` makes it anew." ""
  fi
}

compare() {
  local path=$1 options=()
  echo "vitrine diff git:$base:$path" | tell
  if ! git cat-file -e "$base:./$path" 2>/dev/null; then
    echo "The base has no such curation: all of it is new." | tell
    return
  fi
  outputs "$2.diff"
  if [ -n "$VITRINE_SUPPRESS" ]; then options=("--suppress=$VITRINE_SUPPRESS"); fi
  annotate diff diff "git:$base:$path" "--fail-on=$VITRINE_FAIL_ON" ${options[@]+"${options[@]}"}
}

# Sets `files` to the options that write the reports.
outputs() {
  files=()
  if [ -n "$VITRINE_SARIF" ]; then
    mkdir -p -- "$VITRINE_SARIF"
    files+=("--output=sarif=$VITRINE_SARIF/$1.sarif")
  fi
  if [ -n "$VITRINE_JUNIT" ]; then
    mkdir -p -- "$VITRINE_JUNIT"
    files+=("--output=junit=$VITRINE_JUNIT/$1.xml")
  fi
}

# Runs a command whose findings become annotations; what it says beside them is told as plain text.
annotate() {
  local kind=$1 code=0
  shift
  "${vitrine[@]}" "$@" --format=github ${files[@]+"${files[@]}"} 2>"$said" || code=$?
  tell <"$said"
  came "$kind" "$code"
}

# Keeps what came of a kind of step: one failure is enough.
came() {
  if [ "$2" -gt 1 ]; then echo "::error title=vitrine::vitrine could not do the $1; the log of this step says why."; fi
  if [ "$2" -gt "$worst" ]; then worst=$2; fi
  if [ "$2" != 0 ]; then
    printf -v "$1" failed
  elif [ "${!1}" = skipped ]; then
    printf -v "$1" passed
  fi
}

# Standard input as it is, of which the runner takes no line as a command.
tell() {
  local text token
  text=$(cat)
  if [ -z "$text" ]; then return; fi
  token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n%s\n::%s::\n' "$token" "$text" "$token"
}

fail() {
  local text=${1//'%'/%25}
  text=${text//$'\r'/%0D}
  echo "::error title=vitrine::${text//$'\n'/%0A}" >&2
  exit 2
}

write_to() {
  local file=$1
  shift
  if [ -n "$file" ]; then printf '%s\n' "$@" >>"$file"; fi
}

trim() {
  local text=${1#"${1%%[![:space:]]*}"}
  printf %s "${text%"${text##*[![:space:]]}"}"
}

# The last name of a path without its ending, of letters that every system and upload takes.
file_name() {
  local name=${1##*/}
  printf %s "${name%.*}" | LC_ALL=C tr -c 'A-Za-z0-9._-' -
}

main
