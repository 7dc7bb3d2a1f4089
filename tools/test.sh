#!/bin/sh
# `npm test`: brings what the tests need, as far as it can be brought, then runs them.
set -eu

cd -- "$(dirname -- "$0")/.."
sh tools/install.sh

wanted=
command -v redis-server >/dev/null 2>&1 || wanted="$wanted redis-server"
command -v sshd >/dev/null 2>&1 || [ -x /usr/sbin/sshd ] || wanted="$wanted openssh-server"
command -v gpg >/dev/null 2>&1 || wanted="$wanted gnupg"
command -v ssh-keygen >/dev/null 2>&1 || wanted="$wanted openssh-client"
command -v chromium >/dev/null 2>&1 || [ -x /usr/bin/google-chrome ] || wanted="$wanted chromium"
if [ -n "$wanted" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing$wanted for the tests that need them"
  # RUNLEVEL=1 keeps the packages from starting their services.
  install() {
    # shellcheck disable=SC2086 # one word per package
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive timeout 120 apt-get install -y -qq --no-install-recommends $wanted >/dev/null 2>&1 </dev/null
  }
  install || { timeout 60 apt-get update -qq >/dev/null 2>&1 </dev/null && install; } ||
    echo "apt-get could not install$wanted: the tests that need them are skipped"
fi

exec node_modules/.bin/node tools/run-tests.ts "$@"
