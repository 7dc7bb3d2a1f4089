import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeByPolicies, type PolicyObject, type PolicyRequest } from './policies.ts'

function given(object: object, resource: string, namespace: string): PolicyObject {
  return { object: JSON.stringify(object), former: '', resource, namespace }
}

const apiVersion = 'admissionregistration.k8s.io/v1'

function policy(name: string, spec: object): PolicyObject[] {
  const resourceRules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }]
  const metadata = { name }
  const definition = { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata }
  const binding = { apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata }
  return [
    given({ ...definition, spec: { matchConstraints: { resourceRules }, ...spec } }, '', ''),
    given({ ...binding, spec: { policyName: name, validationActions: ['Deny'] } }, '', ''),
  ]
}

function requestOf(policies: readonly PolicyObject[], data: object = {}): PolicyRequest {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, data }
  return {
    policies: JSON.stringify(policies),
    objects: [given(map, 'configmaps', 'shop')],
    namespaces: [],
  }
}

/** Searches a large text so many times; ten searches cost nearly as much as one expression may. */
function searches(count: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.slice(0, count)
  return `'${letters}'.split('').all(c, !object.data.text.contains(c + '!'))`
}

const large = { text: 'x'.repeat(900_000) }

test('an expression over the limit of cost fails as in the API server, also by the failure policy', async () => {
  for (const [failurePolicy, count] of [
    ['Fail', 1],
    ['Ignore', 0],
  ] as const) {
    const bomb = policy('bomb', { failurePolicy, validations: [{ expression: searches(26) }] })
    const { verdicts } = await judgeByPolicies(requestOf(bomb, large))
    assert.equal(verdicts.length, count)
    for (const { action, message } of verdicts) {
      assert.equal(action, 'Deny')
      assert.match(message, /operation cancelled: actual cost limit exceeded/)
    }
  }
})

test('a policy has a budget for all its expressions together', async () => {
  const validations = Array.from({ length: 30 }, () => ({ expression: searches(9) }))
  const { verdicts } = await judgeByPolicies(requestOf(policy('many', { validations }), large))
  assert.deepEqual(
    verdicts.map(({ message }) => message),
    ['validation failed due to running out of cost budget, no further validation rules will be run'],
  )
})

test('strings and lists do not grow beyond the limit of cost', async () => {
  const variables = Array.from({ length: 60 }, (_, n) => ({
    name: `v${n}`,
    expression: n === 0 ? "'0123456789'" : `variables.v${n - 1} + variables.v${n - 1}`,
  }))
  const validations = [{ expression: 'variables.v59.size() > 0' }]
  const { verdicts } = await judgeByPolicies(requestOf(policy('grow', { variables, validations })))
  assert.match(verdicts[0]?.message ?? '', /cost/)
})

test('a regular expression that never ends elsewhere ends at once', async () => {
  const bomb = policy('regex', { validations: [{ expression: "object.data.text.matches('^(a+)+$')" }] })
  const { verdicts } = await judgeByPolicies(requestOf(bomb, { text: `${'a'.repeat(50_000)}!` }))
  assert.equal(verdicts.length, 1)
})
