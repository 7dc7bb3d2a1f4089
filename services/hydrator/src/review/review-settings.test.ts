import assert from 'node:assert/strict'
import { test } from 'node:test'
import { application, controlPlaneObject, repoURL, startRunFixture } from '../run/run-fixture.ts'
import { reviewedRepositories } from './reviewed-repositories.ts'

function project(name: string, reviews: string | undefined) {
  return controlPlaneObject('AppProject', name, {
    apiVersion: 'argoproj.io/v1alpha1',
    metadata: {
      name,
      namespace: 'argocd',
      annotations: reviews === undefined ? {} : { 'wadi.dev/reviews': reviews },
    },
    spec: { sourceRepos: ['*'] },
  })
}

function settings(data: Record<string, string>) {
  return controlPlaneObject('ConfigMap', 'argocd-cm', { data })
}

test('nothing is reviewed unless a project or the operator says so', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(application('web'))
  assert.deepEqual(await reviewedRepositories(fixture.context), { repositories: [], error: '' })
})

test('a project decides for its Applications, and the operator for those of projects that say nothing', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(
    settings({
      'sourceHydrator.reviews': 'https://git.example.com/other/*, https://git.example.com/team/*',
      url: 'https://wadi.example.com/',
    }),
    project('open', 'diffs'),
    project('closed', 'off'),
    project('silent', undefined),
    application('a', { project: 'open' }),
    application('b', { project: 'closed' }),
    application('c', { project: 'silent' }),
    application('d', { project: 'not-there' }),
    application('e', { project: 'silent', drySource: { repoURL: 'https://elsewhere.example.com/x.git' } }),
  )
  const { repositories } = await reviewedRepositories(fixture.context)
  assert.equal(repositories.length, 1)
  const [{ repoUrl, applications, left, project: common, consoleUrl } = assert.fail()] = repositories
  assert.deepEqual(
    [repoUrl, [...applications], left, common, consoleUrl],
    [
      repoURL,
      [
        ['argocd/a', 'diffs'],
        ['argocd/c', 'summary'],
      ],
      2,
      '',
      'https://wadi.example.com',
    ],
  )
})

test('another word for a project, and a pattern that cannot be read, shows nothing and is said', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(
    settings({ 'sourceHydrator.reviews': 'https://git.example.com/[', url: 'javascript:alert(1)' }),
    project('typo', 'everything'),
    application('a', { project: 'typo' }),
    application('b'),
  )
  const { repositories, error } = await reviewedRepositories(fixture.context)
  assert.deepEqual(repositories, [])
  assert.match(error, /^argocd-cm: sourceHydrator\.reviews: /)
})

test('what is said of a pull request depends on what projects show, and not on which Applications there are', async () => {
  await using fixture = await startRunFixture()
  const digest = async () => (await reviewedRepositories(fixture.context)).repositories[0]?.settings
  await fixture.add(settings({ 'sourceHydrator.reviews': '*' }), application('a'))
  const first = await digest()
  assert.match(first ?? '', /^[0-9a-f]{16}$/)
  await fixture.add(application('b'))
  assert.equal(await digest(), first)
  await fixture.add(project('default', 'diffs'))
  assert.notEqual(await digest(), first)
})

const spelled = (url: string) => ({ drySource: { repoURL: url } })
const scp = 'git@git.example.com:team/apps.git'
const ssh = 'ssh://git@git.example.com:7999/team/apps'
const withUser = 'https://robot@git.example.com/Team/apps.git/'

test('the spellings of a repository are one, and each Application is shown as its own spelling and project permit', async () => {
  await using fixture = await startRunFixture()
  await fixture.add(
    settings({ 'sourceHydrator.reviews': repoURL }),
    project('open', 'diffs'),
    project('closed', 'off'),
    application('a'),
    application('b', spelled(scp)),
    application('c', { ...spelled(scp), project: 'open' }),
    application('d', { ...spelled(withUser), project: 'open' }),
    application('e', { ...spelled(withUser), project: 'closed' }),
  )
  const { repositories } = await reviewedRepositories(fixture.context)
  const [repository, ...more] = repositories
  assert.deepEqual(more, [])
  assert.deepEqual(Object.fromEntries(repository?.applications ?? []), {
    'argocd/a': 'summary',
    'argocd/c': 'diffs',
    'argocd/d': 'diffs',
  })
  assert.equal(repository?.left, 2)
  assert.deepEqual(
    [repository?.repoUrl, repository?.project, repository?.others],
    [
      repoURL,
      'default',
      [
        { repoUrl: withUser, project: 'open' },
        { repoUrl: scp, project: 'open' },
      ],
    ],
  )
})

test('one host with two ports may be two forges, whose reviews stay apart', async () => {
  await using fixture = await startRunFixture()
  const count = async () => (await reviewedRepositories(fixture.context)).repositories.length
  await fixture.add(
    settings({ 'sourceHydrator.reviews': '*' }),
    application('a'),
    application('b', spelled(ssh)),
  )
  assert.equal(await count(), 1)
  await fixture.add(application('c', spelled('https://git.example.com:443/team/apps')))
  assert.equal(await count(), 1)
  await fixture.add(application('d', spelled('https://git.example.com:8443/team/apps.git')))
  assert.equal(await count(), 4)
})
