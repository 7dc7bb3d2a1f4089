import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Renderer } from '@wadi/rendering/plan/renderer.ts'
import { defaultRenderers } from '@wadi/rendering/renderers/renderers.ts'
import { configMap } from './application-fixture.ts'
import { hydrated } from './gated-repository-fixture.ts'
import { type MeshFixture, startMeshFixture } from './mesh-fixture.ts'

const names = ['web', 'api', 'jobs']

let mesh: MeshFixture
let renders = 0
before(async () => {
  const counted = defaultRenderers.map((renderer): Renderer => ({
    ...renderer,
    async plan(source) {
      const plan = await renderer.plan(source)
      if (plan === undefined) return undefined
      return {
        ...plan,
        run: (tree, context) => {
          renders++
          return plan.run(tree, context)
        },
      }
    },
  }))
  mesh = await startMeshFixture({ repoServer: { renderers: counted } })
})
after(() => mesh[Symbol.asyncDispose]())

/** Warns of each ConfigMap with this message. */
function policyWith(message: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: warned}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: ['*'], resources: [configmaps]}]}
  validations: [{expression: 'false', message: ${message}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: warned}
spec: {policyName: warned, validationActions: [Warn]}
`
}

/** Waits until each Application has a finding of a rule with this message. */
async function waitForFinding(rule: string, message: string): Promise<void> {
  for (const name of names) {
    await mesh.fixture.waitFor(name, ({ status }) =>
      (status.findings ?? []).some((finding) => finding.rule === rule && finding.message === message),
    )
  }
}

/** The directories that the newest run rendered, took from the cache to check them, and left alone. */
async function newestRun() {
  const { applications } = mesh.fixture.gateway
  const { runs } = await applications.listRuns({ name: 'web' })
  const { run } = await applications.getRun({ name: 'web', id: runs[0]?.id ?? '' })
  return { rendered: run?.rendered, cached: run?.cached, skipped: run?.skipped }
}

test('a change of a policy checks all objects and renders none, and a changed object is checked alone', async () => {
  const { fixture } = mesh
  const files = Object.fromEntries(names.map((name) => [`${name}/a.yaml`, configMap(name, '1')]))
  const repository = await hydrated(mesh, 'again', {
    ...files,
    'wadi.yaml': 'gates: {policies: warn}\npolicies: policies.yaml\n',
    'policies.yaml': policyWith('first'),
  })
  await waitForFinding('policies/warned', 'first')
  assert.equal(renders, 3)

  await fixture.hydrateTo(await repository.push({ 'policies.yaml': policyWith('second') }), 'web')
  await waitForFinding('policies/warned', 'second')
  assert.deepEqual([renders, await newestRun()], [3, { rendered: 0, cached: 3, skipped: 0 }])

  await fixture.hydrateTo(await repository.push({ 'api/a.yaml': configMap('api', '2') }), 'web')
  assert.deepEqual([renders, await newestRun()], [4, { rendered: 1, cached: 0, skipped: 2 }])

  const metadata = { name: 'wadi-policies-cm', namespace: 'argocd' }
  const data = { 'warned.yaml': policyWith('third') }
  await fixture.gateway.resources.applyResource({
    resource: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data },
  })
  await fixture.applyOperatorSettings({ 'wadi.gates': '[{gate: operator-policies, severity: warn}]' })
  await waitForFinding('operator-policies/warned', 'third')
  assert.deepEqual([renders, await newestRun()], [4, { rendered: 0, cached: 3, skipped: 0 }])
})
