import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type ApplicationName,
  CompareRevisionsRequestSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { callBy, storePolicy, storeProject } from '../authorization/policy-fixture.ts'
import { openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { storeAll } from '../summaries/summaries-fixture.ts'
import { compareRevisions } from './compare-revisions.ts'

const repoUrl = 'https://git.example.com/deploy.git'
const never = new AbortController().signal

/** A gateway with `web` of dev and `api` of prod, of which ada may see the first, and what it asks a hydrator. */
async function openWithHydrator() {
  const asked: ApplicationName[][] = []
  const fixture = await openGatewayFixture({
    hydrator: {
      async *compareRevisions({ applications }) {
        asked.push(applications)
        yield { message: { case: 'progress', value: { phase: 'resolve' } } }
        yield { message: { case: 'summary', value: { applications: applications.length } } }
      },
    },
  })
  const { context } = fixture
  for (const project of ['dev', 'prod']) await storeProject(context, project)
  const applications = [
    sampleApplication('web', { project: 'dev' }),
    sampleApplication('api', { project: 'prod' }),
  ]
  await storeAll(context, applications)
  await storePolicy(context, 'p, ada, applications, get, dev/*, allow')
  const ask = async (name: string, request: MessageInitShape<typeof CompareRevisionsRequestSchema>) => {
    const message = create(CompareRevisionsRequestSchema, { repoUrl, revision: 'main', ...request })
    const parts = []
    for await (const part of compareRevisions(context, never)(message, callBy(name))) parts.push(part.message)
    return parts
  }
  return { asked, ask, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() }
}

test('only what the caller may see is compared, whatever the spelling of the repository, and the rest is counted', async () => {
  await using gateway = await openWithHydrator()
  const parts = await gateway.ask('ada', { repoUrl: 'https://git.example.com/Deploy' })
  assert.deepEqual(
    gateway.asked[0]?.map(({ namespace, name }) => `${namespace}/${name}`),
    ['argocd/web'],
  )
  const [, summary] = parts
  assert.ok(summary?.case === 'summary')
  assert.deepEqual([summary.value.applications, summary.value.hidden], [1, 1])
})

test('an Application that the caller may not see is reported like one that does not exist, and nothing is compared', async () => {
  await using gateway = await openWithHydrator()
  for (const name of ['api', 'nobody']) {
    await assert.rejects(gateway.ask('ada', { applications: [{ name }] }), {
      name: 'NotFoundError',
      message: `applications.argoproj.io "${name}" not found among those of the repository`,
    })
  }
  for (const [user, url] of [
    ['bob', repoUrl],
    ['ada', 'https://user:secret@git.example.com/other.git'],
  ] as const) {
    await assert.rejects(gateway.ask(user, { repoUrl: url }), (error: Error) => {
      assert.match(
        error.message,
        /^no application that you may see has the dry repository https:\/\/git\.example/,
      )
      return !error.message.includes('secret')
    })
  }
  await assert.rejects(gateway.ask('ada', { repoUrl: '' }), { name: 'InvalidInputError' })
  assert.deepEqual(gateway.asked, [])
})
