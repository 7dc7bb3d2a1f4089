import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { wantsFormer } from './wants-former.ts'

const apiVersion = 'admissionregistration.k8s.io/v1'

function rules(...operations: readonly string[]): Manifest {
  return { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: [...operations] }
}

/** True if a policy with such a `spec` wants the former object. */
function policyWants(spec: Manifest): boolean {
  const always = {
    matchConstraints: { resourceRules: [rules('CREATE', 'UPDATE'), rules('*'), rules('DELETE')] },
    validations: [
      { expression: 'object.data.size() > 0 && request.userInfo.username != request . namespace' },
    ],
  }
  const policy = { apiVersion, kind: 'ValidatingAdmissionPolicy', spec: { ...always, ...spec } }
  return wantsFormer([{ file: 'policies.yaml', text: manifestToJson(policy) }])
}

test('a policy that judges new and changed objects alike wants no former object', () => {
  assert.equal(policyWants({}), false)
  assert.equal(policyWants({ matchConditions: [{ name: 'a', expression: 'object.oldObjects' }] }), false)
  assert.equal(wantsFormer([{ file: 'a.yaml', text: 'apiVersion: v1\nspec: {a: oldObject}\n' }]), false)
  assert.equal(wantsFormer([]), false)
})

test('a policy wants the former object for one operation, the words of CEL, and labels', () => {
  const expressions = [
    'oldObject == null',
    'true &&\n\toldObject.data.a == object.data.a',
    "request.operation == 'CREATE'",
    'request\n  .options.kind == null',
    'request == null',
  ]
  for (const expression of expressions) {
    assert.equal(policyWants({ validations: [{ expression }] }), true, expression)
    assert.equal(policyWants({ variables: [{ name: 'a', expression }] }), true, expression)
  }
  const constraints: Manifest[] = [
    { resourceRules: [rules('CREATE')] },
    { resourceRules: [rules('*')], excludeResourceRules: [rules('UPDATE', 'DELETE')] },
    { resourceRules: [rules('*')], objectSelector: { matchLabels: { a: 'b' } } },
  ]
  for (const matchConstraints of constraints) {
    assert.equal(policyWants({ matchConstraints }), true, manifestToJson(matchConstraints))
    const spec = { policyName: 'a', matchResources: matchConstraints }
    const binding = { apiVersion, kind: 'ValidatingAdmissionPolicyBinding', spec }
    assert.equal(wantsFormer([{ file: 'a.yaml', text: manifestToJson(binding) }]), true)
  }
})
