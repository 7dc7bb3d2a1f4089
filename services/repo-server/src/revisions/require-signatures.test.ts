import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveRepository } from '../routes/served-repository-fixture.ts'

const served = await serveRepository('hydrator')
after(() => served[Symbol.asyncDispose]())
const { client, repoUrl } = served
const sha = await served.commit({ 'a/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n' })
const commit = { repoUrl, sha }
const unsaid = { name: 'InvalidInputError', message: /^verification is required/ }

test('a request for the files of a commit that does not say whose signatures are needed is refused', async () => {
  const sources = [{ path: 'a' }]
  await assert.rejects(client.inspectSources({ ...commit, sources }), unsaid)
  await assert.rejects(async () => {
    for await (const part of client.renderSources({ ...commit, sources })) assert.fail(part.error)
  }, unsaid)
})

test('what can be reported without a key is reported without one: policies that contradict each other, and no signature', async () => {
  const inspect = async (policy: object) => {
    const verification = { revision: 'main', policies: [{ project: 'web', mode: 'head', ...policy }] }
    const { inspections } = await client.inspectSources({ ...commit, sources: [{ path: 'a' }], verification })
    return inspections[0]?.error
  }
  assert.equal(
    await inspect({ error: '2 policies match' }),
    'project web accepts signed commits only: 2 policies match',
  )
  assert.match((await inspect({})) ?? '', /is not signed; sign it with a key, after the project lists one/)
  await assert.rejects(inspect({ mode: 'all' }), { message: /^mode must be head or strict, not "all"/ })
})
