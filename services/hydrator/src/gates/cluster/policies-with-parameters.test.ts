import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '@wadi/resources/resource.ts'
import { withParameters } from './policies-with-parameters.ts'

/** A ConfigMap as a controller writes it every few seconds, at one of these writes. */
function limits(write: number): Resource {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'limits',
      namespace: 'shop',
      labels: { env: 'prod' },
      annotations: {
        team: 'shop',
        'kubectl.kubernetes.io/last-applied-configuration': `{"write":${write}}`,
        'control-plane.alpha.kubernetes.io/leader': `{"renewTime":${write}}`,
      },
      uid: `${write}`,
      resourceVersion: `${write}`,
      generation: write,
      creationTimestamp: `2027-01-0${write}`,
      managedFields: [{ time: `2027-01-0${write}` }],
    },
    data: { most: '5' },
    status: { heartbeat: write },
  }
}

async function parametersOf(expressions: readonly string[], write: number): Promise<readonly string[]> {
  const objects = expressions.map((expression, index) => {
    const metadata = { name: `policy-${index}` }
    const paramRef = { namespace: 'shop', selector: {}, parameterNotFoundAction: 'Deny' }
    const spec = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [{ expression }] }
    const apiVersion = 'admissionregistration.k8s.io/v1'
    const policy = { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata, spec }
    const ofBinding = { policyName: metadata.name, paramRef }
    const binding = { apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata, spec: ofBinding }
    return { policy, binding }
  })
  const { parameters } = await withParameters(
    {
      policies: objects.map(({ policy }) => policy),
      bindings: objects.map(({ binding }) => binding),
      definitions: [],
    },
    { read: async (choices) => choices.map(() => [JSON.stringify(limits(write))]) },
  )
  return parameters
}

test('of a parameter there is what policies read, so that a heartbeat is no other parameter', async () => {
  const sizes = ['object.size < params.data.most', 'object.subresource != "status"']
  const [first, ...others] = await parametersOf(sizes, 1)
  assert.equal(others.length, 0)
  assert.deepEqual(JSON.parse(first ?? ''), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'limits', namespace: 'shop', labels: { env: 'prod' }, annotations: { team: 'shop' } },
    data: { most: '5' },
  })
  assert.deepEqual(await parametersOf(sizes, 2), [first])
})

test('a parameter has its status once, for all policies of its kind, if one of them reads it', async () => {
  for (const expression of [
    'params.status.ready',
    'params["status"].ready',
    "params[?'status'].hasValue()",
  ]) {
    const [text, ...others] = await parametersOf(['params.data.most != ""', expression], 1)
    assert.equal(others.length, 0, expression)
    assert.match(text ?? '', /"status":\{"heartbeat":1\}/, expression)
  }
})
