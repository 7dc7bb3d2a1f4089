import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rpcRuleOf } from '@wadi/rpc/access/rpc-rules.ts'
import { AppsetService } from '@wadi/protocol/gen/wadi/appset_service/v1/appset_service_pb.ts'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { CommandService } from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { z } from 'zod'
import { renderChart } from './chart.ts'
import { type KubernetesObject, podTemplateOf, readObjects } from './kubernetes-objects-fixture.ts'

const servedBy = {
  'appset-service': [AppsetService, ApplicationSetService],
  'cmp-server': [CommandService],
  'commit-server': [CommitServerService],
  hydrator: [HydratorService],
  'repo-server': [RepoServerService],
}
const serviceLabel = 'app.kubernetes.io/name'
const peers = z.array(
  z.object({ podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }).optional() }),
)
const policySpec = z.object({
  podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  policyTypes: z.tuple([z.literal('Ingress'), z.literal('Egress')]),
  ingress: z
    .array(z.object({ from: peers.optional(), ports: z.array(z.object({ port: z.string() })) }))
    .optional(),
  egress: z.array(z.object({ to: peers.optional() })).optional(),
})

const objects = readObjects(await renderChart({ set: ['cmpServer.enabled=true'] }), 'wadi')
const policies = objects
  .filter(({ kind }) => kind === 'NetworkPolicy')
  .map(({ spec }) => policySpec.parse(spec))

test('a service is reached by those that its RPCs admit, and by nobody else', () => {
  for (const [service, served] of Object.entries(servedBy)) {
    const callers = served.flatMap((contract) =>
      contract.methods.flatMap((method) => {
        const rule = rpcRuleOf(contract, method)
        if (rule?.access === 'services') return rule.callers
        return rule?.access === 'passed on' ? [rule.from] : []
      }),
    )
    const policy = policyOf(service)
    const admitted = policy?.ingress?.flatMap(({ from = [] }) => namesOf(from))
    assert.deepEqual(admitted?.toSorted(), [...new Set(callers)].toSorted(), service)
  }
})

test('who is reached may be called: each end of a connection allows it', () => {
  const of = (direction: 'from' | 'to') =>
    policies.flatMap(({ podSelector, ingress = [], egress = [] }) => {
      const name = podSelector.matchLabels[serviceLabel]
      if (direction === 'from')
        return ingress.flatMap(({ from = [] }) => namesOf(from).map((peer) => `${peer} ${name}`))
      return egress.flatMap(({ to = [] }) => namesOf(to).map((peer) => `${name} ${peer}`))
    })
  assert.deepEqual(of('from').toSorted(), of('to').toSorted())
  assert.ok(of('to').includes('hydrator redis'))
})

test('every pod has a policy of its own, and what none allows is denied', () => {
  const pods = objects.flatMap((object: KubernetesObject) => podTemplateOf(object) ?? [])
  for (const { metadata } of pods)
    assert.ok(policyOf(metadata.labels[serviceLabel] ?? ''), JSON.stringify(metadata))
  const common = { 'app.kubernetes.io/part-of': 'wadi' }
  const deny = policies.find(({ podSelector }) => podSelector.matchLabels[serviceLabel] === undefined)
  assert.deepEqual(deny, { podSelector: { matchLabels: common }, policyTypes: ['Ingress', 'Egress'] })
  for (const { metadata } of pods) assert.partialDeepStrictEqual(metadata.labels, common)
})

test('a policy names ports that its pods have: some networks take another name for any port', () => {
  for (const { metadata, spec } of objects.flatMap((object) => podTemplateOf(object) ?? [])) {
    const named = policyOf(metadata.labels[serviceLabel] ?? '')?.ingress?.flatMap(({ ports }) => ports)
    const own = spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name))
    for (const { port } of named ?? [])
      assert.ok(own.includes(port), `${metadata.labels[serviceLabel]} ${port}`)
  }
})

function policyOf(service: string) {
  return policies.find(({ podSelector }) => podSelector.matchLabels[serviceLabel] === service)
}

function namesOf(from: z.infer<typeof peers>): string[] {
  return from.flatMap(({ podSelector }) => podSelector?.matchLabels[serviceLabel] ?? [])
}
