import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { SearchResponseSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/search_service_pb.ts'
import { foundPages, hitsOf } from './hits.ts'

test('pages are found by a part of their names, all without a text', () => {
  assert.deepEqual(
    foundPages('POLI').map(({ title }) => title),
    ['Settings: Policy'],
  )
  assert.ok(foundPages('').length > 10)
})

test('each thing leads to the page that shows it, and no two have one key', () => {
  const application = { namespace: 'argocd', name: 'web' }
  const repoUrl = 'https://git.example.com/deploy.git'
  const sha = 'd'.repeat(40)
  const groups = hitsOf(
    create(SearchResponseSchema, {
      applications: [{ ...application, repoUrl, path: 'apps/web' }],
      branches: [{ repoUrl, branch: 'prod' }],
      repositories: [repoUrl],
      applicationSets: [application],
      projects: ['web'],
      tools: ['helm v4.1.4'],
      objects: [
        {
          identity: { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' },
          application,
          branch: 'prod',
        },
      ],
      commits: [
        { sha, repoUrl, isDry: true, application, applications: 2 },
        { sha: 'b'.repeat(40), repoUrl, isDry: false, application, applications: 1 },
      ],
    }),
  )
  const hits = groups.flatMap((group) => group.hits)
  assert.equal(new Set(hits.map(({ key }) => key)).size, hits.length)
  assert.deepEqual(
    hits.map(({ title, target }) => [title, target.to]),
    [
      ['web', '/applications/$namespace/$name'],
      ['Deployment web', '/applications/$namespace/$name'],
      ['dry commit ddddddd', '/commit'],
      ['hydrated commit bbbbbbb', '/applications/$namespace/$name'],
      ['prod', '/branch'],
      [repoUrl, '/applications'],
      ['web', '/application-sets/$namespace/$name'],
      ['web', '/applications'],
      ['helm v4.1.4', '/applications'],
    ],
  )
})
