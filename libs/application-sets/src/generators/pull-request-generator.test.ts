import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { parseApplicationSet } from '../application-set.ts'
import { addForgeSecret, tokenRef } from '../forges/scm-secret-fixture.ts'
import { GeneratorInputs } from '../inputs/run-inputs.ts'
import { runGenerator } from './run-generator.ts'
import { startRun } from './start-run.ts'
import { startThreeForges } from './three-forges-fixture.ts'

const forges = await startThreeForges()
after(() => forges[Symbol.asyncDispose]())
const { github, gitlab, gitea, fixture } = forges

const onGithub = { api: github.address, owner: 'acme', repo: 'shop', tokenRef }
const onGitlab = { api: gitlab.address, project: 'acme/apps/shop', tokenRef }
const onGitea = { api: gitea.address, owner: 'acme', repo: 'shop', tokenRef }

async function valuesOf(pullRequest: Record<string, unknown>, spec: Record<string, unknown> = {}) {
  return (await fixture.parameters({ pullRequest }, spec)).map(({ values }) => values)
}

async function numbers(pullRequest: Record<string, unknown>): Promise<unknown[]> {
  return (await valuesOf(pullRequest)).map(({ number }) => number)
}

const basket = {
  number: '7',
  title: 'Add a basket',
  branch: 'feature/add_basket',
  branch_slug: 'feature-add-basket',
  target_branch: 'main',
  target_branch_slug: 'main',
  head_sha: '1234567890abcdef1234567890abcdef12345678',
  head_short_sha: '12345678',
  head_short_sha_7: '1234567',
  author: 'ada',
}

test('the open pull requests of each forge give the same parameters', async () => {
  const open = { ...onGitlab, pullRequestState: 'opened' }
  for (const provider of [{ github: onGithub }, { gitlab: open }, { gitea: onGitea }]) {
    const [first, second, ...others] = await valuesOf(provider)
    assert.deepEqual(first, basket)
    assert.deepEqual(
      [second?.['number'], second?.['author'], second?.['target_branch_slug']],
      ['9', '', 'release-1-0'],
    )
    assert.deepEqual(others, [])
  }
})

test('only Go templates see the labels', async () => {
  const [first] = await valuesOf(
    { gitea: onGitea, values: { first: '{{ index .labels 0 }}' } },
    { goTemplate: true },
  )
  assert.deepEqual(first, { ...basket, labels: ['preview', 'ui'], values: { first: 'preview' } })
})

test('labels select, all of them must be there; GitLab selects by state too', async () => {
  assert.deepEqual(await numbers({ github: { ...onGithub, labels: ['ui', 'preview'] } }), ['7'])
  assert.deepEqual(await numbers({ gitea: { ...onGitea, labels: ['ui'] } }), ['7', '9'])
  assert.deepEqual(await numbers({ gitlab: { ...onGitlab, labels: ['preview'] } }), ['7', '5'])
  const merged = { ...onGitlab, labels: ['preview'], pullRequestState: 'merged' }
  assert.deepEqual(await numbers({ gitlab: merged }), ['5'])
})

test('everything in a filter must match, and one filter is enough', async () => {
  const by = async (...filters: Record<string, unknown>[]) => numbers({ github: onGithub, filters })
  assert.deepEqual(await by({ branchMatch: '^feature/' }), ['7'])
  assert.deepEqual(await by({ branchMatch: '.', targetBranchMatch: '^release' }), ['9'])
  assert.deepEqual(await by({ titleMatch: '(?i)^ADD', targetBranchMatch: 'release' }), [])
  assert.deepEqual(await by({ titleMatch: '^Add' }, { titleMatch: '^Fix' }), ['7', '9'])
})

test('a repository that does not exist is an error unless that is allowed', async () => {
  const absent = { github: { ...onGithub, repo: 'gone' } }
  await assert.rejects(
    numbers(absent),
    /^FailedPreconditionError: spec\.generators\[0\]\.pullRequest: github: GET .*\/api\/v3\/repos\/acme\/gone: 404 Not Found/,
  )
  assert.deepEqual(await numbers({ ...absent, continueOnRepoNotFoundError: true }), [])
  const gone = { gitlab: { ...onGitlab, project: 'acme/apps/gone' }, continueOnRepoNotFoundError: true }
  assert.deepEqual(await numbers(gone), [])
})

test('other errors stay errors where a missing repository is allowed', async () => {
  await addForgeSecret(fixture.store, { name: 'wrong', token: 'wrong-token' })
  const asAnonymous = { ...onGithub, tokenRef: { secretName: 'wrong', key: 'token' } }
  await assert.rejects(
    numbers({ github: asAnonymous, continueOnRepoNotFoundError: true }),
    (error: Error) => {
      assert.match(error.message, /401 Unauthorized; the token is not accepted/)
      assert.doesNotMatch(error.message, /wrong-token/)
      return true
    },
  )
})

test('the repository must be one that may be named, by either of its addresses', async () => {
  const pullRequest = { github: onGithub }
  const set = parseApplicationSet({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd' },
    spec: { generators: [{ pullRequest }], template: {} },
  })
  const { signal } = new AbortController()
  const entry = { path: 'spec.generators[0]', fields: { pullRequest } }
  const generateWhere = async (isAllowed: (url: string) => boolean) => {
    const repository = async (url: string) => {
      if (!isAllowed(url)) throw new PermissionDeniedError(`permission denied: ${url}`)
    }
    const guard = { clusters: () => undefined, repository }
    const inputs = new GeneratorInputs(fixture.context, { refresh: false, guard, signal })
    const generated = await runGenerator(
      entry,
      startRun(set, fixture.context, { inputs, account: 'someone', signal }),
    )
    return { generated, named: (await inputs.versions()).namedRepositories }
  }
  const { generated, named } = await generateWhere((url) => url.startsWith('git@'))
  assert.equal(generated[0]?.parameters.length, 2)
  assert.deepEqual(named, [{ repoUrl: 'git@github.example:acme/shop.git', project: '' }])
  await assert.rejects(
    generateWhere(() => false),
    PermissionDeniedError,
  )
})

test('pull requests of each repository that another generator finds can be requested', async () => {
  const organization = { api: github.address, organization: 'acme', tokenRef }
  const matrix = {
    generators: [
      { scmProvider: { github: organization, filters: [{ repositoryMatch: 'shop' }] } },
      { pullRequest: { github: { ...onGithub, owner: '{{organization}}', repo: '{{repository}}' } } },
    ],
  }
  const generators = [{ matrix }]
  const template = { metadata: { name: '{{repository}}-{{number}}' }, spec: { destination: { name: 'x' } } }
  // The branch of the repository and that of the pull request have one name in flat parameters.
  await assert.rejects(
    fixture.generate({ generators, template }),
    /duplicate key branch with different value/,
  )
  const goMatrix = {
    generators: [
      matrix.generators[0],
      { pullRequest: { github: { ...onGithub, owner: '{{.organization}}', repo: '{{.repository}}' } } },
    ],
  }
  const sets = await fixture.parameters({ matrix: goMatrix }, { goTemplate: true })
  assert.deepEqual(
    sets.map(({ values }) => [values['repository'], values['number']]),
    [
      ['shop', '7'],
      ['shop', '9'],
    ],
  )
})

test('a generator that names no forge, or one that is not supported, is refused', async () => {
  await assert.rejects(numbers({}), /no Pull Request provider implementation configured; give one of github/)
  await assert.rejects(
    numbers({ bitbucketServer: {} }),
    /the provider "bitbucketServer" is not supported; supported are/,
  )
  await assert.rejects(numbers({ github: { owner: 'acme' } }), /github\.repo is required/)
  await assert.rejects(numbers({ gitea: { owner: 'a', repo: 'b' } }), /gitea\.api is required/)
  await assert.rejects(numbers({ github: onGithub, requeueAfterSeconds: 'x' }), /requeueAfterSeconds must be/)
})
