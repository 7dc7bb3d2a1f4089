import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { SearchRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/search_service_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { callContext, type GatewayFixture, openGatewayFixture, repoURL } from '../gateway-fixture.ts'
import { hydratedApplication, recordWith, storeAll } from '../summaries/summaries-fixture.ts'
import { search } from './search.ts'

function find({ context }: GatewayFixture, text: string, limit = 0, call = callContext()) {
  return search(context)(create(SearchRequestSchema, { text, limit }), call)
}

/** A gateway with four Applications of two projects on three branches, one of a set. */
async function openWithFour(): Promise<GatewayFixture> {
  const fixture = await openGatewayFixture()
  const { context } = fixture
  const owner = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name: 'web-set', uid: 'u' }
  const web = hydratedApplication('web', 'shop', 'environments/web')
  const job = hydratedApplication('webjob', 'core', 'environments/jobs')
  await storeAll(context, [
    recordWith(web),
    web,
    { ...job, metadata: { ...job.metadata, ownerReferences: [owner] } },
    hydratedApplication('myweb', 'web-team', 'web'),
    hydratedApplication('api', 'core', 'environments/jobs'),
  ])
  return fixture
}

test('each kind of thing is found by its name, the nearest first', async () => {
  await using fixture = await openWithFour()
  const found = await find(fixture, ' WEB ')
  assert.deepEqual(
    found.applications.map(({ name }) => name),
    ['web', 'webjob', 'myweb'],
  )
  assert.deepEqual(found.branches, [
    { repoUrl: repoURL, branch: 'web' },
    { repoUrl: repoURL, branch: 'environments/web' },
  ])
  assert.deepEqual(found.applicationSets, [{ namespace: 'argocd', name: 'web-set' }])
  assert.deepEqual([found.projects, found.repositories], [['web-team'], []])
  assert.deepEqual((await find(fixture, 'deploy')).repositories, [repoURL])
  assert.deepEqual(
    (await find(fixture, 'apps/my')).applications.map(({ name }) => name),
    ['myweb'],
  )
})

test('commits are found by the beginning of their ids, of four digits at least', async () => {
  await using fixture = await openWithFour()
  const application = { namespace: 'argocd', name: 'web' }
  const { commits } = await find(fixture, 'DDDDDDD')
  assert.deepEqual(commits, [
    { sha: 'd'.repeat(40), repoUrl: repoURL, isDry: true, application, applications: 1 },
  ])
  assert.deepEqual((await find(fixture, 'bbbb')).commits, [
    { sha: 'b'.repeat(40), repoUrl: repoURL, isDry: false, application, applications: 1 },
  ])
  assert.deepEqual((await find(fixture, 'ddd')).commits, [])
  const chart = hydratedApplication('chart', 'core', 'environments/chart')
  await storeAll(fixture.context, [recordWith(chart, { drySha: 'c'.repeat(64) }), chart])
  assert.deepEqual((await find(fixture, 'cccc')).commits, [], 'an archive is no commit')
})

test('nothing is found of Applications that the caller may not see', async () => {
  await using fixture = await openWithFour()
  await storePolicy(fixture.context, 'p, ada, applications, get, core/*, allow')
  const { applications, branches, applicationSets, projects } = await find(fixture, 'web', 0, callBy('ada'))
  assert.deepEqual(
    [applications.map(({ name }) => name), branches, applicationSets, projects],
    [['webjob'], [], [{ namespace: 'argocd', name: 'web-set' }], []],
  )
  const { commits } = await find(fixture, 'dddd', 0, callBy('ada'))
  assert.deepEqual(commits, [])
  const nothing = await find(fixture, 'deploy', 0, callBy('bob'))
  assert.deepEqual(nothing.repositories, [])
})

test('a request out of range is refused, and a limit is kept', async () => {
  await using fixture = await openWithFour()
  await assert.rejects(find(fixture, '  '), { message: 'text is required' })
  await assert.rejects(find(fixture, 'x'.repeat(257)), { message: /more than 256/ })
  await assert.rejects(find(fixture, 'web', 51), { message: /limit must be 1 to 50/ })
  assert.equal((await find(fixture, 'web', 1)).applications.length, 1)
})

test('objects are found in the directories that the caller may see, and a hydrator that is away keeps nothing else back', async () => {
  const searched: unknown[] = []
  let isAway = false
  await using fixture = await openGatewayFixture({
    hydrator: {
      findObjects: ({ branches, text, limit }) => {
        if (isAway) throw new Error('away')
        searched.push({ text, limit, branches: branches.map(({ head, paths }) => ({ head, paths })) })
        const identity = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' }
        const branchKey = branches[0]?.branchKey ?? ''
        return {
          objects: [
            { branchKey, path: 'web', identity },
            { branchKey, path: 'gone', identity },
          ],
          notSearched: 2,
        }
      },
    },
  })
  const web = hydratedApplication('web', 'shop', 'environments/web')
  const other = hydratedApplication('other', 'bank', 'environments/web')
  await storeAll(fixture.context, [recordWith(web), web, other])
  const { objects, objectsNotSearched } = await find(fixture, 'deployment WEB')
  assert.deepEqual(objects, [
    {
      identity: { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' },
      application: { namespace: 'argocd', name: 'web' },
      branch: 'environments/web',
    },
  ])
  assert.equal(objectsNotSearched, 2)
  await storePolicy(fixture.context, 'p, ada, applications, get, shop/*, allow')
  await find(fixture, 'web', 3, callBy('ada'))
  assert.deepEqual(searched, [
    { text: 'deployment web', limit: 6, branches: [{ head: 'b'.repeat(40), paths: [] }] },
    { text: 'web', limit: 3, branches: [{ head: 'b'.repeat(40), paths: ['web'] }] },
  ])
  isAway = true
  const without = await find(fixture, 'web')
  assert.deepEqual([without.objects, without.objectsNotSearched, without.applications.length], [[], 1, 1])
})
