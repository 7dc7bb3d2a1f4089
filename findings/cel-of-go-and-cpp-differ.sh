#!/bin/sh
# Google's two implementations of CEL answer differently to one expression. The Go one, with which Kubernetes evaluates policies, writes a time
# with as few digits as it needs, reads no number with a space, and counts all milliseconds of a duration; the C++ one, behind Google's package
# for Python, writes three digits, skips the space, and counts those beside whole seconds. A policy that was tried out in Python decides
# otherwise in a cluster.
#
# Needs go, and python3 with pip. Seen with cel-go 0.26.0 and cel-expr-python 0.1.3, Go 1.26.8 and Python 3.11.7, in Go and in C++:
#   string(timestamp("2026-01-01T00:00:00.100Z")): 2026-01-01T00:00:00.1Z | 2026-01-01T00:00:00.100Z
#   int(" 1"): an error | 1
#   duration("90s").getMilliseconds(): 90000 | 0
set -eu

PATH="$PATH:/usr/local/go/bin"
go version >/dev/null || { echo 'this needs go' >&2; exit 1; }
python3 -m pip --version >/dev/null || { echo 'this needs python3 with pip' >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m pip install --quiet --root-user-action ignore --disable-pip-version-check --target packages cel-expr-python==0.1.3
export GOFLAGS='-mod=mod -modcacherw' GOMODCACHE="$work/modules" GOCACHE="$work/cache"
printf 'module evaluate\ngo 1.23\nrequire github.com/google/cel-go v0.26.0\n' >go.mod
cat >main.go <<'END_OF_MAIN'
package main

import (
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

func main() {
	environment, err := cel.NewEnv()
	check(err)
	checked, issues := environment.Compile(os.Args[1])
	check(issues.Err())
	program, err := environment.Program(checked)
	check(err)
	value, _, err := program.Eval(cel.NoVars())
	if err != nil {
		value = types.String("an error")
	}
	fmt.Println(value)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
END_OF_MAIN
go build -o evaluate . 2>build.log || { cat build.log >&2; exit 1; }

in_go() {
  ./evaluate "$1"
}
in_cpp() {
  PYTHONPATH=packages python3 -c '
import sys
from cel_expr_python import cel
value = cel.NewEnv().compile(sys.argv[1]).eval(data={})
print("an error" if value.type() == cel.Type.ERROR else value.value())
' "$1"
}
seen=$(
  for text in 'string(timestamp("2026-01-01T00:00:00.100Z"))' 'int(" 1")' 'duration("90s").getMilliseconds()'; do
    printf '%s: %s | %s\n' "$text" "$(in_go "$text")" "$(in_cpp "$text")"
  done
)
printf '%s\n' "$seen"
[ "$seen" = 'string(timestamp("2026-01-01T00:00:00.100Z")): 2026-01-01T00:00:00.1Z | 2026-01-01T00:00:00.100Z
int(" 1"): an error | 1
duration("90s").getMilliseconds(): 90000 | 0' ]
