#!/bin/sh
# Usage: wadi-diff.sh BASE REPORT
#
# Writes into REPORT, as Markdown, what the checkout around this directory changes on all hydrated branches since it left BASE, and
# prints it; where nothing can be compared, why. Ends with 0 whether something changes or not, and with 2 for an error, also one of an
# Application. Needs no server.
#
# WADI       the command line of Wadi; "wadi" by default
# WADI_REPO  the dry repository of the Applications; by default the remote "origin", however it is spelled
set -u
if [ -z "${1:-}" ] || [ -z "${2:-}" ]; then
  echo 'usage: wadi-diff.sh BASE REPORT; BASE is the branch that the pull request is merged into' >&2
  exit 2
fi
code=0
"${WADI:-wadi}" diff --local --files --base "$1" --output markdown ${WADI_REPO:+--repo "$WADI_REPO"} >"$2" 2>"$2.errors" || code=$?
cat "$2.errors" >&2
# Without a comparison the report says why; indented, so that nothing in it is Markdown.
[ -s "$2" ] || { printf '### Hydrated changes\n\n'; sed 's/^/    /' "$2.errors"; } >"$2"
rm -f "$2.errors"
cat "$2"
[ "$code" -ne 1 ] || code=0
exit "$code"
