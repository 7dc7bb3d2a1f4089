import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  type CommitManifestsRequest,
  CommitManifestsRequestSchema,
  CommitServerService,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { openRepositories } from '@wadi/repositories/repository-fixture.ts'
import { handlerContext } from '@wadi/testing/handler-context.ts'
import { until } from '@wadi/testing/until.ts'
import { drySha, HydratedRepositoryFixture } from '../commit/hydrated-repository-fixture.ts'
import { contextOf } from './context-fixture.ts'
import { commitManifests } from './commit-manifests.ts'

test('the mirror that has the content of a commit stays until it is pushed, however little room there may be', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const removed: string[] = []
  const pool = { maxBytes: 1, onRemoved: ({ url }: { url: string }): void => void removed.push(url) }
  await using opened = await openRepositories('write', undefined, pool)
  const { mirrors, scratch } = opened
  const context = contextOf(opened, { maxCommitBytes: 10_000_000 })
  const manifest = JSON.stringify({ kind: 'ConfigMap', value: 'x'.repeat(2_000_000) })
  const packs = async (): Promise<string[]> =>
    (await readdir(scratch, { recursive: true })).filter((file) => file.endsWith('.pack'))
  async function* requests(): AsyncGenerator<CommitManifestsRequest> {
    const details = [{ path: 'a', manifests: [manifest], readme: 'R', metadata: '{}' }]
    const header = { repoUrl: fixture.url, targetBranch: 'env/dev', drySha: drySha(1), commitMessage: 'One' }
    yield create(CommitManifestsRequestSchema, {
      message: { case: 'commit', value: { ...header, details, metadata: '{}', base: {} } },
    })
    // What a directory has is known when the next one comes.
    yield create(CommitManifestsRequestSchema, {
      message: { case: 'details', value: { path: 'b', manifests: ['{}'], readme: 'R', metadata: '{}' } },
    })
    await until(async () => (await packs()).length > 0)
    await mirrors.disk.keepLimit()
    assert.deepEqual(removed, [])
  }
  const call = handlerContext(CommitServerService.method.commitManifests)
  const { hydratedSha } = await commitManifests(context)(requests(), call)
  assert.equal(await fixture.git('rev-parse', 'env/dev'), `${hydratedSha}\n`)
  assert.ok((await fixture.git('show', 'env/dev:a/manifest.yaml')).length > 2_000_000)
  await mirrors.disk.keepLimit()
  assert.equal(removed.length, 1)
  assert.deepEqual(await readdir(join(scratch, 'mirrors')), [])
})
