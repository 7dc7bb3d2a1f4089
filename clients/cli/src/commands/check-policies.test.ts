import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const policies = {
  'wadi.yaml': 'policies: [policies]\n',
  'policies/deep/replicas.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: object.spec.replicas > 1 || request.namespace == "test"
      messageExpression: "'needs 2 replicas, has ' + string(object.spec.replicas)"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny]}
`,
  'app/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web:1.0}]}}
`,
}

async function checkPolicies(
  changed: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Promise<readonly [code: number | null, ...findings: string[]]> {
  await using copy = await startWorkingCopy({ ...policies, ...changed })
  const { stdout, stderr, code } = await copy.wadi(['check', 'app', '-o', 'json', ...flags])
  if (code === 20) return [code, stderr]
  const findings: { severity: string; rule: string; message: string; file?: string; line?: number }[] =
    JSON.parse(stdout)
  const lines = findings.map(({ severity, rule, message, file, line }) =>
    [severity, rule, message, file, line].filter((part) => part !== undefined).join(' '),
  )
  return [code, ...lines]
}

test('objects are judged by the policies that wadi.yaml names', async () => {
  const denied = 'policies/replicas needs 2 replicas, has 1 app/web.yaml 1'
  assert.deepEqual(await checkPolicies({}), [1, `deny ${denied}`])
  assert.deepEqual(await checkPolicies({}, '--namespace', 'test'), [0])
  const warned = { 'wadi.yaml': 'policies: policies/deep/replicas.yaml\ngates: {policies: warn}\n' }
  assert.deepEqual(await checkPolicies(warned), [0, `warn ${denied}`])
  const off = { 'wadi.yaml': 'policies: [policies]\ngates: {policies: off}\n' }
  assert.deepEqual(await checkPolicies(off), [0])
})

test('a wrong policy is denied with its line, and a wrong path of policies is an error', async () => {
  const { 'policies/deep/replicas.yaml': text } = policies
  const wrong = { 'policies/deep/replicas.yaml': text.replace('object.spec', 'objekt.spec') }
  const [code, finding] = await checkPolicies(wrong)
  assert.equal(code, 1)
  assert.match(
    finding ?? '',
    /^deny policies\/invalid 1:1: undeclared reference to 'objekt'.* policies\/deep\/replicas.yaml 8$/,
  )
  const [missing, message] = await checkPolicies({ 'wadi.yaml': 'policies: [polices]\n' })
  assert.equal(missing, 20)
  assert.match(message ?? '', /wadi.yaml:1:1: policies "polices" does not exist/)
})

test('an object that replaces one of --former is an update of it', async () => {
  const { 'policies/deep/replicas.yaml': text, 'app/web.yaml': web } = policies
  const sized = (replicas: number) => web.replace('spec:\n', `spec:\n  replicas: ${replicas}\n`)
  const shrinking = text
    .replace('[CREATE]', '[UPDATE]')
    .replace(/expression: .*/, 'expression: object.spec.replicas >= oldObject.spec.replicas')
  const changed = {
    'policies/deep/replicas.yaml': shrinking,
    'app/web.yaml': sized(3),
    'held/web/manifest.yaml': sized(4),
    'other.yaml': sized(4).replace('name: web', 'name: other'),
  }
  const denied = [1, 'deny policies/replicas needs 2 replicas, has 3 app/web.yaml 1']
  assert.deepEqual(await checkPolicies(changed, '--former', 'held/web'), denied)
  assert.deepEqual(await checkPolicies(changed, '--former', 'held/web/manifest.yaml'), denied)
  assert.deepEqual(await checkPolicies(changed, '--former', 'other.yaml'), [0])
  assert.deepEqual(await checkPolicies(changed), [0])
  const [code, message] = await checkPolicies(changed, '--former', 'absent')
  assert.deepEqual([code, /absent does not exist/.test(message ?? '')], [20, true])
})

test("the operator's policies judge beside those of the repository, which cannot waive them", async () => {
  const { 'policies/deep/replicas.yaml': text } = policies
  const own = text
    .replaceAll('{name: replicas}', '{name: all}')
    .replace('policyName: replicas', 'policyName: all')
  const data = { 'a.yaml': own }
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'wadi-policies-cm' }, data }
  const waiver = '{rule: operator-policies, reason: demo, owner: shop, expires: 2999-12-31}'
  const files = {
    'wadi.yaml': `waivers: [${waiver}]\n`,
    'platform/policies.json': JSON.stringify(configMap),
    'plain/deep/all.yaml': own,
    'mixed/all.yaml': `${own}---\n${JSON.stringify({ ...configMap, data: {} })}\n`,
    'wrong/all.yaml': own.replace('object.spec', 'objekt.spec'),
  }
  for (const place of [
    'platform',
    'platform/policies.json',
    'plain',
    'plain/deep/all.yaml',
    'mixed/all.yaml',
  ]) {
    const [code, ...found] = await checkPolicies(files, '--operator-policies', place)
    assert.equal(code, 1)
    assert.match(
      found.join(),
      /^deny operator-policies\/all needs 2 replicas, has 1; the waiver in wadi\.yaml does not cover it/,
    )
  }
  const [, invalid] = await checkPolicies(files, '--operator-policies', 'wrong')
  assert.match(invalid ?? '', /^deny operator-policies\/invalid all\.yaml:8/)
  const [code, missing] = await checkPolicies(files, '--operator-policies', 'absent')
  assert.equal(code, 20)
  assert.match(missing ?? '', /absent does not exist/)
})
