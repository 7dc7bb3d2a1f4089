import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { parse } from 'yaml'
import { Gateway } from '../testing/gateway-fixture.ts'
import { listen } from '../testing/http-listener-fixture.ts'
import { loggedMessage, runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'

/** A server whose sets give the Applications that are listed under their names. */
async function startServer(made: Record<string, JsonObject[]>): Promise<Gateway> {
  const gateway = await Gateway.start()
  gateway.applicationSets.generated = made
  return gateway
}

const generated = (name: string) => `generate argocd/${name}`

function setText(name: string, kind = 'ApplicationSet'): string {
  return `apiVersion: argoproj.io/v1alpha1\nkind: ${kind}\nmetadata:\n  name: ${name}\n`
}

function application(name: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: { project: 'default', destination: { server: 'https://dev', namespace: name }, ...spec },
  }
}

const repoURL = 'https://git.example.com/r.git'
const source = { repoURL, path: 'apps/web', targetRevision: 'HEAD' }
const web = application('web', { source, syncPolicy: { automated: { prune: true } } })
const api = application('api', {
  destination: { name: 'east', namespace: 'api' },
  sources: [{ repoURL, chart: 'api', targetRevision: '1.2.0' }, source],
  syncPolicy: { automated: {} },
})
const shop = application('shop', {
  sourceHydrator: { drySource: { repoURL, path: 'apps/shop', targetRevision: 'main' }, syncSource: {} },
  syncPolicy: { automated: { enabled: false, prune: true } },
})

test('the Applications of several inputs are one table with the columns of argocd, set by set', async () => {
  await using server = await startServer({ one: [web, api], two: [], three: [shop] })
  await using directory = await temporaryDirectory()
  await mkdir(join(directory.path, 'sets', 'deeper'), { recursive: true })
  await writeFile(join(directory.path, 'sets', 'a.yaml'), `${setText('one')}---\n${setText('two')}`)
  await writeFile(join(directory.path, 'sets', 'deeper', 'b.yaml'), setText('unread'))
  await using files = await listen((_request, response) => response.end(setText('three')))
  const { stdout, stderr, code } = await runWadi(['appset', 'generate', 'sets', `${files.url}/set.yaml`], {
    environment: server.environment,
    directory: directory.path,
  })
  assert.deepEqual([stderr, code], ['', 0])
  assert.equal(
    stdout,
    `NAME         CLUSTER      NAMESPACE  PROJECT  STATUS  HEALTH  SYNCPOLICY  CONDITIONS  REPO                           PATH       TARGET
argocd/web   https://dev  web        default                  Auto-Prune  <none>      https://git.example.com/r.git  apps/web   HEAD
argocd/api   east         api        default                  Auto        <none>      https://git.example.com/r.git             1.2.0
argocd/shop  https://dev  shop       default                  Manual      <none>      https://git.example.com/r.git  apps/shop  main
`,
  )
  assert.deepEqual(server.applicationSets.calls, ['one', 'two', 'three'].map(generated))
})

test('names, JSON and YAML are the Applications as they are, one alone without a list around it', async () => {
  await using server = await startServer({ one: [web], two: [web, shop], none: [] })
  const generate = async (name: string, format: string) => {
    const args = ['appset', 'generate', '-', '-o', format]
    return (await runWadi(args, { environment: server.environment, input: setText(name) })).stdout
  }
  assert.equal(await generate('two', 'name'), 'argocd/web\nargocd/shop\n')
  assert.deepEqual(JSON.parse(await generate('two', 'json')), [web, shop])
  assert.deepEqual(parse(await generate('two', 'yaml')), [web, shop])
  assert.deepEqual(JSON.parse(await generate('one', 'json')), web)
  assert.deepEqual(parse(await generate('one', 'yaml')), web)
  assert.equal(await generate('none', 'json'), '[]\n')
})

test('the namespace of the command line is for sets without one', async () => {
  await using server = await startServer({ one: [], two: [] })
  const { stderr, code } = await runWadi(['appset', 'generate', '-', '-N', 'teams'], {
    environment: server.environment,
    input: `${setText('one')}  namespace: own\n---\n${setText('two')}`,
  })
  assert.equal(code, 0)
  const note = `ApplicationSet 'one' keeps the namespace of its YAML, "own"; -N does not change it`
  assert.equal(loggedMessage(stderr), note)
  assert.deepEqual(server.applicationSets.calls, ['generate own/one', 'generate teams/two'])
})

const wrongInputs: [string, string, RegExp][] = [
  ['an object of another kind', setText('a', 'Application'), /-:6: Application a is not an ApplicationSet/],
  [
    'a set of another version',
    setText('a').replace('v1alpha1', 'v2'),
    /-:6: a: kind ApplicationSet has apiVersion argoproj\.io\/v1alpha1/,
  ],
  ['a set without a name', setText('""'), /-:6: ApplicationSet has no metadata\.name/],
  ['text that is not an object', 'text\n', /-:6: a Kubernetes object must be an object/],
]
for (const [what, text, message] of wrongInputs) {
  test(`${what} at the end of the input keeps the first set from being sent`, async () => {
    await using server = await startServer({ good: [web] })
    const { stdout, stderr, code } = await runWadi(['appset', 'generate', '-'], {
      environment: server.environment,
      input: `${setText('good')}---\n${text}`,
    })
    assert.deepEqual([stdout, code], ['', 20])
    assert.match(stderr, message)
    assert.deepEqual(server.calls, [])
  })
}

test('a set that the server refuses is named with its file, and nothing is printed of those before', async () => {
  await using server = await startServer({ good: [web] })
  const { stdout, stderr, code } = await runWadi(['appset', 'generate', '-'], {
    environment: server.environment,
    input: `${setText('good')}---\n${setText('bad')}---\n${setText('last')}`,
  })
  assert.deepEqual([stdout, code], ['', 20])
  const reason = 'rpc error: code = InvalidArgument desc = spec.generators[0] names no generator'
  assert.equal(loggedMessage(stderr), `-:6: bad: ${reason}`)
  assert.deepEqual(server.applicationSets.calls, ['good', 'bad'].map(generated))
})

test('no input is wrong usage, and an empty one a failure', async () => {
  const none = await runWadi(['appset', 'generate'])
  assert.equal(none.code, 1)
  assert.match(none.stderr, /missing required argument 'input'/)
  const empty = await runWadi(['appset', 'generate', '-'], { input: '# nothing\n' })
  assert.equal(empty.code, 20)
  assert.match(empty.stderr, /the input holds no ApplicationSet/)
})
