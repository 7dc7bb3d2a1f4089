import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  defaultProject,
  parseAppProject,
  projectPermitsDestination,
  projectPermitsNamespace,
  projectPermitsSource,
} from './app-project.ts'

function project(spec: Record<string, unknown>) {
  return parseAppProject({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { namespace: 'argocd', name: 'team' },
    spec,
  })
}

test('the built-in default project permits everything', () => {
  assert.equal(projectPermitsSource(defaultProject, 'https://git/x'), true)
  assert.equal(projectPermitsDestination(defaultProject, {}), true)
  assert.equal(projectPermitsNamespace(defaultProject, 'any'), true)
})

test('an empty project permits nothing but its own namespace', () => {
  const empty = project({})
  assert.equal(projectPermitsSource(empty, 'https://git/x'), false)
  assert.equal(projectPermitsDestination(empty, { server: 'https://a', namespace: 'b' }), false)
  assert.equal(projectPermitsNamespace(empty, 'argocd'), true)
  assert.equal(projectPermitsNamespace(empty, 'other'), false)
})

for (const [sourceRepos, repoURL, expected] of [
  [['*'], 'https://git/team/repo', true],
  [['https://git/team/*'], 'https://git/team/repo', true],
  [['https://git/team/*'], 'https://git/team/repo.git', true],
  [['https://git/Team/*'], 'https://GIT/team/repo', true],
  [['https://git/*'], 'https://git/team/repo', false],
  [['https://git/**'], 'https://git/team/repo', true],
  [['git@git:team/repo.git'], 'ssh://git@git/team/repo', true],
  [['*', '!https://git/team/secret'], 'https://git/team/secret.git', false],
  [['!https://git/team/secret', '*'], 'https://git/team/secret', false],
  [['*', '!https://git/team/secret'], 'https://git/team/repo', true],
  [['!https://git/team/secret'], 'https://git/team/repo', true],
  [['!*'], 'https://git/team/repo', false],
  [['https://git/a'], 'https://git/b', false],
  [['https://git/[a-z]*'], 'https://git/team', true],
  [['https://git/{team,shop'], 'https://git/shop', true],
  [['https://git/[!a-s]*'], 'https://git/shop', false],
] as const) {
  test(`sourceRepos ${sourceRepos.join(' ')} ${expected ? 'permit' : 'refuse'} ${repoURL}`, () => {
    assert.equal(projectPermitsSource(project({ sourceRepos }), repoURL), expected)
  })
}

const everywhere = { server: '*', namespace: '*' }
for (const [title, destinations, destination, expected] of [
  ['any', [everywhere], { server: 'https://a', namespace: 'x' }, true],
  ['any by name', [{ name: '*', namespace: '*' }], { name: 'a', namespace: 'x' }, true],
  ['any address by a name', [everywhere], { name: 'a', namespace: 'x' }, true],
  ['any name by an address', [{ name: '*', namespace: '*' }], { server: 'https://a', namespace: 'x' }, true],
  [
    'no denied address by any name',
    [{ server: '!https://a', name: '*', namespace: '*' }],
    { server: 'https://a', namespace: 'x' },
    false,
  ],
  ['none without a cluster', [everywhere], { namespace: 'x' }, false],
  [
    'a namespace pattern',
    [{ server: '*', namespace: 'team-*' }],
    { server: 'https://a', namespace: 'team-a' },
    true,
  ],
  [
    'no other namespace',
    [{ server: '*', namespace: 'team-*' }],
    { server: 'https://a', namespace: 'x' },
    false,
  ],
  [
    'no name by a server rule',
    [{ server: 'https://a', namespace: '*' }],
    { name: 'a', namespace: 'x' },
    false,
  ],
  [
    'no denied namespace',
    [{ server: '*', namespace: '!kube-system' }, everywhere],
    { server: 'https://a', namespace: 'kube-system' },
    false,
  ],
  [
    'others than the denied namespace',
    [{ server: '*', namespace: '!kube-system' }],
    { server: 'https://a', namespace: 'x' },
    true,
  ],
  [
    'no denied server',
    [everywhere, { server: '!https://team1-*', namespace: '*' }],
    { server: 'https://team1-a', namespace: 'x' },
    false,
  ],
] as const) {
  test(`destinations: ${title}`, () => {
    assert.equal(projectPermitsDestination(project({ destinations }), destination), expected)
  })
}

test('source namespaces are patterns, and one denial is enough', () => {
  const team = project({ sourceNamespaces: ['team-*', '!team-secret'] })
  assert.deepEqual(
    ['team-a', 'team-secret', 'x', 'argocd'].map((namespace) => projectPermitsNamespace(team, namespace)),
    [true, false, false, true],
  )
  assert.equal(projectPermitsNamespace(project({ sourceNamespaces: ['!x'] }), 'y'), false)
})

test('a class of more than one range is an error, as it matches nothing in Argo CD', () => {
  for (const pattern of [
    'https://git/[a-zA-Z]*',
    'https://git/[a-]',
    'https://git/[!]',
    '!https://git/[z-a]',
  ]) {
    assert.throws(
      () => project({ sourceRepos: ['*', pattern] }),
      /spec\.sourceRepos\[1\]: glob ".*" has /,
      pattern,
    )
  }
})

test('errors are reported at once with their field paths', () => {
  assert.throws(
    () =>
      project({ sourceRepos: ['[a', 7], destinations: ['x', { server: '[b' }], sourceNamespaces: ['/a.*/'] }),
    {
      name: 'InvalidInputError',
      message:
        'AppProject team: spec.sourceRepos[1] must be a string, not a number; spec.sourceRepos[0]: glob "[a" has a class that is not closed, or is neither a list nor a single range such as [a-z]; ' +
        'spec.destinations[0] must be an object, not a string; spec.destinations[1].server: glob "[b" has a class that is not closed, or is neither a list nor a single range such as [a-z]; ' +
        'spec.sourceNamespaces[0]: regular expressions are not supported; use a glob pattern',
    },
  )
})

test('a project may permit only its own clusters, with true or false', () => {
  assert.equal(defaultProject.permitOnlyProjectScopedClusters, false)
  assert.equal(project({}).permitOnlyProjectScopedClusters, false)
  const own = project({ permitOnlyProjectScopedClusters: true })
  assert.equal(own.permitOnlyProjectScopedClusters, true)
  assert.throws(() => project({ permitOnlyProjectScopedClusters: 'true' }), {
    name: 'InvalidInputError',
    message: /spec\.permitOnlyProjectScopedClusters must be a boolean, not a string$/,
  })
})

test('nothing is permitted whose name is longer than one can be', () => {
  const long = `https://${'a'.repeat(2048)}`
  assert.equal(projectPermitsSource(defaultProject, long), false)
  assert.equal(projectPermitsDestination(defaultProject, { server: long }), false)
  assert.equal(projectPermitsDestination(defaultProject, { server: 'https://a', namespace: long }), false)
})

test('a glob of more than 1024 characters is an error wherever a project has globs', () => {
  const [longest, tooLong] = ['*a'.repeat(512), '*a'.repeat(512) + '*']
  const withGlob = (glob: string) => ({
    sourceRepos: [`!${glob}`],
    destinations: [{ server: glob, name: glob, namespace: glob }],
    sourceNamespaces: [glob],
    sourceIntegrity: {
      git: { policies: [{ repos: [{ url: glob }], gpg: { mode: 'none', keys: [] } }] },
    },
  })
  assert.equal(projectPermitsSource(project(withGlob(longest)), 'https://git.example.com/team/apps'), true)
  const fields = [
    'sourceRepos[0]',
    'destinations[0].server',
    'destinations[0].name',
    'destinations[0].namespace',
    'sourceNamespaces[0]',
    'sourceIntegrity.git.policies[0].repos[0].url',
  ]
  assert.throws(() => project(withGlob(tooLong)), {
    name: 'InvalidInputError',
    message: `AppProject team: ${fields.map((field) => `spec.${field}: a glob pattern may have 1024 characters`).join('; ')}`,
  })
})
