#!/bin/sh
# Checks the workflows of forges with actionlint, and their scripts with shellcheck where that is installed.
set -eu
cd "$(dirname "$0")/actionlint"
command -v go >/dev/null || { echo 'Go is missing: the workflows are not checked'; exit; }
# Runners of Forgejo have that label, and its artifacts that version of the actions.
go tool actionlint -ignore 'label "docker" is unknown' -ignore 'load-artifact@v3" action is too old' \
  ../../.github/workflows/*.yml ../../.forgejo/workflows/*.yml ../../deploy/ci/forgejo/*.yaml
