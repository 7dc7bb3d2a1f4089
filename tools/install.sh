#!/bin/sh
# Installs what package-lock.json names, unless node_modules already holds it. Several may start at once: one installs, the others wait.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
cd "$root"

. "$root/tools/installed.sh"

fail() {
  echo "wadi: $1" >&2
  exit 1
}

installed && exit 0

command -v git >/dev/null 2>&1 || fail 'git is missing; install git 2.39 or newer'
command -v node >/dev/null 2>&1 || fail 'node is missing; install Node.js 20 or newer (https://nodejs.org)'
command -v npm >/dev/null 2>&1 || fail 'npm is missing; install npm 10 or newer, it comes with Node.js (https://nodejs.org)'
major=$(node -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 20 ] || fail "node $major is too old; install Node.js 20 or newer (https://nodejs.org)"

mkdir -p .cache
lock=.cache/install.lock
log=.cache/install.log

# A symbolic link is made in one step with the owner's process id in it, so no lock is ever seen without its owner.
announced=
while ! ln -s "pid-$$" "$lock" 2>/dev/null; do
  owner=$(readlink "$lock") || continue
  if ! kill -0 "${owner#pid-}" 2>/dev/null; then
    rm -f "$lock"
    continue
  fi
  [ -n "$announced" ] || echo "wadi: waiting for the install that process ${owner#pid-} has begun" >&2
  announced=yes
  sleep 1
done
trap 'rm -f "$lock"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

installed && exit 0

printf 'wadi: installing dependencies, once, about half a minute ... ' >&2
if ! npm ci --include=dev --include=optional --loglevel=error >"$log" 2>&1 </dev/null; then
  echo 'failed' >&2
  head -n 20 "$log" >&2
  fail "npm ci failed in $root; see above, fix it and try again"
fi
echo 'done' >&2

[ -x node_modules/.bin/node ] ||
  fail "there is no Node.js package for $(uname -s) on $(uname -m); Linux on x64 and arm64 and macOS on arm64 are supported"
node_modules/.bin/node --version >/dev/null ||
  fail 'the installed Node.js does not start; if a library is missing, install it (Debian and Ubuntu: apt-get install libatomic1)'
