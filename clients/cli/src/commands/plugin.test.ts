import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { PluginSchema } from '@wadi/protocol/gen/wadi/plugins/v1/plugins_pb.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { sampleParameters } from '../testing/parameters-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'

async function startGateway(): Promise<Gateway> {
  const gateway = await Gateway.start()
  gateway.plugins.push(
    create(PluginSchema, {
      name: 'jsonnet',
      endpoint: '/plugins/jsonnet.sock',
      discovery: 'glob **/*.jsonnet',
      identity: 'sha256:12',
      hasDynamicParameters: true,
      provideGitCreds: true,
      variables: ['ARGOCD_APP_NAME', 'KUBE_VERSION=1.34.0'],
      parameters: sampleParameters.slice(0, 2),
      warnings: ['plugin.yaml:9: "lockRepo" has no effect'],
    }),
    create(PluginSchema, { name: 'lisp-v1.0', endpoint: '/plugins/lisp.sock', error: 'no answer\u001b[2J' }),
    create(PluginSchema, { name: 'named', endpoint: '/plugins/named.sock' }),
  )
  return gateway
}

test('the list shows how plugins are found, what they take and which of them do not answer', async () => {
  await using gateway = await startGateway()
  const run = (...args: string[]) =>
    runWadi(['plugin', 'list', ...args], { environment: gateway.environment })
  assert.equal(
    (await run()).stdout,
    `NAME       DISCOVERY          PARAMETERS   STATUS  MESSAGE
jsonnet    glob **/*.jsonnet  2 + dynamic  Ready   ${''}
lisp-v1.0                                  Failed  no answer\\x1b[2J
named      by name            0            Ready   ${''}
`,
  )
  assert.match(
    (await run('-o', 'wide')).stdout,
    /^NAME +ENDPOINT +IDENTITY +DISCOVERY.*\njsonnet +\/plugins\/jsonnet\.sock +sha256:12 +glob /,
  )
  assert.equal((await run('-o', 'name')).stdout, 'jsonnet\nlisp-v1.0\nnamed\n')
  const json = JSON.parse((await run('-o', 'json')).stdout) as unknown[]
  assert.partialDeepStrictEqual(json[2], { name: 'named', error: '', parameters: [] })
})

test('one plugin is shown with its parameters and warnings', async () => {
  await using gateway = await startGateway()
  const { stdout, code } = await runWadi(['plugin', 'get', 'jsonnet'], { environment: gateway.environment })
  assert.equal(code, 0)
  assert.equal(
    stdout,
    `Name:               jsonnet
Endpoint:           /plugins/jsonnet.sock
Status:             Ready
Discovery:          glob **/*.jsonnet
Identity:           sha256:12
Git Credentials:    given
Variables:          ARGOCD_APP_NAME, KUBE_VERSION=1.34.0
Parameters:         2 + dynamic

PARAMETER  TYPE    REQUIRED  DEFAULT  GROUP  DESCRIPTION
replicas   number  true      1               How many
size       enum    false     S        Looks  Size

Warnings:
- plugin.yaml:9: "lockRepo" has no effect
`,
  )
})

test('a plugin that does not answer shows why, and one that does not exist ends with 20', async () => {
  await using gateway = await startGateway()
  const run = (...args: string[]) => runWadi(['plugin', 'get', ...args], { environment: gateway.environment })
  const failed = await run('lisp-v1.0')
  assert.match(failed.stdout, /\nStatus: +Failed\nMessage: +no answer\\x1b\[2J\n$/)
  assert.match((await run('named', '-o', 'yaml')).stdout, /\nname: named\n/)
  const missing = await run('nobody')
  assert.equal(missing.code, 20)
  assert.match(missing.stderr, /plugin "nobody" not found/)
})
