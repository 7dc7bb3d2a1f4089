import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { checkProjectRoles } from './check-project-roles.ts'

function check(...roles: Record<string, unknown>[]): string[] {
  return checkProjectRoles({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'dev' },
    spec: { roles },
  })
}

test('roles that the API of Argo CD accepts have no errors', () => {
  const policies = [
    'p, proj:dev:ci, applications, sync, dev/*, allow',
    'p,proj:dev:ci,logs,get,dev/ns/web-*,deny',
    'p, proj:dev:ci, applications, action/apps/Deployment/restart, dev/web, allow',
    'p, proj:dev:ci, clusters, *, dev/in-cluster, allow',
  ]
  assert.deepEqual(check({ name: 'ci', policies, groups: ['team', '"cn=a,ou=b"'] }, { name: 'a_b-1' }), [])
})

for (const [policy, message] of [
  [
    'g, ada, proj:dev:ci',
    'must be "p", subject, resource, action, object and effect with commas between them',
  ],
  [
    'p, proj:dev:other, applications, get, dev/*, allow',
    'the subject must be proj:dev:ci, not "proj:dev:other"',
  ],
  [
    'p, proj:dev:ci, accounts, get, dev/*, allow',
    'the resource must be one of applications, applicationsets, logs, exec, secrets, clusters, repositories, not "accounts"',
  ],
  [
    'p, proj:dev:ci, applications, restart, dev/*, allow',
    'the action must be one of get, create, update, delete, sync, override, rollback, *, action/…, update/… or delete/…, not "restart"',
  ],
  [
    'p, proj:dev:ci, repositories, get, dev/https://git.example.com/a, allow',
    'the object must be dev/<name> or dev/<namespace>/<name> with letters, digits and *-._, not "dev/https://git.example.com/a"',
  ],
  [
    'p, proj:dev:ci, applications, get, prod/*, allow',
    'the object must be dev/<name> or dev/<namespace>/<name> with letters, digits and *-._, not "prod/*"',
  ],
  ['p, proj:dev:ci, applications, get, dev/*, maybe', 'the effect must be allow or deny, not "maybe"'],
] as const) {
  test(`the policy "${policy}" is refused`, () => {
    assert.deepEqual(check({ name: 'ci', policies: [policy] }), [`spec.roles[0].policies[0]: ${message}`])
  })
}

test('names, groups and repetitions are checked', () => {
  const policy = 'p, proj:dev:ci, applications, get, dev/*, allow'
  assert.deepEqual(
    check(
      { name: 'ci', policies: [policy, policy], groups: ['a', 'a', ' ', 'a,b', 'a"b', 'a\nb'] },
      { name: 'ci' },
      { name: '-x' },
    ),
    [
      'spec.roles[0].policies[1]: the policy occurs twice',
      'spec.roles[0].groups[2]: a group needs a name',
      'spec.roles[0].groups[3]: a group may have no quotes inside, and must be quoted if it has commas',
      'spec.roles[0].groups[4]: a group may have no quotes inside, and must be quoted if it has commas',
      'spec.roles[0].groups[5]: a group may not have line breaks or tabs',
      'spec.roles[0].groups[1]: the group occurs twice',
      'spec.roles[1].name: two roles have the name "ci"',
      'spec.roles[2].name: "-x" must be letters, digits, "-" and "_", and begin and end with a letter or a digit',
    ],
  )
})

test('fields of a wrong type are refused', () => {
  assert.throws(
    () => check({ name: 'ci', policies: 'p' }),
    new InvalidInputError('AppProject dev: spec.roles[0].policies must be a list, not a string'),
  )
})
