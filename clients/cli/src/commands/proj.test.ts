import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sharedMeshFixture } from '../testing/mesh-fixture.ts'
import { runOnTerminal } from '../testing/terminal-fixture.ts'

const mesh = await sharedMeshFixture()

/** Runs `wadi proj …` as the operator and returns what it printed; it has to succeed. */
async function proj(...args: string[]): Promise<string> {
  const { stdout, stderr, code } = await mesh.operate(['proj', ...args])
  assert.equal(code, 0, stderr)
  return stdout
}

/** The spec of a project as the server has it. */
async function specOf(name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await proj('get', name, '-o', 'json')).spec
}

const deploy = 'https://git.example.com/deploy.git'
const local = 'https://kubernetes.default.svc'

test('a project is created from flags, changed by set, and printed as argocd does', async () => {
  const created = await proj(
    'create',
    'dev',
    '--description',
    'Dev\u001b[2J',
    '-s',
    deploy,
    '-d',
    `${local},dev`,
    '-d',
    'staging,dev-*',
    '--source-namespaces',
    'team-a,team-b',
  )
  assert.equal(created, "project 'dev' created\n")
  assert.deepEqual(await specOf('dev'), {
    description: 'Dev\u001b[2J',
    sourceRepos: [deploy],
    destinations: [
      { server: local, namespace: 'dev' },
      { name: 'staging', namespace: 'dev-*' },
    ],
    sourceNamespaces: ['team-a', 'team-b'],
  })
  const [list, get] = await Promise.all([proj('list'), proj('get', 'dev')])
  const [header, defaultRow, devRow] = list.split('\n').map((line) => line.split(/ {2,}/))
  assert.deepEqual(header?.slice(0, 5), [
    'NAME',
    'DESCRIPTION',
    'DESTINATIONS',
    'SOURCES',
    'CLUSTER-RESOURCE-WHITELIST',
  ])
  assert.deepEqual(defaultRow?.slice(0, 4), ['default', '*,*', '*', '*/*'])
  assert.deepEqual(devRow?.slice(0, 5), ['dev', 'Dev\\x1b[2J', '2 destinations', deploy, '<none>'])
  assert.equal(
    get,
    `Name:                        dev
Description:                 Dev\\x1b[2J
Destinations:                ${local},dev
                             staging,dev-*
Repositories:                ${deploy}
Source Namespaces:           team-a
                             team-b
Allowed Cluster Resources:   <none>
Denied Namespaced Resources: <none>
Signature keys:              <none>
Orphaned Resources:          disabled
Roles:                       <none>
`,
  )
  assert.equal(await proj('set', 'dev', '--description', '', '--src', '*'), "project 'dev' updated\n")
  assert.deepEqual((await specOf('dev'))['sourceRepos'], ['*'])
  assert.equal((await mesh.operate(['proj', 'set', 'dev'])).code, 1)
})

test('a project comes from a file too, and a different one is replaced with --upsert alone', async () => {
  const file = join(mesh.directory, 'project.json')
  const write = (description: string) =>
    writeFile(
      file,
      JSON.stringify({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'AppProject',
        metadata: { name: 'filed' },
        spec: { description, sourceRepos: ['*'] },
      }),
    )
  await write('one')
  assert.equal(await proj('create', '-f', file), "project 'filed' created\n")
  assert.equal(await proj('create', '-f', file), "project 'filed' unchanged\n")
  await write('two')
  const [refused, other] = await Promise.all([
    mesh.operate(['proj', 'create', '-f', file]),
    mesh.operate(['proj', 'create', 'other', '-f', file]),
  ])
  assert.deepEqual([refused.code, other.code], [20, 20])
  assert.match(other.stderr, /holds the project 'filed', not 'other'/)
  assert.equal(await proj('create', '-f', file, '--upsert'), "project 'filed' updated\n")
})

test('sources, destinations and namespaces are added once, and removing what does not exist fails', async () => {
  await proj('create', 'lists', '-s', 'https://git.example.com/old.git', '-d', `${local},old`)
  const added = await Promise.all([
    proj('add-source', 'lists', deploy),
    proj('add-destination', 'lists', 'staging', 'web', '--name'),
    proj('add-source-namespace', 'lists', 'team-a'),
    proj('remove-source', 'lists', 'https://git.example.com/old.git'),
    proj('remove-destination', 'lists', local, 'old'),
  ])
  assert.deepEqual(added, [
    `Source repository '${deploy}' added to project 'lists'\n`,
    "Destination 'staging,web' added to project 'lists'\n",
    "Source namespace 'team-a' added to project 'lists'\n",
    "Source repository 'https://git.example.com/old.git' removed from project 'lists'\n",
    `Destination '${local},old' removed from project 'lists'\n`,
  ])
  assert.deepEqual(await specOf('lists'), {
    sourceRepos: [deploy],
    destinations: [{ name: 'staging', namespace: 'web' }],
    sourceNamespaces: ['team-a'],
  })
  const [again, missing] = await Promise.all([
    proj('add-source', 'lists', deploy),
    mesh.operate(['proj', 'remove-destination', 'lists', 'staging', 'other', '--name']),
  ])
  assert.equal(again, `Source repository '${deploy}' already allowed in project 'lists'\n`)
  assert.equal(missing.code, 20)
  assert.match(missing.stderr, /Destination 'staging,other' does not exist in project 'lists'/)
})

test('a role has rights, groups and tokens, and a token opens what the role may until it is deleted', async () => {
  await proj('create', 'roles')
  assert.equal(
    await proj('role', 'create', 'roles', 'ci', '--description', 'Pipelines'),
    "Role 'ci' created\n",
  )
  const right = ['roles', 'ci', '-a', 'sync', '-o', 'web-*']
  const policy = 'p, proj:roles:ci, applications, sync, roles/web-*, allow'
  assert.equal(await proj('role', 'add-policy', ...right), `Policy '${policy}' added to role 'ci'\n`)
  assert.equal(
    await proj('role', 'add-policy', ...right),
    `Policy '${policy}' already present in role 'ci'\n`,
  )
  assert.equal(await proj('role', 'add-group', 'roles', 'ci', 'team'), "Group 'team' added to role 'ci'\n")
  assert.equal(await proj('role', 'list', 'roles'), 'ROLE-NAME  DESCRIPTION\nci         Pipelines\n')
  const made = await proj('role', 'create-token', 'roles', 'ci', '--expires-in', '24h', '-i', 'one')
  assert.match(
    made,
    /^Create token succeeded for proj:roles:ci\.\n {2}ID: one\n {2}Issued At: \S+Z\n {2}Expires At: \S+Z\n {2}Token: /,
  )
  const only = await proj('role', 'create-token', 'roles', 'ci', '-t', '-i', 'two')
  const environment = { WADI_SERVER: mesh.server, WADI_AUTH_TOKEN: only.trimEnd() }
  const can = (object: string) =>
    mesh.wadi(['account', 'can-i', 'sync', 'applications', object], { environment })
  const [yes, no, get] = await Promise.all([
    can('roles/web-1'),
    can('roles/api'),
    proj('role', 'get', 'roles', 'ci'),
  ])
  assert.deepEqual([yes.stdout, no.stdout], ['yes\n', 'no\n'])
  assert.match(
    get,
    new RegExp(
      String.raw`^Role Name: {5}ci\nDescription: {3}Pipelines\nPolicies:\n` +
        String.raw`p, proj:roles:ci, projects, get, roles, allow\np, .*\nGroups:\nteam\nJWT Tokens:\n` +
        String.raw`ID +ISSUED-AT +EXPIRES-AT\none +\S+Z +\S+Z\ntwo +\S+Z +never\n$`,
    ),
  )
  await proj('role', 'delete-token', 'roles', 'ci', 'two')
  assert.equal((await can('roles/web-1')).code, 20)
  assert.match(await proj('role', 'list-tokens', 'roles', 'ci', '-u'), /^one +\d{10} +\d{10}$/m)
  await proj('role', 'remove-policy', ...right)
  await proj('role', 'remove-group', 'roles', 'ci', 'team')
  assert.equal(await proj('role', 'delete', 'roles', 'ci'), "Role 'ci' deleted\n")
  assert.equal((await mesh.operate(['proj', 'role', 'get', 'roles', 'ci'])).code, 20)
})

test('a project is deleted with --yes, or when somebody at the terminal agrees', async () => {
  await Promise.all([proj('create', 'gone'), proj('create', 'kept')])
  const silent = await mesh.operate(['proj', 'delete', 'gone'])
  assert.equal(silent.code, 20)
  assert.match(silent.stderr, /repeat the command with --yes/)
  const screen = await runOnTerminal(['proj', 'delete', 'kept', 'gone'], {
    environment: { ...mesh.environment, WADI_SERVER: mesh.server, WADI_AUTH_TOKEN: mesh.adminToken },
    prompt: 'without prompting ',
    answers: ['n', 'y'],
  })
  assert.match(screen, /The command to delete 'kept' was cancelled\./)
  assert.match(screen, /project 'gone' deleted/)
  assert.equal(await proj('delete', 'kept', '--yes'), "project 'kept' deleted\n")
  const { stdout: names } = await mesh.operate(['__complete', 'projects'])
  assert.match(names, /^default\n/m)
  const gone = await mesh.operate(['proj', 'get', 'gone'])
  assert.match(gone.stderr, /code = NotFound desc = appprojects\.argoproj\.io "gone" not found/)
})

test('fields of a project that have no effect are named when it is stored', async () => {
  const file = join(mesh.directory, 'windows.yaml')
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'windows', namespace: 'argocd' },
    spec: { sourceRepos: ['*'], syncWindows: [{ kind: 'deny' }], sourceRepo: deploy },
  }
  await writeFile(file, JSON.stringify(project))
  const warnings = [
    'spec.syncWindows is stored but not applied: Wadi deploys nothing; what deploys the hydrated branch must apply it',
    'spec.sourceRepo is stored but not applied: did you mean spec.sourceRepos?',
  ]
  const lines = (prefix: string) => warnings.map((warning) => `Warning: ${prefix}${warning}\n`).join('')
  const applied = await mesh.operate(['apply', '-f', file])
  assert.equal(applied.stderr, lines('appproject.argoproj.io/windows: '))
  const created = await mesh.operate(['proj', 'create', '-f', file, '--upsert'])
  assert.deepEqual([created.stdout, created.stderr], ["project 'windows' unchanged\n", lines('')])
  const changed = await mesh.operate(['proj', 'set', 'windows', '--description', 'x'])
  assert.equal(changed.stderr, lines(''))
})
