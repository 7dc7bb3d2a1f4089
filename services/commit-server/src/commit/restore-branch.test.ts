import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { RestoreBranchRequestSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { RepositoryWriter } from '../push/repository-writer.ts'
import { directory, drySha, HydratedRepositoryFixture } from './hydrated-repository-fixture.ts'
import { restoreBranch } from './restore-branch.ts'

test('files are put back below a newer commit of Wadi, which keeps its files and its dry commit', async () => {
  await using fixture = await HydratedRepositoryFixture.start()
  const { mirror, trees, signal } = fixture
  const both = [directory('a', '1'), directory('b', '1')]
  const knownHead = (await fixture.write({ dry: 1, directories: both })).state.head ?? ''
  await fixture.pushForeign('env/dev', { 'a/manifest.yaml': 'kind: Evil\n' })
  const base = await fixture.state()
  const { head } = (await fixture.write({ base, dry: 2, directories: [directory('b', '2')] })).state
  const request = create(RestoreBranchRequestSchema, { branch: 'env/dev', knownHead, head: head ?? '' })
  const restored = await restoreBranch(new RepositoryWriter(mirror, trees), request, undefined, signal)
  assert.equal(restored.drySha, drySha(2))
  const files = await fixture.files(restored.head ?? '')
  assert.deepEqual([files['a/manifest.yaml'], files['b/manifest.yaml']], ['value: 1\n', 'value: 2\n'])
})
