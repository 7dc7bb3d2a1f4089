#!/bin/sh
# Prints one ConfigMap. The value comes from whoever writes the application: it is checked before it is used.
set -eu
LC_ALL=C # so that a-z are these 26 letters

suffix=${PARAM_CM_NAME_SUFFIX-${CM_NAME_SUFFIX-}}
case $suffix in
  '' | -* | *- | *[!a-z0-9-]*)
    echo 'parameter cm-name-suffix: give lower-case letters, digits and "-" inside' >&2
    exit 1
    ;;
esac

# After the check the value needs no quoting in JSON. printf never reads it as a format.
printf '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "%s"}}\n' "trivial-$suffix"
