#!/bin/sh
# Usage: wadi-verify.sh COMMIT BRANCH
#
# Verifies in the clone around this directory that COMMIT, which is to be merged into the deployed BRANCH, is signed and attested. Ends with
# 0 if it is, with 1 if it is not, and with 20 if it could not be checked. Needs no server, and runs nothing of the clone.
#
# WADI_KEYS      the public keys that may sign, as "wadi gpg export" prints them
# WADI           the command line of Wadi; "wadi" by default
# WADI_GATES     gates that must have passed in each directory, separated by commas, or "any"; by default none
# WADI_REPO_URL  the repository that attestations must name; by default the remote "origin", however it is spelled
set -u
if [ -z "${1:-}" ] || [ -z "${2:-}" ] || [ -z "${WADI_KEYS:-}" ]; then
  echo 'usage: wadi-verify.sh COMMIT BRANCH, with the public keys that may sign in WADI_KEYS' >&2
  exit 20
fi
keys=$(mktemp) || exit 20
trap 'rm -f "$keys"' EXIT
printf '%s\n' "$WADI_KEYS" >"$keys"
"${WADI:-wadi}" verify "$1" --branch "$2" --key "$keys" --fetch ${WADI_REPO_URL:+--repo-url "$WADI_REPO_URL"} \
  ${WADI_GATES:+--gates "$WADI_GATES"}
