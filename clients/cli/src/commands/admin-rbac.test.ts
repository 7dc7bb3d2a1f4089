import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'

const policy = `# roles
p, role:dev, applications, *, dev/*, allow
p, role:guest, applications, delete, *, deny
p, lost, applications, sync, *, allow
g, team, role:dev
g, guests, role:guest
g, "cn=a,ou=b", role:dev
`

const configMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: argocd-rbac-cm
data:
  policy.default: role:readonly
  policy.denyWins: "false"
  policy.csv: |

    p, role:dev, applications, *, dev/*, allow
    p, role:guest, applications, delete, *, deny
    g, team, role:dev
    g, guests, role:guest
`

const project = `apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata:
  name: dev
spec:
  roles:
    - name: ci
      policies: ['p, proj:dev:ci, applications, sync, dev/*, allow']
      groups: [robots]
`

/** Writes files to a directory of their own and runs the command line there. */
async function inDirectory(files: Record<string, string>) {
  const directory = await temporaryDirectory()
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory.path, name), text)
  const rbac = (...args: string[]) => runWadi(['admin', 'rbac', ...args], { directory: directory.path })
  return { rbac, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() }
}

function warningsOf(stderr: string): string[] {
  return stderr
    .trim()
    .split('\n')
    .map((line) => line.replace(/^WARN\[\d+\] /, ''))
}

test('a policy without errors is valid, as CSV and as a ConfigMap', async () => {
  await using directory = await inDirectory({
    'policy.csv': policy,
    'cm.yaml': configMap,
    'dev.yaml': project,
  })
  for (const file of ['policy.csv', 'cm.yaml']) {
    const result = await directory.rbac('validate', '--policy-file', file, '--project-file', 'dev.yaml')
    assert.deepEqual(result, { stdout: 'Policy is valid.\n', stderr: '', code: 0 })
  }
})

test('every error of a policy and of project roles is reported with its place', async () => {
  await using directory = await inDirectory({
    'policy.csv': 'p, role:dev, applications\np, a, applications, {get,sync}, *, allow\nx',
    'cm.yaml': `${configMap}    g, nobody\n  policy.b.csv: "g, a, b\\np, \\e[2J"\n  scopes: groups\n`,
    'dev.yaml': project.replace('dev/*', 'prod/*'),
  })
  const csv = await directory.rbac('validate', '--policy-file', 'policy.csv', '--project-file', 'dev.yaml')
  assert.equal(
    csv.stdout,
    `Policy is invalid:
policy.csv:1: a line with p needs subject, resource, action, object and effect, and has 2 values; a value with commas needs quotes: "p, role:dev, applications"
policy.csv:2: a line with p needs subject, resource, action, object and effect, and has 6 values; a value with commas needs quotes: "p, a, applications, {get,sync}, *, allow"
policy.csv:3: a line must begin with p or g: "x"
AppProject dev: spec.roles[0].policies[0]: the object must be dev/<name> or dev/<namespace>/<name> with letters, digits and *-._, not "prod/*"
`,
  )
  assert.deepEqual([csv.stderr, csv.code], ['', 1])
  const map = await directory.rbac('validate', '--policy-file', 'cm.yaml')
  assert.equal(
    map.stdout,
    `Policy is invalid:
cm.yaml:14: a line with g needs a member and a role, and has 1 value; a value with commas needs quotes: "g, nobody"
cm.yaml:15: policy.b.csv:2: a line with p needs subject, resource, action, object and effect, and has 1 value; a value with commas needs quotes: "p, \\u001b[2J"
cm.yaml:16: scopes must be a YAML list of claims, for example [groups, email]
`,
  )
  assert.equal(map.code, 1)
})

test('what a valid policy probably does not mean is warned of', async () => {
  await using directory = await inDirectory({
    'cm.yaml': `kind: ConfigMap
data:
  policy.csv: |
    p, role:dev, aplications, get, dev/*, allow
    p, role:dev, applications, snyc, dev/*, ALLOW
    g, ada, role:empty
  policy.matchMode: Regex
  policy.defualt: role:dev
`,
    'empty.yaml': 'kind: ConfigMap\ndata: {}\n',
  })
  const { stdout, stderr, code } = await directory.rbac('validate', '--policy-file', 'cm.yaml')
  assert.deepEqual([stdout, code], ['Policy is valid.\n', 0])
  assert.deepEqual(warningsOf(stderr), [
    'cm.yaml:8: unknown field policy.defualt; did you mean policy.default?',
    'cm.yaml:7: "Regex" is neither glob nor regex; glob is used',
    'cm.yaml:4: there is no resource "aplications"; did you mean applications?',
    'cm.yaml:5: the effect "ALLOW" is neither allow nor deny, so the rule does nothing',
    'cm.yaml:5: there is no action "snyc" for applications; did you mean sync?',
    'cm.yaml:6: the role "role:empty" has no permission',
  ])
  const empty = await directory.rbac('validate', '--policy-file', 'empty.yaml')
  assert.deepEqual(warningsOf(empty.stderr), [
    'the ConfigMap has no policy.csv, so the built-in roles are the whole policy',
  ])
})

test('files that hold no policy are refused', async () => {
  await using directory = await inDirectory({
    'secret.yaml': 'apiVersion: v1\nkind: Secret\n',
    'broken.yaml': 'kind: ConfigMap\ndata: {\n',
    'number.yaml': 'kind: ConfigMap\ndata:\n  policy.denyWins: false\n',
    'policy.csv': policy,
  })
  for (const [file, message] of [
    ['missing.csv', /missing\.csv is not a file/],
    ['secret.yaml', /secret\.yaml: holds neither lines of a policy nor a ConfigMap/],
    ['broken.yaml', /broken\.yaml:3: /],
    ['number.yaml', /number\.yaml:3: policy\.denyWins must be a string, not a boolean; put it in quotes/],
  ] as const) {
    const { stdout, stderr, code } = await directory.rbac('validate', '--policy-file', file)
    assert.deepEqual([stdout, code], ['', 20])
    assert.match(stderr, message)
  }
  const wrongKind = await directory.rbac(
    'validate',
    '--policy-file',
    'policy.csv',
    '--project-file',
    'secret.yaml',
  )
  assert.equal(wrongKind.code, 20)
})

test('can answers for roles, users, groups and tokens of project roles', async () => {
  await using directory = await inDirectory({
    'policy.csv': policy,
    'cm.yaml': configMap,
    'dev.yaml': project,
  })
  const cases: [string[], 'Yes' | 'No'][] = [
    [['role:dev', 'sync', 'app', 'dev/web'], 'Yes'],
    [['role:dev', 'sync', 'app', 'prod/web'], 'No'],
    [['role:dev', 'action/apps/Deployment/restart', 'applications', 'dev/web'], 'Yes'],
    [['admin', 'get', 'applications'], 'Yes'],
    [['admin', 'get', 'applications', '*'], 'Yes'],
    [['role:dev', 'get', 'applications'], 'No'],
    [['ada', 'sync', 'app', 'dev/web'], 'No'],
    [['ada', 'sync', 'app', 'dev/web', '--groups', 'x,team'], 'Yes'],
    [['ada', 'sync', 'app', 'dev/web', '--groups', '"cn=a,ou=b"'], 'Yes'],
    [['ada', 'delete', 'app', 'dev/web', '--groups', 'team', '--groups', 'guests'], 'No'],
    [['ada', 'get', 'app', 'dev/web', '--default-role', 'role:readonly'], 'Yes'],
    [['proj:dev:ci', 'sync', 'app', 'dev/web'], 'No'],
    [['proj:dev:ci', 'sync', 'app', 'dev/web', '--project-file', 'dev.yaml'], 'Yes'],
    [['ada', 'sync', 'app', 'dev/web', '--groups', 'robots', '--project-file', 'dev.yaml'], 'Yes'],
    [['admin', 'get', 'app', 'dev/web', '--use-regex-match'], 'No'],
    [['role:dev', 'fly', 'app', 'dev/web', '--strict=false'], 'Yes'],
  ]
  for (const [args, expected] of cases) {
    const { stdout, code } = await directory.rbac('can', ...args, '--policy-file', 'policy.csv')
    assert.deepEqual([stdout, code], [`${expected}\n`, expected === 'Yes' ? 0 : 1], args.join(' '))
  }
  const args = [
    'can',
    'ada',
    'delete',
    'app',
    'dev/web',
    '--groups',
    'team,guests',
    '--policy-file',
    'cm.yaml',
  ]
  assert.equal((await directory.rbac(...args)).stdout, 'Yes\n')
})

test('can explains its answer and warns of a group that is never asked', async () => {
  await using directory = await inDirectory({ 'policy.csv': policy })
  const can = (...args: string[]) => directory.rbac('can', ...args, '--policy-file', 'policy.csv')
  assert.equal(
    (await can('ada', 'sync', 'app', 'dev/web', '--groups', 'team', '--explain')).stdout,
    'Yes\nallow for team: p, role:dev, applications, *, dev/*, allow (policy.csv:2)\n',
  )
  assert.equal(
    (await can('ada', 'sync', 'logs', 'dev/web', '--strict=false', '--explain')).stdout,
    'No\nno rule allows it\n',
  )
  const lost = await can('ada', 'sync', 'app', 'dev/web', '--groups', 'lost')
  assert.deepEqual(warningsOf(lost.stderr), [
    'policy.csv:4: does not count, because no line "g, lost, <role>" has the group as a member',
  ])
  const denied = await can('ada', 'delete', 'app', 'dev/web', '--groups', 'team,guests', '-o', 'json')
  assert.deepEqual(JSON.parse(denied.stdout), {
    allowed: false,
    subject: 'ada',
    action: 'delete',
    resource: 'applications',
    object: 'dev/web',
    groups: ['team', 'guests'],
    rules: [
      {
        effect: 'deny',
        identity: 'guests',
        rule: 'p, role:guest, applications, delete, *, deny',
        at: 'policy.csv:3',
      },
    ],
  })
  assert.equal(denied.code, 1)
})

test('can refuses requests that do not exist', async () => {
  await using directory = await inDirectory({ 'policy.csv': policy, 'broken.csv': 'x' })
  for (const [action, resource, file, message] of [
    ['snyc', 'app', 'policy.csv', /there is no action snyc for applications; did you mean sync\?/],
    ['sync', 'logs', 'policy.csv', /there is no action sync for logs; there are get/],
    ['get', 'aplication', 'policy.csv', /there is no resource aplication; did you mean applications\?/],
    ['get', 'app', 'broken.csv', /broken\.csv:1: a line must begin with p or g/],
  ] as const) {
    const { stdout, stderr, code } = await directory.rbac(
      'can',
      'ada',
      action,
      resource,
      '--policy-file',
      file,
    )
    assert.deepEqual([stdout, code], ['', 20])
    assert.match(stderr, message)
  }
})
