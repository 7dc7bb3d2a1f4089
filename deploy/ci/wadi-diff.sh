#!/bin/sh
# Usage: wadi-diff.sh BASE REPORT
#
# Writes into REPORT, as Markdown, what the checkout around this directory changes on all hydrated branches since it left BASE, and
# prints it. Ends with 0 whether something changes or not, and with 2 for an error, also one of an Application. Needs no server.
#
# WADI       the command line of Wadi; "wadi" by default
# WADI_REPO  the dry repository as the Applications spell it; by default the remote "origin"
set -u
code=0
"${WADI:-wadi}" diff --local --files --base "$1" --output markdown ${WADI_REPO:+--repo "$WADI_REPO"} >"$2" || code=$?
cat "$2"
[ "$code" -ne 1 ] || code=0
exit "$code"
