import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { parseApplicationSet } from '../application-set.ts'
import { tokenRef } from '../forges/scm-secret-fixture.ts'
import { GeneratorInputs } from '../inputs/run-inputs.ts'
import { runGenerator } from './run-generator.ts'
import { startRun } from './start-run.ts'
import { startThreeForges } from './three-forges-fixture.ts'

const forges = await startThreeForges()
after(() => forges[Symbol.asyncDispose]())
const { github, gitlab, gitea, fixture } = forges

const onGithub = { api: github.address, organization: 'acme', tokenRef }
const onGitlab = { api: gitlab.address, group: 'acme/apps', tokenRef }
const onGitea = { api: gitea.address, owner: 'acme', tokenRef }

async function valuesOf(scmProvider: Record<string, unknown>, spec: Record<string, unknown> = {}) {
  return (await fixture.parameters({ scmProvider }, spec)).map(({ values }) => values)
}

/** Returns the results, as `repository@branch`. */
async function found(scmProvider: Record<string, unknown>): Promise<string[]> {
  return (await valuesOf(scmProvider)).map(
    ({ repository, branch }) => `${String(repository)}@${String(branch)}`,
  )
}

const shop = {
  organization: 'acme',
  repository: 'shop',
  repository_id: '12345678',
  url: 'git@github.example:acme/shop.git',
  branch: 'main',
  branchNormalized: 'main',
  sha: 'a'.repeat(40),
  short_sha: 'a'.repeat(8),
  short_sha_7: 'a'.repeat(7),
  labels: 'deploy,team-a',
}

test('the default branches of an organisation of GitHub become parameters, an empty repository none', async () => {
  const [first, second, ...others] = await fixture.parameters({ scmProvider: { github: onGithub } })
  assert.deepEqual(first, {
    origin: 'spec.generators[0].scmProvider: repository acme/shop, branch main',
    values: shop,
  })
  assert.deepEqual([second?.values['repository'], second?.values['branch'], others], ['attic', 'master', []])
})

test('GitLab leaves archived projects out and names the whole group', async () => {
  assert.deepEqual(await valuesOf({ gitlab: onGitlab }), [
    { ...shop, organization: 'acme/apps', url: 'git@gitlab.example:acme/apps/shop.git' },
  ])
  assert.deepEqual(await found({ gitlab: { ...onGitlab, includeArchivedRepos: true } }), [
    'shop@main',
    'attic@master',
  ])
  assert.deepEqual(await found({ gitlab: { ...onGitlab, topic: 'no-such' } }), [])
  assert.ok(
    gitlab.log.some((line) => line.includes('include_subgroups=false&with_shared=true&topic=no-such')),
  )
})

test('Gitea has the labels of issues as labels, and its addresses are read on the server that was asked', async () => {
  assert.deepEqual(await valuesOf({ gitea: { ...onGitea, excludeArchivedRepos: true } }), [
    { ...shop, url: 'git@gitea.example:acme/shop.git' },
  ])
  assert.deepEqual(
    (await valuesOf({ gitea: onGitea, cloneProtocol: 'https' })).map(({ url }) => url),
    ['https://gitea.example/acme/shop', 'https://gitea.example/acme/attic'],
  )
})

test('allBranches gives every branch, and archived repositories of GitHub can be left out', async () => {
  const all = { allBranches: true, excludeArchivedRepos: true }
  const branches = await valuesOf({ github: { ...onGithub, ...all }, cloneProtocol: 'https' })
  assert.deepEqual(
    branches.map(({ url, branch, branchNormalized }) => [url, branch, branchNormalized]),
    [
      ['https://github.example/acme/shop.git', 'main', 'main'],
      ['https://github.example/acme/shop.git', 'release/1.0', 'release-1.0'],
    ],
  )
  assert.deepEqual(await found({ gitlab: { ...onGitlab, allBranches: true } }), [
    'shop@main',
    'shop@release/1.0',
  ])
  assert.deepEqual(await found({ gitea: { ...onGitea, ...all } }), ['shop@main', 'shop@release/1.0'])
})

test('everything in a filter must hold, and one filter is enough', async () => {
  const everyBranch = { ...onGithub, allBranches: true }
  const by = async (...filters: Record<string, unknown>[]) => found({ github: everyBranch, filters })
  assert.deepEqual(await by({ repositoryMatch: '^sh' }), ['shop@main', 'shop@release/1.0'])
  assert.deepEqual(await by({ repositoryMatch: '^sh' }, { repositoryMatch: 'tic$' }), [
    'shop@main',
    'shop@release/1.0',
    'attic@master',
  ])
  assert.deepEqual(await by({ labelMatch: '^deploy$', branchMatch: 'ma' }), ['shop@main', 'attic@master'])
  assert.deepEqual(await by({ labelMatch: 'team', branchMatch: '^rel' }, { repositoryMatch: 'tic' }), [])
  assert.deepEqual(
    await by({ repositoryMatch: 'shop', branchMatch: '^m' }, { repositoryMatch: 'attic', branchMatch: '.' }),
    ['shop@main', 'attic@master'],
  )
})

test('paths are looked for in each forge, files and directories', async () => {
  const file = [{ branchMatch: '^m', pathsExist: ['deploy/kustomization.yaml'] }]
  const directory = [{ pathsExist: ['deploy/'], pathsDoNotExist: ['README.md'] }]
  assert.deepEqual(await found({ github: onGithub, filters: file }), ['shop@main'])
  assert.deepEqual(await found({ github: onGithub, filters: directory }), ['attic@master'])
  assert.deepEqual(await found({ gitea: onGitea, filters: file }), ['shop@main'])
  assert.deepEqual(await found({ gitea: onGitea, filters: directory }), ['attic@master'])
  const archived = { ...onGitlab, includeArchivedRepos: true }
  assert.deepEqual(await found({ gitlab: archived, filters: file }), ['shop@main'])
  assert.deepEqual(await found({ gitlab: archived, filters: directory }), ['attic@master'])
})

test('a repository that no filter can take is not asked about', async () => {
  github.log.length = 0
  gitea.log.length = 0
  const filters = [
    { repositoryMatch: 'shop', branchMatch: '.' },
    { repositoryMatch: 'shop', pathsExist: ['x'] },
  ]
  assert.deepEqual(await found({ github: onGithub, filters }), ['shop@main'])
  assert.deepEqual(await found({ gitea: onGitea, filters: [{ repositoryMatch: 'fresh' }] }), [])
  const asked = [...github.log, ...gitea.log].join('\n')
  assert.match(asked, /repos\/acme\/shop\/branches\/main/)
  assert.doesNotMatch(asked, /attic|repos\/acme\/shop\/labels/)
})

test('values are rendered with what was found, in Go templates as well', async () => {
  const values = { at: '{{ .repository }}:{{ .repository_id }}:{{ .short_sha_7 }}' }
  const [set] = await valuesOf({ github: onGithub, values }, { goTemplate: true })
  assert.deepEqual(set, { ...shop, values: { at: 'shop:12345678:aaaaaaa' } })
})

test('Applications stay as they are when the forge says the same, at the cost of questions without an answer', async () => {
  const template = {
    metadata: { name: '{{repository}}' },
    spec: { source: { repoURL: '{{url}}', path: '.' }, destination: { name: 'x' }, project: 'p' },
  }
  const spec = { generators: [{ scmProvider: { github: onGithub } }], template }
  const first = await fixture.generate(spec)
  github.log.length = 0
  assert.deepEqual(await fixture.generate(spec), first)
  assert.deepEqual(
    new Set(github.log.filter((line) => !line.includes('/fresh/')).map((line) => line.slice(-3))),
    new Set(['304']),
  )
  assert.equal(first.length, 2)
})

test('every repository must be one that the project may name', async () => {
  const scmProvider = { github: onGithub }
  const spec = { generators: [{ scmProvider }], template: { spec: { project: 'team' } } }
  const set = parseApplicationSet({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd' },
    spec,
  })
  const { signal } = new AbortController()
  const asked: string[] = []
  const guard = {
    clusters: () => undefined,
    repository: async (url: string, project: string) => {
      asked.push(`${project} ${url}`)
      if (url.includes('attic')) throw new PermissionDeniedError('permission denied: attic')
    },
  }
  const inputs = new GeneratorInputs(fixture.context, { refresh: false, guard, signal })
  const run = startRun(set, fixture.context, { inputs, account: 'someone', signal })
  const entry = { path: 'spec.generators[0]', fields: { scmProvider } }
  await assert.rejects(runGenerator(entry, run), PermissionDeniedError)
  assert.deepEqual(asked, ['team git@github.example:acme/shop.git', 'team git@github.example:acme/attic.git'])
})

test('what is wrong is reported by its field', async () => {
  const refused = async (scmProvider: Record<string, unknown>, message: RegExp) =>
    assert.rejects(valuesOf(scmProvider), message)
  await refused({}, /no SCM provider implementation configured/)
  await refused(
    { bitbucket: {} },
    /^InvalidInputError: .*scmProvider: the provider "bitbucket" is not supported/,
  )
  await refused({ github: onGithub, gitea: onGitea }, /found more than one provider: github, gitea/)
  await refused(
    { github: { ...onGithub, appSecretName: 'app' } },
    /appSecretName: GitHub Apps are not supported; put/,
  )
  await refused({ github: { ...onGithub, group: 'x' } }, /unknown field \S+scmProvider\.github\.group;/)
  await refused(
    { github: { ...onGithub, tokenRef: { name: 'x' } } },
    /unknown field \S+github\.tokenRef\.name;/,
  )
  await refused({ github: onGithub, cloneProtocol: 'file' }, /unknown clone protocol "file"/)
  await refused({ github: onGithub, filters: [{ repositoryMatch: '(' }] }, /filters\[0\]\.repositoryMatch: /)
  await refused(
    { github: onGithub, filters: [{ pathsExist: ['a/../b'] }] },
    /pathsExist\[0\]: "a\/\.\.\/b" is not a path/,
  )
  await refused(
    { gitlab: { ...onGitlab, group: '..' } },
    /"\.\." is not a name that a forge can be asked for/,
  )
})

test('an organisation that does not exist is reported with what was asked', async () => {
  await assert.rejects(
    valuesOf({ github: { ...onGithub, organization: 'nobody' } }),
    /^FailedPreconditionError: spec\.generators\[0\]\.scmProvider: github: GET http:\/\/127\.0\.0\.1:\d+\/api\/v3\/orgs\/nobody\/repos: 404 Not Found; it does not exist, or the token may not see it$/,
  )
})
