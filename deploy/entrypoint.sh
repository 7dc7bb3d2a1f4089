#!/bin/sh
# Starts the service that the first argument names, or all of them as `mesh`; the others are its flags.
set -eu

service=${1:-}
case $service in
  mesh) main=/wadi/mesh/src/main.ts ;;
  '' | *[!a-z-]*) main= ;;
  *) main=/wadi/services/$service/src/main.ts ;;
esac
if [ -z "$main" ] || [ ! -f "$main" ]; then
  echo "name a service: $(cd /wadi/services && echo *), or mesh for all" >&2
  exit 64
fi
shift
. /wadi/mesh/memory.sh
# shellcheck disable=SC2086 # several options
exec node $memory_flags --require /wadi/libs/programs/src/quick-modules.ts "$main" "$@"
