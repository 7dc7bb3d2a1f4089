#!/bin/sh
# Starts the service that the first argument names; the others are its flags.
set -eu

service=${1:-}
main=/wadi/services/$service/src/main.ts
case $service in
  '' | *[!a-z-]*) main= ;;
esac
if [ -z "$main" ] || [ ! -f "$main" ]; then
  echo "name a service: $(cd /wadi/services && echo *)" >&2
  exit 64
fi
shift
exec node "$main" "$@"
