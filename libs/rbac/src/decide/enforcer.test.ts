import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threadMs } from '@wadi/testing/processor-time.ts'
import type { Subject } from './claims.ts'
import { anonymous } from './claims.ts'
import { Enforcer } from './enforcer.ts'
import { projectPolicy } from '../projects/project-policy.ts'
import { readPolicyConfig } from '../policy/read-policy-config.ts'
import { readVerdicts } from './verdicts-fixture.ts'

interface Settings {
  default?: string
  matchMode?: string
  denyWins?: string
  projects?: { name: string; roles?: Record<string, unknown>[] }[]
}

function enforcerOf(lines: readonly string[], settings: Settings = {}): Enforcer {
  const config = readPolicyConfig({
    'policy.csv': lines.join('\n'),
    'policy.default': settings.default ?? '',
    'policy.matchMode': settings.matchMode ?? '',
    'policy.denyWins': settings.denyWins ?? 'true',
  })
  const projects = (settings.projects ?? []).map(({ name, roles = [] }) =>
    projectPolicy({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name },
      spec: { roles },
    }),
  )
  return new Enforcer(config, projects)
}

function user(sub: string, ...groups: string[]): Subject {
  return { sub, groups }
}

test("without denies that win, every verdict is that of Argo CD's own enforcer", async () => {
  const cases = await readVerdicts()
  const wrong: unknown[] = []
  let asked = 0
  for (const { policy, defaultRole, matchMode, projects, requests } of cases) {
    const settings = { default: defaultRole, matchMode, projects }
    const enforcer = enforcerOf([policy], { ...settings, denyWins: 'false' })
    const strict = enforcerOf([policy], settings)
    for (const request of requests) {
      const { sub, groups, resource, action, object, allow } = request
      const answer = enforcer.allows({ sub, groups }, resource, action, object)
      const explained = enforcer.explain({ sub, groups }, resource, action, object)
      if (answer !== allow || explained.allowed !== allow) wrong.push({ policy, request })
      if (strict.allows({ sub, groups }, resource, action, object) && !allow) wrong.push({ policy, request })
      asked++
    }
  }
  assert.deepEqual(wrong, [])
  assert.equal(asked, 4000)
})

test('the user admin has the built-in roles, and may not invoke extensions', () => {
  const enforcer = enforcerOf([])
  assert.ok(enforcer.allows(user('admin'), 'applications', 'delete/apps/Deployment/ns/x', 'dev/ns/web'))
  assert.ok(enforcer.allows(user('admin'), 'gpgkeys', 'get', 'key'))
  assert.ok(!enforcer.allows(user('admin'), 'extensions', 'invoke', 'metrics'))
  assert.ok(enforcer.allows(user('admin'), 'settings', 'update', 'ConfigMap/argocd-rbac-cm'))
  assert.ok(!enforcer.allows({ sub: 'role:readonly', groups: [] }, 'settings', 'get', 'ConfigMap/a'))
  assert.ok(enforcer.allows(user('admin'), 'secrets', 'get', 'dev/web'))
  assert.ok(!enforcer.allows({ sub: 'role:readonly', groups: [] }, 'secrets', 'get', 'dev/web'))
  assert.ok(!enforcer.allows(user('ada'), 'applications', 'get', 'dev/web'))
})

test('roles are inherited over ten memberships and no further, circles included', () => {
  const chain = Array.from({ length: 11 }, (_, index) => `g, r${index}, r${index + 1}`)
  const enforcer = enforcerOf([
    ...chain,
    'g, r3, r0',
    'p, r10, logs, get, */*, allow',
    'p, r11, exec, create, */*, allow',
  ])
  assert.ok(enforcer.allows(user('r0'), 'logs', 'get', 'dev/web'))
  assert.ok(!enforcer.allows(user('r0'), 'exec', 'create', 'dev/web'))
})

test('bare update does not cover a path below it', () => {
  const enforcer = enforcerOf(['p, ada, applications, update, dev/*, allow'])
  assert.ok(enforcer.allows(user('ada'), 'applications', 'update', 'dev/web'))
  assert.ok(!enforcer.allows(user('ada'), 'applications', 'update/apps/Deployment/ns/x', 'dev/web'))
})

test('a rule with an effect that is neither allow nor deny does nothing', () => {
  const enforcer = enforcerOf([
    'p, ada, applications, get, dev/a, ALLOW',
    'p, ada, applications, get, dev/b, allow',
    'p, ada, applications, get, dev/b, maybe',
  ])
  assert.ok(!enforcer.allows(user('ada'), 'applications', 'get', 'dev/a'))
  assert.ok(enforcer.allows(user('ada'), 'applications', 'get', 'dev/b'))
})

test('a deny for one group takes precedence over the allow of another, unless the policy wants the order of Argo CD', () => {
  const lines = [
    'p, role:dev, applications, *, dev/*, allow',
    'p, role:guest, applications, delete, *, deny',
    'g, team, role:dev',
    'g, guests, role:guest',
  ]
  const ada = user('ada', 'team', 'guests')
  assert.ok(!enforcerOf(lines).allows(ada, 'applications', 'delete', 'dev/web'))
  assert.ok(enforcerOf(lines).allows(ada, 'applications', 'sync', 'dev/web'))
  assert.ok(enforcerOf(lines, { denyWins: 'false' }).allows(ada, 'applications', 'delete', 'dev/web'))
})

test('a deny for the user or the default role takes precedence over the allow of a group, and one of a project all of them', () => {
  const lines = ['p, team, applications, *, dev/*, allow', 'g, team, role:any']
  const ada = user('ada', 'team')
  const isDenied = (more: string[], settings: Settings = {}) => {
    const request = [ada, 'applications', 'sync', 'dev/web'] as const
    assert.ok(enforcerOf([...lines, ...more], { ...settings, denyWins: 'false' }).allows(...request))
    return !enforcerOf([...lines, ...more], settings).allows(...request)
  }
  assert.ok(!isDenied([]))
  assert.ok(isDenied(['p, ada, applications, sync, dev/*, deny']))
  assert.ok(isDenied(['p, role:all, applications, sync, *, deny'], { default: 'role:all' }))
  const policies = ['p, proj:dev:slow, applications, sync, dev/*, deny']
  const projects = [{ name: 'dev', roles: [{ name: 'slow', policies, groups: ['ada'] }] }]
  assert.ok(isDenied([], { projects }))
})

test('an allow that names a group applies only with a g line of the group, a deny always', () => {
  const allow = 'p, team, applications, get, dev/*, allow'
  const ada = user('ada', 'team')
  const request = [ada, 'applications', 'get', 'dev/web'] as const
  assert.ok(!enforcerOf([allow]).allows(...request))
  assert.ok(enforcerOf([allow, 'g, team, role:any']).allows(...request))
  const deny = ['p, ada, applications, get, dev/*, allow', 'p, team, applications, get, dev/*, deny']
  assert.ok(!enforcerOf(deny).allows(...request))
  assert.ok(enforcerOf(deny, { denyWins: 'false' }).allows(...request))
})

test('a group that only the asked project knows is asked there alone', () => {
  const policies = ['p, proj:dev:ci, applications, sync, *, allow']
  const enforcer = enforcerOf([], {
    projects: [{ name: 'dev', roles: [{ name: 'ci', policies, groups: ['team'] }] }, { name: 'prod' }],
  })
  const ada = user('ada', 'team')
  assert.ok(enforcer.allows(ada, 'applications', 'sync', 'dev/web'))
  assert.ok(enforcer.allows(ada, 'projects', 'get', 'dev'))
  assert.ok(!enforcer.allows(ada, 'applications', 'sync', 'prod/web'))
  assert.ok(!enforcer.allows(ada, 'applications', 'sync', 'elsewhere/web'))
  assert.ok(!enforcer.allows(ada, 'projects', 'get', 'dev/'))
})

test('the token of a project role is good for its own project', () => {
  const role = (project: string) => ({
    name: 'ci',
    policies: [`p, proj:${project}:ci, applications, sync, *, allow`],
  })
  const enforcer = enforcerOf(
    ['p, proj:dev:ci, repositories, get, *, allow', 'p, role:a, applications, get, */*, allow'],
    {
      default: 'role:a',
      projects: [
        { name: 'dev', roles: [role('dev')] },
        { name: 'prod', roles: [role('prod')] },
      ],
    },
  )
  const token = user('proj:dev:ci')
  assert.ok(enforcer.allows(token, 'applications', 'sync', 'dev/web'))
  assert.ok(enforcer.allows(token, 'projects', 'get', 'dev'))
  assert.ok(!enforcer.allows(token, 'applications', 'sync', 'prod/web'))
  assert.ok(!enforcer.allows(token, 'projects', 'get', 'prod'))
  assert.ok(!enforcer.allows(token, 'repositories', 'get', 'prod/https://git.example.com/a'))
  assert.ok(enforcer.allows(token, 'repositories', 'get', 'https://git.example.com/a'))
  assert.ok(enforcer.allows(token, 'applications', 'get', 'prod/web'))
})

test('who is not signed in has the default role and nothing else', () => {
  const lines = ['p, role:public, applications, get, public/*, allow', 'p, ada, logs, get, *, allow']
  const enforcer = enforcerOf(lines, { default: 'role:public' })
  assert.ok(enforcer.allows(anonymous, 'applications', 'get', 'public/web'))
  assert.ok(!enforcer.allows(anonymous, 'applications', 'get', 'private/web'))
  assert.ok(!enforcerOf(lines).allows(anonymous, 'applications', 'get', 'public/web'))
})

test('rules for the empty name are for everybody', () => {
  const enforcer = enforcerOf(['p, , clusters, get, *, allow'])
  assert.ok(enforcer.allows(anonymous, 'clusters', 'get', 'https://a'))
  assert.ok(enforcer.allows(user('ada'), 'clusters', 'get', 'https://a'))
})

test('a regular expression that cannot be read takes every right for its request from its identity', () => {
  const lines = [
    'p, ada, applications, get, dev/.*, allow',
    'p, ada, applications, get, *, maybe',
    'p, ada, applications, sync, dev/.*, allow',
  ]
  const enforcer = enforcerOf(lines, { matchMode: 'regex' })
  assert.ok(!enforcer.allows(user('ada'), 'applications', 'get', 'dev/web'))
  assert.ok(enforcer.allows(user('ada'), 'applications', 'sync', 'my-dev/web'))
  assert.equal(enforcer.explain(user('ada'), 'applications', 'get', 'dev/web').rules[0]?.effect, 'unreadable')
})

test('a request with an overlong name is denied', () => {
  const enforcer = enforcerOf([])
  assert.ok(enforcer.allows(user('admin'), 'applications', 'get', `dev/${'a'.repeat(2000)}`))
  assert.ok(!enforcer.allows(user('admin'), 'applications', 'get', `dev/${'a'.repeat(3000)}`))
  assert.ok(!enforcer.explain(user('admin'), 'applications', 'get', `dev/${'a'.repeat(3000)}`).allowed)
})

test('a deny of any identity is reported, whatever allows the request and whether denies take precedence or not', () => {
  const policies = ['p, proj:dev:slow, applicationsets, update, dev/*, deny']
  const settings = {
    default: 'role:all',
    denyWins: 'false',
    projects: [{ name: 'dev', roles: [{ name: 'slow', policies, groups: ['slow'] }] }, { name: 'ops' }],
  }
  const lines = [
    'p, ada, applicationsets, *, *, allow',
    'p, ada, applicationsets, delete, dev/*, deny',
    'p, lost, applicationsets, create, dev/web, deny',
    'p, role:all, applicationsets, get, ops/*, deny',
  ]
  const enforcer = enforcerOf(lines, settings)
  const denies = (action: string, object: string, ...groups: string[]) =>
    enforcer.denies(user('ada', ...groups), 'applicationsets', action, object)
  assert.ok(denies('delete', 'dev/web'))
  assert.ok(!denies('delete', 'ops/web'))
  assert.ok(!denies('create', 'dev/web'))
  assert.ok(denies('create', 'dev/web', 'lost'))
  assert.ok(denies('get', 'ops/web'))
  assert.ok(!denies('update', 'dev/web'))
  assert.ok(denies('update', 'dev/web', 'slow'))
  assert.ok(!enforcer.denies(user('bob'), 'applications', 'delete', 'dev/web'))
  assert.ok(denies('create', `dev/${'a'.repeat(3000)}`))
})

test('a deny whose regular expression cannot be read is one for what it is reached for', () => {
  const lines = ['p, ada, applicationsets, get, *, deny', 'p, ada, applicationsets, update, *, allow']
  const enforcer = enforcerOf(lines, { matchMode: 'regex' })
  assert.ok(enforcer.denies(user('ada'), 'applicationsets', 'get', 'dev/web'))
  assert.ok(!enforcer.denies(user('ada'), 'applicationsets', 'update', 'dev/web'))
})

test('an explanation names the rule that allows, what stands against it, and what is never asked', () => {
  const enforcer = enforcerOf([
    'p, role:dev, applications, *, dev/*, allow',
    'p, guests, applications, delete, *, deny',
    'p, lost, applications, delete, *, allow',
    'g, team, role:dev',
  ])
  const reported = (subject: Subject, action: string) => {
    const { allowed, rules, ignored } = enforcer.explain(subject, 'applications', action, 'dev/web')
    const short = (rule: (typeof rules)[number]) => `${rule.effect} ${rule.identity} ${rule.rule.at}`
    return [allowed, rules.map(short), ignored.map(short)]
  }
  assert.deepEqual(reported(user('ada', 'team', 'guests'), 'sync'), [true, ['allow team policy.csv:1'], []])
  assert.deepEqual(reported(user('ada', 'team', 'guests', 'lost'), 'delete'), [
    false,
    ['deny guests policy.csv:2'],
    ['allow lost policy.csv:3'],
  ])
  assert.deepEqual(reported(user('ada'), 'sync'), [false, [], []])
})

test('names of an object of its own prototype are names like any other', () => {
  const enforcer = enforcerOf(['p, __proto__, applications, get, *, allow', 'g, constructor, __proto__'])
  assert.ok(enforcer.allows(user('constructor'), 'applications', 'get', 'dev/web'))
  assert.ok(!enforcer.allows(user('toString'), 'applications', 'get', 'dev/web'))
  assert.ok(!enforcer.allows(user('ada'), '__proto__', 'constructor', 'toString/x'))
})

test('a list of 5000 applications is filtered in a moment by 650 rules', () => {
  const lines = Array.from(
    { length: 600 },
    (_, index) => `p, t${index}, applications, get, p${index}/*, allow`,
  )
  const own = Array.from(
    { length: 50 },
    (_, index) => `p, ada, applications, ${index % 2 ? 'get' : '*'}, p${index}/*-${index % 5}, allow`,
  )
  const enforcer = enforcerOf([...lines, ...own, 'g, team, t7'])
  let seen = 0
  const milliseconds = threadMs(() => {
    for (let index = 0; index < 5000; index++) {
      if (enforcer.allows(user('ada', 'team'), 'applications', 'get', `p${index % 100}/app-${index % 10}`))
        seen++
    }
  })
  assert.equal(seen, 1300)
  assert.ok(milliseconds < 300)
})
