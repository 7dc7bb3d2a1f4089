import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '@wadi/resources/resource.ts'
import { parse } from 'yaml'
import { checkProjectRoles } from './check-project-roles.ts'
import { subjectOfClaims } from '../decide/claims.ts'
import { Enforcer } from '../decide/enforcer.ts'
import { policyWarnings } from '../policy/policy-warnings.ts'
import { projectPolicy } from './project-policy.ts'
import { readPolicyConfig } from '../policy/read-policy-config.ts'

const configMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: argocd-rbac-cm
  namespace: argocd
  labels:
    app.kubernetes.io/name: argocd-rbac-cm
    app.kubernetes.io/part-of: argocd
data:
  policy.default: role:readonly

  policy.csv: |
    # Everybody of the platform team
    p, role:org-admin, applications, *, */*, allow
    p, role:org-admin, clusters, get, *, allow
    p, role:org-admin, repositories, create, *, allow
    p,role:org-admin,logs,get,*,allow
        p, role:org-admin, exec, create, */*, allow

    # Teams
    p, role:staging, applications, "{get,sync}", staging-*/*, allow
    g, "github:org,with comma", role:org-admin
    g, staging@example.com, role:staging
    p, role:rollouts, applications, action/argoproj.io/Rollout/*, default/*, allow
    p, role:rollouts, applications, delete/*/Pod/*/*, default/*, allow
    p, role:rollouts, applications, delete, default/prod-*, deny
    p, role:rollouts, applicationsets, get, default/*, allow
    p, role:rollouts, extensions, invoke, httpbin, allow
    g, ops, role:rollouts
    g, alice, role:admin

  policy.tester-overlay.csv: |
    p, role:tester, applications, *, */*, allow
    p, role:tester, projects, *, *, allow
    g, my-org:team-qa, role:tester
  policy.accounts.csv: "p, ci-bot, accounts, get, *, allow\\r\\np, ci-bot, gpgkeys, get, *, allow\\r\\n"

  scopes: '[groups, email, cognito:groups]'
  policy.matchMode: 'glob'
`

const appProject = `apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata:
  name: my-project
  namespace: argocd
  finalizers: [resources-finalizer.argocd.argoproj.io]
spec:
  description: Example Project
  sourceRepos: ['*']
  destinations:
    - namespace: guestbook
      server: https://kubernetes.default.svc
      name: in-cluster
  clusterResourceWhitelist: [{ group: '', kind: Namespace }]
  orphanedResources: { warn: false }
  roles:
    - name: read-only
      description: Read-only privileges to my-project
      policies:
        - p, proj:my-project:read-only, applications, get, my-project/*, allow
      groups:
        - my-oidc-group
        - '"CN=readers,OU=groups"'
    - name: ci-role
      description: Sync privileges for guestbook-dev
      policies:
        - p, proj:my-project:ci-role, applications, sync, my-project/guestbook-dev, allow
        - p, proj:my-project:ci-role, logs, get, my-project/*, allow
        - p, proj:my-project:ci-role, applications, action/apps/Deployment/restart, my-project/*, allow
      jwtTokens:
        - iat: 1535390316
        - iat: 1700000000
          exp: 1800000000
          id: 3f6c
status:
  jwtTokensByRole:
    ci-role:
      items: [{ iat: 1535390316 }]
`

/** Reads both objects as they are and decides by them. */
function decisions() {
  const { data } = parse(configMap) as { data: Record<string, string> }
  const project = parse(appProject) as Resource
  const config = readPolicyConfig(data)
  const ofProject = projectPolicy(project)
  assert.equal(ofProject.error, undefined)
  assert.deepEqual(checkProjectRoles(project), [])
  return { config, enforcer: new Enforcer(config, [ofProject]) }
}

test('a ConfigMap with all that Argo CD documents is read without an error or a warning', () => {
  const { config } = decisions()
  assert.deepEqual(policyWarnings(config), [])
  assert.equal(config.policy.rules.length, 15)
  assert.deepEqual(
    config.policy.grants.map(({ member, at }) => `${member} ${at}`),
    [
      'github:org,with comma policy.csv:10',
      'staging@example.com policy.csv:11',
      'ops policy.csv:17',
      'alice policy.csv:18',
      'my-org:team-qa policy.tester-overlay.csv:3',
    ],
  )
  assert.deepEqual(config.scopes, ['groups', 'email', 'cognito:groups'])
  assert.deepEqual([config.defaultRole, config.matchMode], ['role:readonly', 'glob'])
})

const cases: [claims: Record<string, unknown>, request: string, expected: boolean][] = [
  [{ sub: 'x' }, 'applications get a/b', true],
  [{ sub: 'x' }, 'applications sync a/b', false],
  [{ sub: 'x', groups: ['github:org,with comma'] }, 'applications sync a/b', true],
  [{ sub: 'x', groups: ['github:org,with comma'] }, 'exec create a/b', true],
  [{ sub: 'x', groups: ['github:org'] }, 'applications sync a/b', false],
  [{ sub: 'x', email: 'staging@example.com' }, 'applications sync staging-eu/b', true],
  [{ sub: 'x', email: 'staging@example.com' }, 'applications sync prod/b', false],
  [{ sub: 'x', email: 'staging@example.com' }, 'applications delete staging-eu/b', false],
  [{ sub: 'x', 'cognito:groups': ['ops'] }, 'applications action/argoproj.io/Rollout/resume default/b', true],
  [{ sub: 'x', 'cognito:groups': ['ops'] }, 'applications delete/apps/Pod/ns/web-1 default/b', true],
  [{ sub: 'x', 'cognito:groups': ['ops'] }, 'applications delete default/b', false],
  [{ sub: 'x', 'cognito:groups': ['ops'] }, 'extensions invoke httpbin', true],
  [{ sub: 'x', groups: ['ops', 'my-org:team-qa'] }, 'applications delete default/prod-1', false],
  [{ sub: 'x', groups: ['my-org:team-qa'] }, 'applications delete default/prod-1', true],
  [{ sub: 'alice' }, 'clusters delete https://a', true],
  [{ sub: 'ci-bot' }, 'gpgkeys get a', true],
  [{ sub: 'ci-bot' }, 'accounts get a', true],
  [{ sub: 'proj:my-project:ci-role' }, 'applications sync my-project/guestbook-dev', true],
  [{ sub: 'proj:my-project:ci-role' }, 'applications sync my-project/other', false],
  [{ sub: 'proj:my-project:ci-role' }, 'applications action/apps/Deployment/restart my-project/other', true],
  [{ sub: 'x', groups: ['CN=readers,OU=groups'] }, 'projects get my-project', true],
]

for (const [claims, request, expected] of cases) {
  test(`${JSON.stringify(claims)} ${expected ? 'may' : 'may not'} do ${request}`, () => {
    const { config, enforcer } = decisions()
    const [resource = '', action = '', object = ''] = request.split(' ')
    assert.equal(enforcer.allows(subjectOfClaims(claims, config.scopes), resource, action, object), expected)
  })
}
