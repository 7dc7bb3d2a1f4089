#!/bin/sh
# Kustomize before 5.8.1 asks for the version with an option that Helm 4 does not have, and wants to hear of version 3.
# Otherwise both take the same arguments.
if [ "${1-}" = version ]; then
  echo v3.0.0
  exit
fi
exec "$WADI_HELM_OF_KUSTOMIZE" "$@"
