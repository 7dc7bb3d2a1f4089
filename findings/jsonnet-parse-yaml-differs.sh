#!/bin/sh
# std.parseYaml of the two implementations of Jsonnet 0.22.0 gives different values of one text. The C++ one leaves an alias and a merge key
# as the words that they are written with, without an error; the Go one resolves them. Whoever moves between `jsonnet` and what has
# go-jsonnet in it (Argo CD, Tanka) gets other objects of a values file with anchors.
#
# Needs python3 with pip. Seen with the packages jsonnet and gojsonnet of Python, and Python 3.11.7:
#   C++: {"base": {"cpu": 1}, "web": {"<<": "*base", "memory": 2}, "worker": "*base"}
#   Go: {"base": {"cpu": 1}, "web": {"cpu": 1, "memory": 2}, "worker": {"cpu": 1}}
set -eu

python3 -m pip --version >/dev/null || { echo 'this needs python3 with pip' >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m pip install --quiet --root-user-action ignore --disable-pip-version-check --target packages gojsonnet==0.22.0 jsonnet==0.22.0

cat >main.jsonnet <<'END_OF_MAIN'
std.parseYaml(|||
  base: &base {cpu: 1}
  web:
    <<: *base
    memory: 2
  worker: *base
|||)
END_OF_MAIN
evaluate() {
  PYTHONPATH=packages python3 -c "import json, $1; print(json.dumps(json.loads($1.evaluate_file('main.jsonnet'))))"
}
cpp=$(evaluate _jsonnet)
go=$(evaluate _gojsonnet)
printf 'C++: %s\nGo: %s\n' "$cpp" "$go"
[ "$cpp" = '{"base": {"cpu": 1}, "web": {"<<": "*base", "memory": 2}, "worker": "*base"}' ]
[ "$go" = '{"base": {"cpu": 1}, "web": {"cpu": 1, "memory": 2}, "worker": {"cpu": 1}}' ]
