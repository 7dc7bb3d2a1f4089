import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'

test('an Application that is not hydrated shows its source, also in the list', async () => {
  await using gateway = await Gateway.start()
  const { spec: _hydrated, ...rest } = sampleApplication('plain', { phase: 'Hydrated', dry: '1' })
  const source = { repoURL: 'https://git.example.com/plain.git', targetRevision: 'HEAD', path: 'apps/plain' }
  gateway.applications.set('plain', { ...rest, spec: { project: 'default', source } })
  const { environment } = gateway
  const { stdout } = await runWadi(['app', 'get', 'plain'], { environment })
  assert.match(
    stdout,
    /^Source:\n- Repo: +\S+plain\.git\n {2}Target: +HEAD\n {2}Path: +apps\/plain\nHydration: +<none>/m,
  )
  assert.doesNotMatch(stdout, /Dry S/)
  const list = await runWadi(['app', 'list'], { environment })
  assert.match(list.stdout, /plain\.git +apps\/plain +HEAD *\n$/)
})

test('the block shows the source, the hydration and what the branches hold', async () => {
  await using gateway = await Gateway.start()
  gateway.applications.set('guestbook', sampleApplication('guestbook', { phase: 'Hydrated', dry: '2' }))
  const { stdout, stderr, code } = await runWadi(['app', 'get', 'guestbook'], {
    environment: gateway.environment,
  })
  assert.equal(stderr, '')
  assert.equal(
    stdout,
    `Name:               argocd/guestbook
Project:            default
Server:             https://kubernetes.default.svc
Namespace:          guestbook
Dry Source:
- Repo:             https://git.example.com/deploy.git
  Target:           main
  Path:             apps/guestbook
Sync Source:
- Repo:             https://git.example.com/deploy.git
  Target:           environments/prod
  Path:             guestbook
Hydrate To:         environments/prod-next
Hydration:          Hydrated
Dry SHA:            2222222222222222222222222222222222222222
Hydrated SHA:       aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
Staged Branch:      environments/prod-next holds 2222222
Sync Branch:        environments/prod holds 1111111
Promotion:          waiting

Warnings:
- helm options are not in git
`,
  )
  assert.equal(code, 0)
  assert.deepEqual(gateway.calls, [
    { method: 'GetApplication', authorization: 'Bearer test-token', header: '' },
  ])
})

test('findings of gates are a table with their places', async () => {
  await using gateway = await Gateway.start()
  const sample = sampleApplication('guestbook', { phase: 'Hydrated', dry: '2' })
  const finding = { severity: 'warn', rule: 'secrets/github', object: 'ConfigMap/web', field: 'data.token' }
  const findings = [
    { ...finding, message: 'looks like a credential', file: 'web/values.yaml', line: 3 },
    { ...finding, severity: 'audit', message: 'looks like a credential' },
  ]
  gateway.applications.set('guestbook', { ...sample, status: { sourceHydrator: { findings } } })
  const { stdout } = await runWadi(['app', 'get', 'guestbook'], { environment: gateway.environment })
  assert.match(
    stdout,
    /\nSEVERITY +RULE +OBJECT +FIELD +PLACE\nwarn +secrets\/github +ConfigMap\/web +data\.token +web\/values\.yaml:3\naudit /,
  )
})

test('a signed commit shows its key, its attestation and when it was verified', async () => {
  await using gateway = await Gateway.start()
  const sample = sampleApplication('guestbook', { phase: 'Hydrated', dry: '2' })
  const proof = {
    key: 'SHA256:abc',
    owner: 'wadi',
    attested: true,
    gatesMessage: 'passed, 2 warnings',
    verifiedAt: '2026-11-28T12:00:00Z',
  }
  gateway.applications.set('guestbook', { ...sample, status: { sourceHydrator: { proof } } })
  const { stdout } = await runWadi(['app', 'get', 'guestbook'], { environment: gateway.environment })
  assert.match(
    stdout,
    /\nSigned By: +SHA256:abc \(wadi\)\nAttested: +yes\nGates: +passed, 2 warnings \(of this commit\)\nVerified At: +2026-11-28T12:00:00Z\n/,
  )
})

test("versions that made it and are not the server's own are shown with the command that previews these", async () => {
  await using gateway = await Gateway.start()
  gateway.applications.set('guestbook', sampleApplication('guestbook', { phase: 'Hydrated', dry: '2' }))
  gateway.keptTools = [
    { name: 'helm', version: '4.1.4', ownVersion: '4.3.1' },
    { name: 'kustomize', version: '5.7.1', ownVersion: '5.8.3' },
  ]
  const { environment } = gateway
  const { stdout } = await runWadi(['app', 'get', 'guestbook'], { environment })
  assert.match(
    stdout,
    new RegExp(
      "^Made With: +helm 4\\.1\\.4; the installation's own is 4\\.3\\.1\\n" +
        "Made With: +kustomize 5\\.7\\.1; the installation's own is 5\\.8\\.3\\n" +
        'Preview: +wadi diff --repo https://git.example.com/deploy.git --revision main --tools helm=4.3.1,kustomize=5.8.3$',
      'm',
    ),
  )
})

test('JSON is indented by two spaces and YAML reads back the same', async () => {
  await using gateway = await Gateway.start()
  const application = sampleApplication('guestbook', { phase: 'Hydrated', dry: '2' })
  gateway.applications.set('guestbook', application)
  const { environment } = gateway
  const json = await runWadi(['app', 'get', 'guestbook', '-o', 'json'], { environment })
  assert.equal(json.stdout, `${JSON.stringify(application, undefined, 2)}\n`)
  const { parse } = await import('yaml')
  const yaml = await runWadi(['app', 'get', 'guestbook', '-o', 'yaml'], { environment })
  assert.deepEqual(parse(yaml.stdout), application)
})

test('an Application that does not exist ends with 20 and the error as argocd writes it', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  const json = await runWadi(['app', 'get', 'nope', '--logformat', 'json'], { environment })
  assert.equal(json.code, 20)
  assert.equal(json.stdout, '')
  const line: unknown = JSON.parse(json.stderr)
  const time = typeof line === 'object' && line !== null && 'time' in line ? line.time : ''
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  const msg = 'rpc error: code = NotFound desc = applications.argoproj.io "nope" not found'
  assert.deepEqual(line, { level: 'fatal', msg, time })
  const text = await runWadi(['app', 'get', 'nope'], { environment })
  assert.match(
    text.stderr,
    /^FATA\[\d{4}\] rpc error: code = NotFound desc = applications.argoproj.io "nope" not found\n$/,
  )
})

test('wrong usage is named with the usage below it, without the whole help, and ends with 1', async () => {
  const expected: [string[], string][] = [
    [
      ['app', 'get'],
      `error: missing required argument 'name'

Usage: wadi app get [options] <name>
Run "wadi app get --help" for all of it.
`,
    ],
    [
      ['app', 'lsit'],
      `error: unknown command 'lsit'
(Did you mean list?)

Usage: wadi app [options] [command]
Run "wadi app --help" for all of it.
`,
    ],
    [
      ['rendr'],
      `error: unknown command 'rendr'
(Did you mean render?)

Usage: wadi [options] [command]
Run "wadi --help" for all of it.
`,
    ],
  ]
  for (const [args, text] of expected) {
    const { stdout, stderr, code } = await runWadi(args)
    assert.deepEqual({ stdout, stderr, code }, { stdout: '', stderr: text, code: 1 })
  }
})

test('a foreign change and a git server that is unreachable are reported in block and list', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  const foreignChange = 'branch environments/prod-next was deleted; Wadi had left it at aaaaaaa'
  gateway.applications.set('web', sampleApplication('web', { phase: 'Hydrated', dry: '2', foreignChange }))
  gateway.branches = { syncBranch: 'environments/prod', error: 'https://git.example.com cannot be reached' }
  const { stdout } = await runWadi(['app', 'get', 'web'], { environment })
  assert.match(
    stdout,
    /^Hydration: +Hydrated\nForeign Change: +branch environments\/prod-next was deleted; /m,
  )
  assert.match(stdout, /^Branches: +cannot be read: https:\/\/git\.example\.com cannot be reached$/m)
  assert.doesNotMatch(stdout, /holds/)
  const list = await runWadi(['app', 'list'], { environment })
  assert.match(list.stdout, / Hydrated \(changed\) /)
})

test('several errors are several lines', async () => {
  await using gateway = await Gateway.start()
  const application = sampleApplication('web', { phase: 'Failed', dry: '2' })
  const message = 'first error\nsecond error\u001b[2J'
  gateway.applications.set('web', {
    ...application,
    status: { sourceHydrator: { currentOperation: { phase: 'Failed', message } } },
  })
  const { stdout } = await runWadi(['app', 'get', 'web'], { environment: gateway.environment })
  assert.match(stdout, /^Message: {12}first error\n {20}second error\\x1b\[2J$/m)
})
