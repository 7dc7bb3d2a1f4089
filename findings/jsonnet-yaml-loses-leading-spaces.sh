#!/bin/sh
# std.manifestYamlDoc of Jsonnet 0.22.0 writes a text of several lines as a block without saying how far it is indented, so a text whose
# first line begins with spaces is read back without them, or not at all when another line begins further left. The Go and the C++
# implementation do the same, and std.parseYaml of Jsonnet itself reads it so. JSON, which is YAML too, keeps the text.
#
# Needs python3 with pip. Seen with the packages gojsonnet, jsonnet and PyYAML of Python, and Python 3.11.7:
#   "  a:\n    b\n" -> "a:\n  b\n" by gojsonnet, "a:\n  b\n" by PyYAML
#   "  a\nb\n" -> an error by gojsonnet, an error by PyYAML
set -eu

python3 -m pip --version >/dev/null || { echo 'this needs python3 with pip' >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m pip install --quiet --root-user-action ignore --disable-pip-version-check --target packages gojsonnet==0.22.0 jsonnet==0.22.0 PyYAML==6.0.3

cat >main.py <<'END_OF_MAIN'
import json

import _gojsonnet
import _jsonnet
import yaml


def attempt(read):
    try:
        return json.dumps(read()["text"])
    except Exception:
        return "an error"


for text in "  a:\n    b\n", "  a\nb\n":
    program = "std.manifestYamlDoc({ text: %s })" % json.dumps(text)
    written = json.loads(_gojsonnet.evaluate_snippet("main.jsonnet", program))
    assert written == json.loads(_jsonnet.evaluate_snippet("main.jsonnet", program))
    own = attempt(lambda: json.loads(_gojsonnet.evaluate_snippet("main.jsonnet", "std.parseYaml(%s)" % program)))
    other = attempt(lambda: yaml.safe_load(written + "\n"))
    print(f"{json.dumps(text)} -> {own} by gojsonnet, {other} by PyYAML")
END_OF_MAIN

seen=$(PYTHONPATH=packages python3 main.py)
printf '%s\n' "$seen"
[ "$seen" = '"  a:\n    b\n" -> "a:\n  b\n" by gojsonnet, "a:\n  b\n" by PyYAML
"  a\nb\n" -> an error by gojsonnet, an error by PyYAML' ]
