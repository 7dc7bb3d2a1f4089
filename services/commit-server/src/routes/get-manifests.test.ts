import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import {
  CommitServerService,
  GetDirectoriesRequestSchema,
  GetManifestsRequestSchema,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { handlerContext } from '@wadi/testing/handler-context.ts'
import { openRepositories } from '@wadi/repositories/repository-fixture.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { contextOf } from './context-fixture.ts'
import { getDirectories } from './get-directories.ts'
import { getManifests } from './get-manifests.ts'

const drySha = 'd'.repeat(40)

const metadata = {
  known: JSON.stringify({ drySha, files: ['a.conf'] }),
  split: JSON.stringify({ drySha, manifests: ['a.yaml', 'manifest.yaml'] }),
  'other-text': '{}',
  'other-type': '{"drySha":7}',
  'no-commit': '{"drySha":"main"}',
  'no-json': '{',
}

/** A commit-server and a hydrated branch with a directory for each metadata, and one without. */
async function start() {
  await using owned = new AsyncDisposableStack()
  const scratch = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-get-manifests-'))).path
  const git = owned.use(await startGitHttpServer())
  const { url, directory } = await git.createRepository('hydrated.git')
  const files = Object.entries(metadata).flatMap(([name, text]) => [
    [`${name}/manifest.yaml`, 'kind: A\n'],
    [`${name}/hydrator.metadata`, text],
  ])
  const working = await createRepository(join(scratch, 'working'))
  const head = await working.commitFiles(
    {
      ...Object.fromEntries(files),
      'known/files/a.conf': 'a\n',
      'split/a.yaml': 'kind: B\nx: 1\n',
      'none/manifest.yaml': 'kind: A\n',
    },
    'Hydrate\n',
  )
  await working.git.raw(['push', '--quiet', directory, 'HEAD:refs/heads/main'])
  const served = contextOf(owned.use(await openRepositories('write')), { maxCommitBytes: 1 })
  const context = handlerContext(CommitServerService.method.getManifests)
  const stack = owned.move()
  return { served, context, url, head, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('the dry commit of manifests is that of hydrator.metadata, and unknown where that names none', async () => {
  await using bed = await start()
  const { served, context, url: repoUrl, head } = bed
  const get = (path: string) =>
    getManifests(served)(create(GetManifestsRequestSchema, { repoUrl, revision: 'main', path }), context)
  assert.deepEqual(await get('known'), {
    hydratedSha: head,
    drySha,
    manifest: 'kind: A\n',
    metadata: metadata.known,
    objectFiles: [{ path: 'manifest.yaml', lines: 2 }],
    files: [{ path: 'a.conf', content: 'a\n' }],
  })
  assert.deepEqual(await get('split'), {
    hydratedSha: head,
    drySha,
    manifest: 'kind: B\nx: 1\n---\nkind: A\n',
    metadata: metadata.split,
    objectFiles: [
      { path: 'a.yaml', lines: 3 },
      { path: 'manifest.yaml', lines: 2 },
    ],
    files: [],
  })
  for (const path of ['other-text', 'other-type', 'no-commit', 'no-json', 'none']) {
    assert.equal((await get(path)).drySha, '', path)
  }
})

test('several directories are read with one call, without those where nothing is hydrated', async () => {
  await using bed = await start()
  const { served, context, url: repoUrl, head } = bed
  const get = async (revision: string, paths: string[]) =>
    Array.fromAsync(
      getDirectories(served)(create(GetDirectoriesRequestSchema, { repoUrl, revision, paths }), context),
    )
  const paths = ['no-json', 'absent', 'known', 'none', 'known']
  const manifest = 'kind: A\n'
  for (const revision of ['main', head]) {
    assert.deepEqual(await get(revision, paths), [
      { path: 'no-json', manifest, files: [] },
      { path: 'known', manifest, files: [{ path: 'a.conf', content: 'a\n' }] },
      { path: 'none', manifest, files: [] },
    ])
  }
  await assert.rejects(get('main', ['known', '../known']), InvalidInputError)
  await assert.rejects(get('absent', ['known']), NotFoundError)
  await assert.rejects(
    get(
      'main',
      Array.from({ length: 1_001 }, () => 'known'),
    ),
    /1001 directories are asked for; at most 1000/,
  )
})
