import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Subject } from './claims.ts'
import { Enforcer } from './enforcer.ts'
import { projectPolicy } from '../projects/project-policy.ts'
import { readPolicyConfig } from '../policy/read-policy-config.ts'

interface Settings {
  default?: string
  matchMode?: string
  /** Names of projects, each with the policies of its role `ci`, which the group `team` has. */
  projects?: Record<string, string[]>
}

function enforcerOf(lines: readonly string[], settings: Settings = {}): Enforcer {
  const config = readPolicyConfig({
    'policy.csv': lines.join('\n'),
    'policy.default': settings.default ?? '',
    'policy.matchMode': settings.matchMode ?? '',
  })
  const projects = Object.entries(settings.projects ?? {}).map(([name, policies]) =>
    projectPolicy({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name },
      spec: { roles: [{ name: 'ci', policies, groups: ['team'] }] },
    }),
  )
  return new Enforcer(config, projects)
}

const ada: Subject = { sub: 'ada', groups: ['team'] }
const mayCreate = (enforcer: Enforcer, hints: readonly string[] = []) =>
  enforcer.allowsAny(ada, 'applications', 'create', hints)
const allow = (object: string) => `p, ada, applications, create, "${object}", allow`
const deny = (object: string) => `p, ada, applications, create, "${object}", deny`

for (const object of [
  'dev/web',
  '*',
  '*/*',
  'dev/*',
  'd?v/web-[0-9]',
  'dev/[!x]*',
  'dev/[!a-z]',
  '{dev,prod}/*',
  '{dev/a,prod/{b,c}}',
  String.raw`dev/\*`,
  'dev/[é]',
]) {
  test(`a right to ${object} is a right to something, and none when all of it is denied`, () => {
    assert.ok(mayCreate(enforcerOf([allow(object)])))
    assert.ok(!mayCreate(enforcerOf([allow(object), deny('*')])))
  })
}

test('who has no right for the action has none to anything', () => {
  assert.ok(!mayCreate(enforcerOf([])))
  assert.ok(!mayCreate(enforcerOf(['p, ada, applications, get, */*, allow'])))
  assert.ok(!mayCreate(enforcerOf(['p, ada, repositories, create, */*, allow'])))
  assert.ok(!mayCreate(enforcerOf([allow('dev/[')])))
  assert.ok(!mayCreate(enforcerOf(['p, bob, applications, create, */*, allow'])))
})

test('rights of groups, roles and the default role apply, those of a group without a g line do not', () => {
  const role = 'p, role:dev, applications, create, dev/*, allow'
  assert.ok(mayCreate(enforcerOf([role, 'g, team, role:dev'])))
  assert.ok(mayCreate(enforcerOf([role, 'g, ada, role:lead', 'g, role:lead, role:dev'])))
  assert.ok(mayCreate(enforcerOf([role], { default: 'role:dev' })))
  assert.ok(!mayCreate(enforcerOf(['p, team, applications, create, dev/*, allow'])))
})

test('rights of a project role apply in its project', () => {
  const own = { dev: ['p, proj:dev:ci, applications, create, *, allow'] }
  const foreign = { dev: ['p, proj:dev:ci, applications, create, prod/*, allow'], prod: [] }
  assert.ok(mayCreate(enforcerOf([], { projects: own })))
  assert.ok(!mayCreate(enforcerOf([], { projects: foreign })))
  assert.ok(!mayCreate(enforcerOf([deny('dev/*')], { projects: own })))
  const token = { sub: 'proj:dev:ci', groups: [] }
  assert.ok(enforcerOf([], { projects: own }).allowsAny(token, 'applications', 'create'))
  assert.ok(!enforcerOf([], { projects: own }).allowsAny(token, 'applications', 'delete'))
})

test('a right of a role that a group has in some projects applies in each of them', () => {
  const lines = ['p, role:dev, applications, create, *, allow', deny('a/*'), deny('x')]
  const policies = (name: string) => [`g, team, proj:${name}:ci`, `g, proj:${name}:ci, role:dev`]
  assert.ok(!mayCreate(enforcerOf(lines, { projects: { a: policies('a'), b: [] } })))
  assert.ok(mayCreate(enforcerOf(lines, { projects: { a: policies('a'), b: policies('b') } })))
})

test('a right to a project that remains after denies is found by the names of the projects', () => {
  const lines = [allow('*/*'), deny('x/*'), deny('dev/*')]
  assert.ok(mayCreate(enforcerOf(lines, { projects: { dev: [], prod: [] } })))
  assert.ok(!mayCreate(enforcerOf(lines, { projects: { dev: [] } })))
  assert.ok(mayCreate(enforcerOf([allow('p*/*'), deny('px/*')], { projects: { dev: [], prod: [] } })))
})

test('hints are tried as they are', () => {
  const enforcer = enforcerOf([allow('dev/*'), deny('dev/x')])
  assert.ok(!mayCreate(enforcer))
  assert.ok(!mayCreate(enforcer, ['prod/web', 'dev/x']))
  assert.ok(mayCreate(enforcer, ['prod/web', 'dev/web']))
})

test('projects are checked by their names', () => {
  const enforcer = enforcerOf(['p, ada, projects, update, *, allow', 'p, ada, projects, update, x, deny'], {
    projects: { dev: [] },
  })
  assert.ok(enforcer.allowsAny(ada, 'projects', 'update'))
  assert.ok(enforcer.allowsAny(ada, 'projects', 'get'))
  assert.ok(!enforcer.allowsAny(ada, 'projects', 'delete'))
})

test('with regular expressions an allow that is reached is enough', () => {
  const regex = { matchMode: 'regex' }
  assert.ok(mayCreate(enforcerOf([allow('^dev/.*$')], regex)))
  assert.ok(!mayCreate(enforcerOf([deny('^dev/.*$')], regex)))
  assert.ok(!mayCreate(enforcerOf([allow('^dev/.*$'), 'p, ada, *, get, x, allow'], regex)))
})

test('after many objects in vain the answer is yes', { timeout: 10_000 }, () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `${allow(`dev/a-${index}`)}\n${deny(`*/a-${index}`)}`)
  assert.ok(!mayCreate(enforcerOf(lines(2000))))
  assert.ok(mayCreate(enforcerOf(lines(2001))))
})

test('overlong names are no right to anything', () => {
  const enforcer = enforcerOf(['p, ada, *, *, *, allow'])
  assert.ok(enforcer.allowsAny(ada, 'applications', 'action/'.padEnd(2048, 'a')))
  assert.ok(!enforcer.allowsAny(ada, 'applications', 'action/'.padEnd(2049, 'a')))
})
