import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGateRules, readPolicyFiles, ruledGates } from './gate-rules.ts'

const application = {
  project: 'team-shop',
  repositories: ['git@git.example.com:Team/Shop.git'],
  branches: ['environments/prod'],
  destinations: ['https://cluster.example.com', 'prod'],
  isInCluster: true,
}

function severities(text: string, of: Partial<typeof application> = {}) {
  const gates = ruledGates(readGateRules(text, 'wadi.gates'), [{ ...application, ...of }])
  return Object.fromEntries(gates.map(({ gate, severity }) => [gate, severity]))
}

test('the strictest rule that matches decides, whatever the order', () => {
  const rules = `
- {gate: secrets, severity: deny, branches: [environments/*]}
- {gate: secrets, severity: off}
- {gate: schemas, severity: audit, projects: [team-*], repositories: [git.example.com/team/*]}
`
  assert.deepEqual(severities(rules), { secrets: 'deny', schemas: 'audit' })
  assert.deepEqual(severities(rules, { branches: ['other'], project: 'other' }), { secrets: 'off' })
  assert.deepEqual(severities(''), {})
})

test('what rules ask for cannot be waived unless they say so', () => {
  const rules = `
- {gate: secrets, severity: deny, waivable: true}
- {gate: secrets, severity: warn}
- {gate: schemas, severity: deny, waivable: true}
- {gate: api-versions, severity: audit, waivable: false}
`
  const gates = ruledGates(readGateRules(rules, 'wadi.gates'), [application])
  assert.deepEqual(
    gates.map(({ gate, severity, unwaivable }) => [gate, severity, unwaivable]),
    [
      ['secrets', 'deny', 'warn'],
      ['api-versions', 'audit', 'audit'],
      ['schemas', 'deny', ''],
    ],
  )
})

test('the policies of the operator are the files that matching rules name, and change with their texts', () => {
  const rules = readGateRules(
    `
- {gate: operator-policies, severity: deny, files: ["team-*", all.yaml], branches: [environments/*]}
- {gate: operator-policies, severity: audit, files: [other.yaml], projects: [other]}
- {gate: operator-policies, severity: warn, files: [all.yaml], waivable: true}
`,
    'wadi.gates',
  )
  const policy = 'apiVersion: admissionregistration.k8s.io/v1\nspec: {variables: [{expression: oldObject}]}\n'
  const data = { 'all.yaml': '', 'team-shop.yaml': policy, 'other.yaml': '' }
  const chosen = (of: Partial<typeof application> = {}, files: Record<string, string> = data) =>
    ruledGates(rules, [{ ...application, ...of }], {
      policyFiles: readPolicyFiles(rules, 'wadi.gates', files),
    }).map(({ severity, policies }) => [severity, policies?.files, policies?.wantsFormer, policies?.id])
  const [[severity, files, wants, id] = []] = chosen()
  assert.deepEqual(
    [severity, files, wants],
    ['deny', ['wadi-policies-cm/all.yaml', 'wadi-policies-cm/team-shop.yaml'], true],
  )
  assert.deepEqual(chosen({}, { ...data, 'other.yaml': 'a: 1' }), chosen())
  assert.notEqual(chosen({}, { ...data, 'all.yaml': 'a: 1' })[0]?.[3], id)
  const [[mild, few, alike] = []] = chosen({ branches: ['main'] })
  assert.deepEqual([mild, few, alike], ['warn', ['wadi-policies-cm/all.yaml'], false])
})

test('the policies of the cluster judge what is deployed there alone', () => {
  const rules = readGateRules('[{gate: cluster-policies, severity: deny}]', 'wadi.gates')
  const clusterPolicies = { id: 'a', files: ['replicas'], wantsFormer: false }
  const gates = (isInCluster: boolean) =>
    ruledGates(rules, [{ ...application, isInCluster }], { clusterPolicies })
  assert.deepEqual(gates(true), [
    { gate: 'cluster-policies', severity: 'deny', unwaivable: 'deny', policies: clusterPolicies },
  ])
  assert.deepEqual(gates(false), [])
})

test('definitions of the cluster come with the gate schemas, of the groups that matching rules name', () => {
  const rules = readGateRules(
    `
- {gate: schemas, severity: warn, clusterDefinitions: ["*.example.com"]}
- {gate: schemas, severity: deny, clusterDefinitions: [cert-manager.io], projects: [other]}
`,
    'wadi.gates',
  )
  const clusterDefinitions = ['shop.example.com', 'cert-manager.io', 'other.io'].map((group) => ({
    group,
    file: group,
    digest: group,
  }))
  const files = (of: Partial<typeof application>) =>
    ruledGates(rules, [{ ...application, ...of }], { clusterDefinitions })[0]?.policies?.files
  assert.deepEqual(files({}), ['shop.example.com'])
  assert.deepEqual(files({ project: 'other' }), ['shop.example.com', 'cert-manager.io'])
  assert.equal(files({ isInCluster: false }), undefined)
})

test('the version of Kubernetes is that of the first rule for the destination that names one', () => {
  const rules = readGateRules(
    `
- {gate: schemas, severity: deny}
- {gate: schemas, severity: warn, kubernetes: '1.33', destinations: [prod*, "https://other.example.com"]}
- {gate: schemas, severity: audit, kubernetes: '1.36'}
`,
    'wadi.gates',
  )
  const versions = (...destinations: string[]) =>
    ruledGates(rules, [{ ...application, destinations }]).map(({ severity, kubernetes }) => [
      severity,
      kubernetes,
    ])
  assert.deepEqual(versions('https://cluster.example.com', 'prod-1'), [['deny', '1.33']])
  assert.deepEqual(versions('https://other.example.com', ''), [['deny', '1.33']])
  assert.deepEqual(versions('https://cluster.example.com', 'test'), [['deny', '1.36']])
})

test('the programs are those that matching rules name', () => {
  const rules = `
- {gate: programs, severity: warn, programs: [kubeconform, own]}
- {gate: programs, severity: deny, programs: [conftest, own], branches: [environments/*], waivable: true}
`
  const gates = (of: Partial<typeof application> = {}) =>
    ruledGates(readGateRules(rules, 'wadi.gates'), [{ ...application, ...of }])
  assert.deepEqual(gates(), [
    { gate: 'programs', severity: 'deny', unwaivable: 'warn', programs: ['conftest', 'kubeconform', 'own'] },
  ])
  assert.deepEqual(gates({ branches: ['main'] })[0]?.programs, ['kubeconform', 'own'])
})

test('wrong policies of the operator are errors that name the rule or the file with its line', () => {
  const errors: [rule: string, data: Record<string, string> | undefined, message: RegExp][] = [
    ['', undefined, /^wadi\.gates\[0\] needs the ConfigMap wadi-policies-cm, which does not exist/],
    ['', {}, /^wadi\.gates\[0\] names no file of the ConfigMap wadi-policies-cm/],
    [', files: [b.yaml]', { 'a.yaml': '' }, /^wadi\.gates\[0\]\.files: "b\.yaml" names no file/],
    [', files: ["a*", b.yaml]', { 'a.yaml': '' }, /^wadi\.gates\[0\]\.files: "b\.yaml" names no file/],
    ['', { 'a.yaml': 'a: 1\nb: [' }, /^wadi-policies-cm\/a\.yaml:[23]/],
    ['', { 'a.yaml': 'x'.repeat(2 ** 22 + 1) }, /^wadi-policies-cm has more than 4194304 bytes/],
  ]
  for (const [rule, data, message] of errors) {
    const rules = readGateRules(`[{gate: operator-policies, severity: deny${rule}}]`, 'wadi.gates')
    assert.throws(() => readPolicyFiles(rules, 'wadi.gates', data), { message }, rule)
  }
})

test('a repository matches in all its spellings, and if it is one of several', () => {
  const rules = '[{gate: secrets, severity: warn, repositories: [Git.example.com/team/shop.git]}]'
  const spellings = [
    'https://user@GIT.example.com/team/shop',
    'ssh://git@git.example.com:2222/team/shop.git',
    'https://git.example.com/team//shop/',
  ]
  for (const url of spellings) {
    const repositories = ['https://elsewhere.example.com/a', url]
    assert.deepEqual(severities(rules, { repositories }), { secrets: 'warn' }, url)
  }
  assert.deepEqual(severities(rules, { repositories: ['https://git.example.com/team/shop2'] }), {})
})

test('wrong rules are errors that name the field', () => {
  const errors: [text: string, message: RegExp][] = [
    ['gate: secrets', /^wadi\.gates must be a list/],
    ['[{gate: secret, severity: deny}]', /wadi\.gates\[0\]\.gate must be one of secrets, api-versions/],
    [
      '[{gate: secrets, severity: never}]',
      /wadi\.gates\[0\]\.severity must be one of off, deny, warn, audit/,
    ],
    ['[{gate: secrets, severity: deny, waivable: maybe}]', /wadi\.gates\[0\]\.waivable must be a boolean/],
    [
      '[{gate: programs, severity: deny}]',
      /wadi\.gates\[0\]\.programs is for the gate programs, which needs it/,
    ],
    [
      '[{gate: policies, severity: deny, programs: [a]}]',
      /wadi\.gates\[0\]\.programs is for the gate programs/,
    ],
    [
      '[{gate: policies, severity: deny, files: [a.yaml]}]',
      /wadi\.gates\[0\]\.files is only for the gate operator-policies/,
    ],
    ['[{gate: secrets}]', /wadi\.gates\[0\]\.severity/],
    [
      '[{gate: secrets, severity: deny, project: a}]',
      /unknown field wadi\.gates\[0\]\.project; did you mean projects\?/,
    ],
    ['[{gate: secrets, severity: deny, branches: []}]', /wadi\.gates\[0\]\.branches must name at least one/],
    [
      '[{gate: secrets, severity: deny, branches: ["["]}]',
      /wadi\.gates\[0\]\.branches\[0\] is not a pattern/,
    ],
    [
      '[{gate: secrets, severity: deny, repositories: ["https://a/b"]}]',
      /wadi\.gates\[0\]\.repositories\[0\] must be host\/path without a scheme/,
    ],
    [
      '[{gate: schemas, severity: deny, kubernetes: 1.30}]',
      /wadi\.gates\[0\]\.kubernetes must be a string, not a number/,
    ],
    [
      '[{gate: schemas, severity: deny, kubernetes: "2.0"}]',
      /wadi\.gates\[0\]\.kubernetes must be a version of Kubernetes, such as 1\.33/,
    ],
    [
      '[{gate: secrets, severity: deny, kubernetes: "1.33"}]',
      /wadi\.gates\[0\]\.kubernetes is only for the gates api-versions and schemas/,
    ],
    [
      '[{gate: secrets, severity: deny, clusterDefinitions: ["*"]}]',
      /wadi\.gates\[0\]\.clusterDefinitions is only for the gate schemas/,
    ],
    ['[', /wadi\.gates:1/],
  ]
  for (const [text, message] of errors) {
    assert.throws(() => readGateRules(text, 'wadi.gates'), { name: 'InvalidInputError', message }, text)
  }
})
