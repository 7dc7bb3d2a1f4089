#!/bin/sh
# Installs the programs that tests and benchmarks talk to and that are missing here, as far as apt-get is there and may.
set -eu

wanted=
command -v redis-server >/dev/null 2>&1 || wanted="$wanted redis-server"
command -v sshd >/dev/null 2>&1 || [ -x /usr/sbin/sshd ] || wanted="$wanted openssh-server"
command -v sqlite3 >/dev/null 2>&1 || wanted="$wanted sqlite3"
command -v gpg >/dev/null 2>&1 || wanted="$wanted gnupg"
command -v ssh-keygen >/dev/null 2>&1 || wanted="$wanted openssh-client"
browser=
command -v chromium-headless-shell >/dev/null 2>&1 || command -v chromium >/dev/null 2>&1 || [ -x /usr/bin/google-chrome ] || browser=chromium
[ -n "$wanted$browser" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || exit 0

echo "installing$wanted${browser:+ $browser} for the tests that need them"
# A browser without windows where there is one, as it takes less of the machine. RUNLEVEL=1 keeps the packages from starting their services.
install() {
  [ -z "$browser" ] || ! apt-cache show chromium-headless-shell >/dev/null 2>&1 || browser=chromium-headless-shell
  # shellcheck disable=SC2086 # one word per package
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive timeout 180 apt-get -o DPkg::Lock::Timeout=60 install -y -qq --no-install-recommends $wanted $browser >/dev/null 2>&1 </dev/null
}
install || { timeout 60 apt-get update -qq >/dev/null 2>&1 </dev/null && install; } ||
  echo "apt-get could not install$wanted${browser:+ $browser}: the tests that need them are skipped"
