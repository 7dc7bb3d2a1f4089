import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ThreadRoom } from '@wadi/engines/threads/thread-room.ts'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { WantedPlace } from '../finding-places.ts'
import type { PolicyFile } from '../gate.ts'
import type { GateCheck } from '../run-gates.ts'
import { GateThreads } from './gate-threads.ts'

const check: GateCheck = {
  severities: { secrets: 'deny', 'api-versions': 'warn' },
  waivers: [],
  acceptsAnnotations: false,
  today: '2027-01-01',
  context: { cluster: { minorVersion: 30 } },
}

const { signal } = new AbortController()

function secret(keys: number): string {
  const stringData = Object.fromEntries(
    Array.from({ length: keys }, (_, index) => [`key${index}`, 'hunter22']),
  )
  return JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web' }, stringData })
}

function wanted(...written: string[]): WantedPlace {
  const object = { group: '', version: 'v1', kind: 'Secret', namespace: '', name: 'web' }
  return { written, object, field: '', file: undefined }
}

const ingress = JSON.stringify({
  apiVersion: 'extensions/v1beta1',
  kind: 'Ingress',
  metadata: { name: 'web' },
})

test('a thread runs the gates: denied findings come first, and what is above the bound is counted', async () => {
  await using threads = new GateThreads()
  const few = await threads.check({ manifests: [ingress, secret(1)] }, check, signal)
  assert.deepEqual(
    few.findings.map(({ rule, severity }) => [rule, severity]),
    [
      ['secrets/plain-secret', 'deny'],
      ['api-versions/removed', 'warn'],
    ],
  )
  const many = await threads.check({ manifests: [ingress, secret(150)] }, check, signal)
  assert.deepEqual([many.findings.length, many.denied, many.leftOut], [100, 150, 51])
})

test('a thread finds the one line on which a value is written', async () => {
  await using threads = new GateThreads()
  const texts = [
    { file: 'a.yaml', text: 'x: 1\ny: hunter22\n' },
    { file: 'b.yaml', text: 'x: twice-twice\n' },
  ]
  const places = await threads.place(
    texts,
    [wanted('hunter22'), wanted('twice'), wanted('absent', 'x: twice-')],
    signal,
  )
  assert.deepEqual(places, [{ file: 'a.yaml', line: 2 }, undefined, { file: 'b.yaml', line: 1 }])
})

test('a check that takes too long is ended, and the next one has another thread', async () => {
  await using threads = new GateThreads({ timeoutMilliseconds: 1_000, threads: 1 })
  // Each search looks at every character.
  const values = Array.from({ length: 20_000 }, () => wanted('aaaaab'))
  const slow = threads.place([{ file: 'a.yaml', text: 'a'.repeat(2 ** 22) }], values, signal)
  await assert.rejects(slow, ResourceExhaustedError)
  const after = await threads.place([{ file: 'a.yaml', text: 'hunter22' }], [wanted('hunter22')], signal)
  assert.deepEqual(after, [{ file: 'a.yaml', line: 1 }])
})

/** Loops in loops over a list: each turn costs little, and all of them take seconds. */
function loops(depth: number): string {
  const list = `[${Array.from({ length: 40 }, (_, n) => n).join()}]`
  return Array.from({ length: depth }).reduce<string>(
    (inner, _, level) => `${list}.all(v${level}, ${inner})`,
    'true',
  )
}

function policyFile(name: string, expressions: readonly string[]): PolicyFile {
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const resourceRules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }]
  const validations = expressions.map((expression) => ({ expression }))
  const items = [
    { kind: 'ValidatingAdmissionPolicy', spec: { matchConstraints: { resourceRules }, validations } },
    { kind: 'ValidatingAdmissionPolicyBinding', spec: { policyName: name, validationActions: ['Deny'] } },
  ].map((object) => JSON.stringify({ apiVersion, metadata: { name }, ...object }))
  return { file: `${name}.yaml`, text: items.join('\n---\n') }
}

test('policies that take too long together end with their thread, and others judge in the next one', async () => {
  await using threads = new GateThreads({ timeoutMilliseconds: 4_000, threads: 1 })
  const judged = (...policies: PolicyFile[]): GateCheck => ({
    ...check,
    severities: { policies: 'deny' },
    context: { ...check.context, policies },
  })
  const bombs = Array.from({ length: 400 }, (_, n) =>
    policyFile(
      `bomb-${n}`,
      Array.from({ length: 9 }, () => loops(9)),
    ),
  )
  await assert.rejects(threads.check({ manifests: [ingress] }, judged(...bombs), signal), {
    name: 'ResourceExhaustedError',
    message: 'checking objects by gates: takes more than 4 s: make it simpler',
  })
  const small = judged(policyFile('small', ["object.kind == 'Service'"]))
  const { findings } = await threads.check({ manifests: [ingress] }, small, signal)
  assert.deepEqual(
    findings.map(({ rule, message }) => [rule, message]),
    [['policies/small', "failed expression: object.kind == 'Service'"]],
  )
})

/** Counts the threads that there is room for. */
class CountedRoom extends ThreadRoom {
  count = 0

  override take(owner: Parameters<ThreadRoom['take']>[0]): boolean {
    const isRoom = super.take(owner)
    if (isRoom) this.count += 1
    return isRoom
  }
}

test('checks share a thread', async () => {
  const room = new CountedRoom()
  await using threads = new GateThreads({ threads: 2, room, patienceMilliseconds: 600_000 })
  await Promise.all(Array.from({ length: 20 }, () => threads.check({ manifests: [ingress] }, check, signal)))
  assert.equal(room.count, 1)
})

test('a check behind one that takes long gets another thread', async () => {
  const room = new CountedRoom()
  await using threads = new GateThreads({ threads: 2, room, patienceMilliseconds: 1 })
  const values = Array.from({ length: 20_000 }, () => wanted('aaaaab'))
  const end = new AbortController()
  const slow = threads.place([{ file: 'a.yaml', text: 'a'.repeat(2 ** 22) }], values, end.signal)
  await threads.check({ manifests: [ingress] }, check, signal)
  assert.equal(room.count, 2)
  end.abort(new Error('enough'))
  await assert.rejects(slow, /enough/)
})
