import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import type { GateContext, Violation } from '../gate.ts'
import { operatorPoliciesGate, policiesGate } from './policies-gate.ts'
import { formParameters, objectOf, policyForms, policyOf } from './policy-forms-fixture.ts'
import { configMap, deployment } from './sample-objects-fixture.ts'

const cluster = { minorVersion: 36 }

function filesOf(manifests: readonly Manifest[]): { file: string; text: string }[] {
  return [{ file: 'policies/all.yaml', text: manifests.map(manifestToJson).join('\n---\n') }]
}

const allForms = { cluster, policies: filesOf([...policyForms.flatMap(policyOf), ...formParameters]) }

async function violationsOf(
  object: Manifest,
  context: Partial<GateContext>,
): Promise<readonly (readonly [string, string | undefined, string])[]> {
  const [violations = []] = await policiesGate.check([object], { cluster, ...context })
  return violations.map(({ rule, severity, message }) => [rule, severity, message])
}

for (const form of policyForms) {
  test(`a policy of the form ${form.name} rejects an object and accepts another`, async () => {
    const [[rule, severity, message] = [], ...more] = await violationsOf(
      objectOf(form, form.rejected),
      allForms,
    )
    assert.deepEqual([rule, severity, more], [form.name, 'deny', []])
    assert.equal(message?.slice(0, form.message.length), form.message)
    const accepted = await violationsOf(objectOf(form, form.accepted), allForms)
    assert.deepEqual(
      accepted.filter(([, kind]) => kind !== 'audit'),
      [],
    )
  })
}

/** A policy for ConfigMaps, with its binding. */
function policy(name: string, spec: Manifest, binding: Manifest = {}): Manifest[] {
  return [...policyOf({ name, spec, binding, rejected: {}, message: '', accepted: {} })].map((manifest) =>
    JSON.parse(
      manifestToJson(manifest).replace(/,"objectSelector":\{"matchLabels":\{"form":"[^"]*"\}\}/, ''),
    ),
  )
}

function contextOf(...manifests: readonly Manifest[]): GateContext {
  return { cluster, policies: filesOf(manifests) }
}

const never = { validations: [{ expression: 'false', message: 'no' }] }

test('the strongest validation action is the severity', async () => {
  for (const [validationActions, severity] of [
    [['Deny', 'Audit'], 'deny'],
    [['Audit', 'Warn'], 'warn'],
    [['Audit'], 'audit'],
  ] as const) {
    const context = contextOf(...policy('strict', never, { validationActions: [...validationActions] }))
    assert.deepEqual(await violationsOf(configMap({}), context), [['strict', severity, 'no']])
  }
})

test('a policy without a binding judges nothing', async () => {
  const [definition = {}] = policy('lonely', never)
  assert.deepEqual(await violationsOf(configMap({}), contextOf(definition)), [])
})

test('an object that replaces another is an update of it', async () => {
  const spec = {
    validations: [{ expression: 'object.data.size >= oldObject.data.size', message: 'shrinks' }],
  }
  const context = contextOf(
    ...policy('growing', {
      ...spec,
      matchConditions: [{ name: 'update', expression: "request.operation == 'UPDATE'" }],
    }),
  )
  const former = [configMap({ size: '2' }), configMap({ size: '9' }, { name: 'other' })]
  assert.deepEqual(await violationsOf(configMap({ size: '1' }), { ...context, former }), [
    ['growing', 'deny', 'shrinks'],
  ])
  assert.deepEqual(await violationsOf(configMap({ size: '3' }), { ...context, former }), [])
  assert.deepEqual(await violationsOf(configMap({ size: '1' }), context), [])
})

test('a namespace that a kind without namespaces names makes no new object of a changed one', async () => {
  const matchConstraints = {
    resourceRules: [
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        apiVersions: ['v1'],
        operations: ['UPDATE'],
        resources: ['clusterroles'],
      },
    ],
  }
  const context = contextOf(...policy('fixed', { ...never, matchConstraints }))
  const role = (metadata: Manifest) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'web', ...metadata },
  })
  for (const namespace of ['', 'shop']) {
    const former = [role({}), role({ name: 'other' })]
    assert.deepEqual(
      await violationsOf(role({ namespace }), { ...context, former }),
      [['fixed', 'deny', 'no']],
      namespace,
    )
    assert.deepEqual(await violationsOf(role({}), { ...context, former: [role({ namespace })] }), [
      ['fixed', 'deny', 'no'],
    ])
  }
})

test('the operator judges by the labels of its own Namespaces, never by those of the objects', async () => {
  const namespace = (free: string) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', labels: { free } },
  })
  const spec = {
    validations: [
      { expression: "namespaceObject.metadata.?labels.free.orValue('no') == 'yes'", message: 'no' },
    ],
  }
  const rejected = async (gate: typeof policiesGate, ...own: Manifest[]) => {
    const policies = filesOf([...policy('closed', spec), ...own])
    const context = { cluster, policies, operatorPolicies: policies }
    const [found = []] = await gate.check([configMap({}), namespace('yes')], context)
    return found.length > 0
  }
  assert.equal(await rejected(policiesGate), false)
  assert.equal(await rejected(operatorPoliciesGate), true)
  assert.equal(await rejected(operatorPoliciesGate, namespace('no')), true)
  assert.equal(await rejected(operatorPoliciesGate, namespace('yes')), false)
})

test('the request comes from the account of Argo CD, and objects without a namespace are in the given one', async () => {
  const messageExpression =
    "request.userInfo.username + ' ' + request.operation + ' ' + request.resource.resource + ' ' + object.metadata.namespace"
  const spec = { validations: [{ expression: 'request.dryRun', messageExpression }] }
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } }
  const found = await violationsOf(object, { ...contextOf(...policy('who', spec)), namespace: 'team' })
  assert.deepEqual(found, [
    ['who', 'deny', 'system:serviceaccount:argocd:argocd-application-controller CREATE configmaps team'],
  ])
})

test('a parameter without a namespace is in the namespace default, and one of an unknown kind in none', async () => {
  const limits = { kind: 'ConfigMap', metadata: { name: 'limits' }, data: { most: '3' } }
  const validations = [{ expression: 'int(object.data.size) <= int(params.data.most)', message: 'too large' }]
  for (const [apiVersion, reference] of [
    ['v1', { namespace: 'default' }],
    ['farm.example/v1', {}],
  ] as const) {
    const spec = { paramKind: { apiVersion, kind: 'ConfigMap' }, validations }
    const paramRef = { name: 'limits', parameterNotFoundAction: 'Deny', ...reference }
    const context = contextOf({ apiVersion, ...limits }, ...policy('sized', spec, { paramRef }))
    assert.deepEqual(await violationsOf(configMap({ size: '4' }), context), [['sized', 'deny', 'too large']])
    assert.deepEqual(await violationsOf(configMap({ size: '3' }), context), [])
  }
})

test('custom kinds have the plural and the scope of their definition', async () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'oxen.farm.example' },
    spec: { group: 'farm.example', scope: 'Cluster', names: { kind: 'Ox', plural: 'oxen' } },
  }
  const matchConstraints = {
    resourceRules: [
      {
        apiGroups: ['farm.example'],
        apiVersions: ['*'],
        operations: ['*'],
        resources: ['oxen'],
        scope: 'Cluster',
      },
    ],
  }
  const context = contextOf(definition, ...policy('farm', { ...never, matchConstraints }))
  const ox = { apiVersion: 'farm.example/v1', kind: 'Ox', metadata: { name: 'a' } }
  assert.deepEqual(await violationsOf(ox, context), [['farm', 'deny', 'no']])
})

test('what only the cluster knows is not judged', async () => {
  const asks = policy('asks', {
    validations: [{ expression: "authorizer.group('').resource('pods').check('create').allowed()" }],
  })
  const [[rule, severity, message] = []] = await violationsOf(configMap({}), contextOf(...asks))
  assert.deepEqual([rule, severity], ['asks', 'audit'])
  assert.match(message ?? '', /cannot be judged here: it asks the authorizer/)
  const matchConstraints = {
    resourceRules: [{ apiGroups: ['autoscaling'], apiVersions: ['v2'], operations: ['*'], resources: ['*'] }],
  }
  const converts = policy('converts', { ...never, matchConstraints })
  const scaler = {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'web' } },
  }
  const [[other, mild] = []] = await violationsOf(scaler, contextOf(...converts))
  assert.deepEqual([other, mild], ['converts', 'audit'])
})

test('no message has a value of a Secret', async () => {
  const spec = {
    validations: [
      { expression: 'false', messageExpression: "'is ' + object.data.password" },
      { expression: 'quantity(object.data.password).isInteger()' },
    ],
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['secrets'] }],
    },
  }
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'web' },
    stringData: { password: 'hunter2' },
  }
  const found = await violationsOf(secret, contextOf(...policy('leaky', spec)))
  assert.equal(found.length, 2)
  for (const value of ['hunter2', Buffer.from('hunter2').toString('base64')]) {
    assert.ok(!JSON.stringify(found).includes(value), JSON.stringify(found))
  }
})

async function settingsOf(
  text: string,
): Promise<readonly [string, string | undefined, number | undefined, string][]> {
  const found =
    (await policiesGate.checkSettings?.({ cluster, policies: [{ file: 'policies/a.yaml', text }] })) ?? []
  return found.map(({ field, severity, at, message }) => [field, severity, at?.line, message])
}

test('a policy that does not compile is a finding with the line of the expression', async () => {
  const text = (failurePolicy: string) => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: wrong}
spec:
  failurePolicy: ${failurePolicy}
  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: ['*']}]}
  validations:
    - expression: 'true'
    - expression: objct.data.size() > 0
`
  const place = ['spec.validations[1].expression', 9] as const
  for (const [failurePolicy, severity] of [
    ['Fail', 'deny'],
    ['Ignore', 'warn'],
  ] as const) {
    const [[field, found, line, message] = []] = await settingsOf(text(failurePolicy))
    assert.deepEqual([field, line, found], [...place, severity])
    assert.match(message ?? '', /undeclared reference to 'objct'/)
  }
})

test('unknown and missing fields of policies and bindings are findings', async () => {
  const found = await settingsOf(`apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: wrong}
spec: {validatons: []}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: wrong}
spec: {policyName: wrong}
`)
  assert.deepEqual(
    found.map(([field, severity, line]) => [field, severity, line]),
    [
      ['spec.validatons', 'deny', 4],
      ['spec.validationActions', 'deny', 9],
    ],
  )
})

test('violations are listed with their objects', async () => {
  const context = contextOf(
    ...policy('few', { validations: [{ expression: "object.kind != 'Deployment'", message: 'no' }] }),
  )
  const many = Array.from({ length: 120 }, (_, n) => (n % 60 === 59 ? deployment({}) : configMap({})))
  const violations = await policiesGate.check(many, context)
  const places = violations.flatMap((some: readonly Violation[], index) => (some.length > 0 ? [index] : []))
  assert.deepEqual(places, [59, 119])
})
