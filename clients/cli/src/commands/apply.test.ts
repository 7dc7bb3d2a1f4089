import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { textAt } from '@wadi/fields/json-fields.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'

const applicationSpec = `spec:
  destination: {name: in-cluster}
  source: {repoURL: https://git.example.com/x.git}
`

function document(kind: string, name: string): string {
  const apiVersion = kind === 'Secret' ? 'v1' : 'argoproj.io/v1alpha1'
  const spec = kind === 'Application' ? applicationSpec : ''
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n${spec}`
}

test('directories, files, URLs and standard input are applied, projects before what refers to them', async () => {
  await using gateway = await Gateway.start()
  await using directory = await temporaryDirectory()
  await mkdir(join(directory.path, 'apps', 'deeper'), { recursive: true })
  await writeFile(
    join(directory.path, 'apps', 'a.yaml'),
    `${document('Application', 'a')}---\n${document('Secret', 's')}`,
  )
  await writeFile(join(directory.path, 'apps', 'notes.txt'), 'no YAML: [')
  await writeFile(join(directory.path, 'apps', 'deeper', 'd.yaml'), document('Application', 'd'))
  await writeFile(
    join(directory.path, 'p.json'),
    '{"apiVersion":"argoproj.io/v1alpha1","kind":"AppProject","metadata":{"name":"p"}}',
  )
  const files = createServer((_request, response) => response.end(document('ApplicationSet', 'set')))
  files.listen(0, '127.0.0.1')
  await once(files, 'listening')
  const address = files.address()
  assert.ok(address !== null && typeof address === 'object')
  const url = `http://127.0.0.1:${address.port}/set.yaml`
  const { stdout, stderr, code } = await runWadi(
    ['apply', '-f', join(directory.path, 'apps'), '-f', url, '-f', '-', '-f', join(directory.path, 'p.json')],
    { environment: gateway.environment, input: document('Application', 'z') },
  )
  files.close()
  assert.deepEqual([stderr, code], ['', 0])
  assert.equal(
    stdout,
    `secret/s created
appproject.argoproj.io/p created
application.argoproj.io/a created
application.argoproj.io/z created
applicationset.argoproj.io/set created
`,
  )
  assert.deepEqual(
    gateway.applied.map((object) => textAt(object, 'metadata', 'name')),
    ['s', 'p', 'a', 'z'],
  )
  assert.deepEqual([...gateway.applicationSets.stored.keys()], ['argocd/set'])
})

const wrongInputs: [string, string, RegExp][] = [
  ['a kind that is not known', document('Widget', 'w'), /wrong\.yaml:1: w: kind "Widget"/],
  [
    'a kustomization',
    'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n',
    /wrong\.yaml:1: it is a kustomization, .* wadi render DIRECTORY \| wadi apply -f -/,
  ],
  [
    'an object without a name',
    'apiVersion: v1\nkind: Secret\nmetadata: {}\n',
    /wrong\.yaml:1: Secret has no metadata\.name/,
  ],
  ['text that is not an object', 'just text\n', /wrong\.yaml:1: /],
  [
    'an object that occurs twice',
    document('Application', 'good'),
    /application\.argoproj\.io\/good occurs twice, in good\.yaml:1 and wrong\.yaml:1; remove one/,
  ],
]

for (const [what, content, message] of wrongInputs) {
  test(`${what} in the last file keeps the first from being written`, async () => {
    await using gateway = await Gateway.start()
    await using directory = await temporaryDirectory()
    await writeFile(join(directory.path, 'good.yaml'), document('Application', 'good'))
    await writeFile(join(directory.path, 'wrong.yaml'), content)
    const { stdout, stderr, code } = await runWadi(['apply', '-f', 'good.yaml', '-f', 'wrong.yaml'], {
      environment: gateway.environment,
      directory: directory.path,
    })
    assert.deepEqual([stdout, code], ['', 20])
    assert.match(stderr, message)
    assert.deepEqual(gateway.calls, [])
  })
}

test('a refused Application ends with 20 and is named together with its file, and none is stored', async () => {
  await using gateway = await Gateway.start()
  const { stdout, stderr, code } = await runWadi(['apply', '-f', '-'], {
    environment: gateway.environment,
    input: `${document('Application', 'a')}---\n${document('Application', 'refused')}`,
  })
  assert.deepEqual([stdout, code], ['', 20])
  assert.match(
    stderr,
    /-:\d+: rpc error: code = PermissionDenied desc = Application argocd\/refused: the project forbids it/,
  )
  assert.deepEqual(gateway.applied, [])
})

test('what is stored before an error is counted', async () => {
  await using gateway = await Gateway.start()
  const { stdout, stderr } = await runWadi(['apply', '-f', '-'], {
    environment: gateway.environment,
    input: `${document('Secret', 's')}---\n${document('Application', 'refused')}`,
  })
  assert.equal(stdout, 'secret/s created\n')
  assert.match(stderr, /1 of 2 objects are stored/)
})

test('an Application that breaks a rule keeps everything from being sent, and a password in it is not shown', async () => {
  await using gateway = await Gateway.start()
  const wrong = document('Application', 'a').replace('https://git', 'https://user:hunter2@git')
  const { stdout, stderr, code } = await runWadi(['apply', '-f', '-'], {
    environment: gateway.environment,
    input: `${document('Secret', 's')}---\n${wrong}`,
  })
  assert.deepEqual([stdout, code], ['', 20])
  assert.match(stderr, /-:\d+: a: Application a: spec\.source\.repoURL contains a password or a token/)
  assert.doesNotMatch(stderr, /hunter2/)
  assert.deepEqual(gateway.calls, [])
})

test('five thousand Applications are stored with a few calls, each branch with one', async () => {
  await using gateway = await Gateway.start()
  const input = Array.from({ length: 5_000 }, (_, index) => document('Application', `a-${index}`)).join(
    '---\n',
  )
  const { stdout, code } = await runWadi(['apply', '-f', '-'], { environment: gateway.environment, input })
  assert.deepEqual([stdout.split('\n').length, code], [5_001, 0])
  assert.equal(stdout.split('\n')[4_999], 'application.argoproj.io/a-4999 created')
  assert.ok(gateway.calls.length < 5, String(gateway.calls.length))
})

test('a dry run is marked in the output and stores nothing', async () => {
  await using gateway = await Gateway.start()
  const { stdout } = await runWadi(['apply', '--dry-run', '-f', '-'], {
    environment: gateway.environment,
    input: document('Application', 'a'),
  })
  assert.equal(stdout, 'application.argoproj.io/a created (dry run)\n')
  assert.deepEqual(gateway.applied, [])
})

test('what "app list -o json" and "kubectl get -o yaml" print is taken as it is', async () => {
  await using gateway = await Gateway.start()
  const object = (name: string) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name },
    spec: { destination: { name: 'in-cluster' }, source: { repoURL: 'https://git.example.com/x.git' } },
  })
  const list = { apiVersion: 'v1', kind: 'List', items: [object('c'), object('d')] }
  const input = `${JSON.stringify([object('a'), object('b')])}\n---\n${JSON.stringify(list)}`
  const { stdout } = await runWadi(['apply', '-f', '-', '-o', 'name'], {
    environment: gateway.environment,
    input,
  })
  assert.equal(stdout, 'abcd'.replaceAll(/./g, 'application.argoproj.io/$&\n'))
  assert.deepEqual(
    gateway.applied.map((one) => textAt(one, 'metadata', 'name')),
    ['a', 'b', 'c', 'd'],
  )
})

test('an error of an item of a list is named with the line of the item', async () => {
  await using gateway = await Gateway.start()
  const input = `- ${document('Application', 'a').replaceAll('\n', '\n  ')}\n- apiVersion: v1\n  kind: Widget\n`
  const { stderr } = await runWadi(['apply', '-f', '-'], { environment: gateway.environment, input })
  assert.match(stderr, /^FATA\[\d+\] -:9: Widget has no metadata\.name$/m)
  assert.deepEqual(gateway.calls, [])
})
