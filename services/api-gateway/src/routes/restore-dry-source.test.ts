import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { RestoreDrySourceRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import { callContext, openGatewayFixture, repoURL, sampleApplication } from '../gateway-fixture.ts'
import { restoreDrySource } from './restore-dry-source.ts'

const then = 'a'.repeat(40)
const head = 'd'.repeat(40)
const former = 'c'.repeat(40)
const written = 'e'.repeat(40)
const file = { path: 'apps/web/values.yaml', before: 'replicas: 2\n', after: 'replicas: 1\n' }
const secret = { path: 'apps/web/secret.yaml', before: '', after: 'kind: Secret\ndata: {a: aHVudGVyMg==}\n' }

type Files = readonly (typeof file)[]

/** A gateway with `web`, whose files to write are those of each commit. */
async function openWith({
  files = {},
  ref = 'refs/heads/main',
}: { files?: Record<string, Files>; ref?: string } = {}) {
  const fixture = await openGatewayFixture({
    repoServer: {
      resolveRevisions: () => ({ revisions: [{ sha: head, ref }] }),
      readRestoredFiles: ({ sha }) => ({ files: [...(files[sha] ?? [file])] }),
    },
    commitServer: { commitFiles: () => ({ sha: written, pullRequestUrl: 'https://git.example.com/new' }) },
    hydrator: { refreshRepository: () => ({ branches: 1 }) },
  })
  await fixture.context.store.create(sampleApplication('web'))
  const restore = (
    request: MessageInitShape<typeof RestoreDrySourceRequestSchema> = {},
    call = callContext(),
  ) =>
    restoreDrySource(fixture.context)(
      create(RestoreDrySourceRequestSchema, { name: 'web', drySha: then, ...request }),
      call,
    )
  return Object.assign(fixture, { restore })
}

test('the files of the source are committed to the dry branch as they were, and hydration starts', async () => {
  await using fixture = await openWith()
  const answer = await fixture.restore()
  assert.partialDeepStrictEqual(answer, { branch: 'main', drySha: written, editedSha: head })
  assert.partialDeepStrictEqual(answer.files, [{ ...file, hidden: false }])
  const [, asked, committed] = fixture.requests
  assert.partialDeepStrictEqual(asked, { sha: head, restoredSha: then, directory: 'apps/web' })
  assert.partialDeepStrictEqual(committed, {
    repoUrl: repoURL,
    branch: 'main',
    newBranch: '',
    baseSha: head,
    message: 'Go back to aaaaaaa in apps/web',
    authorName: 'admin',
  })
  assert.partialDeepStrictEqual(committed?.['files'], [{ path: file.path, content: file.after }])
  assert.equal(fixture.calls.at(-1), 'HydratorService/RefreshRepository')
})

test('a dry run, and a source that is as it was, write nothing; a new branch is hydrated by nobody', async () => {
  await using fixture = await openWith({ files: { [head]: [file] } })
  assert.equal((await fixture.restore({ dryRun: true })).drySha, '')
  assert.ok(!fixture.calls.includes('CommitServerService/CommitFiles'))
  const { pullRequestUrl } = await fixture.restore({ newBranch: 'back' })
  assert.equal(pullRequestUrl, 'https://git.example.com/new')
  assert.ok(!fixture.calls.includes('HydratorService/RefreshRepository'))
  await using same = await openWith({ files: { [head]: [] } })
  assert.partialDeepStrictEqual(await same.restore(), { files: [], drySha: head })
  assert.ok(!same.calls.includes('CommitServerService/CommitFiles'))
})

test('what is written is what was reviewed', async () => {
  const other = { ...file, before: 'replicas: 3\n' }
  await using fixture = await openWith({ files: { [former]: [other], [head]: [file] } })
  await assert.rejects(fixture.restore({ reviewedSha: former }), {
    name: 'ConflictError',
    message: /has moved from ccccccc to ddddddd .*: nothing is written/,
  })
  await using same = await openWith()
  assert.equal((await same.restore({ reviewedSha: former })).drySha, written)
})

test('files with Secrets are shown to those alone who may read Secrets', async () => {
  await using fixture = await openWith({ files: { [head]: [file, secret] } })
  await storePolicy(fixture.context, 'p, ada, applications, *, default/*, allow')
  const { files } = await fixture.restore({ dryRun: true }, callBy('ada'))
  assert.deepEqual(files[1], { path: secret.path, before: '', after: '', hidden: true })
  await storePolicy(
    fixture.context,
    'p, ada, applications, *, default/*, allow',
    'p, ada, secrets, get, default/*, allow',
  )
  const shown = await fixture.restore({ dryRun: true }, callBy('ada'))
  assert.equal(shown.files[1]?.after, secret.after)
})

test('who may not update, a revision that is no branch, several sources and a short commit are refused', async () => {
  await using fixture = await openWith()
  await storePolicy(fixture.context, 'p, ada, applications, get, default/*, allow')
  await assert.rejects(fixture.restore({}, callBy('ada')), { name: 'PermissionDeniedError' })
  await assert.rejects(fixture.restore({ drySha: 'abc' }), {
    message: /drySHA "abc" is not a full commit id/,
  })
  await using tagged = await openWith({ ref: 'refs/tags/v1' })
  await assert.rejects(tagged.restore(), { message: /follows "main", which is not a branch/ })
  const drySources = ['a', 'b'].map((path) => ({ repoURL, targetRevision: 'main', path }))
  const several = sampleApplication('several', { sourceHydrator: { drySource: undefined, drySources } })
  await fixture.context.store.create(JSON.parse(JSON.stringify(several)) as typeof several)
  await assert.rejects(fixture.restore({ name: 'several' }), { message: /has several dry sources/ })
})
