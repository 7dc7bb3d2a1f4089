import assert from 'node:assert/strict'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { handlerContext } from '@wadi/testing/handler-context.ts'
import {
  InspectSourcesRequestSchema,
  RenderSourcesRequestSchema,
  RepoServerService,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { memoryTree } from '@wadi/file-trees/memory-tree.ts'
import { inspectSources } from '../routes/inspect-sources.ts'
import { renderSources } from '../routes/render-sources.ts'
import type { DryFiles } from './dry-files.ts'
import { configMap, names, repoURL, startBed } from './source-renderer-fixture.ts'

/** Files of revisions that are in no repository. */
function memoryFiles(revisions: Readonly<Record<string, Record<string, string>>>): DryFiles {
  return {
    use: async ({ sha }, _signal, task) => {
      const files = Object.entries(revisions[sha] ?? {})
      const tree = memoryTree(new Map(files.map(([path, text]) => [path, Buffer.from(text)])))
      return await task({ tree, repair: async () => undefined })
    },
  }
}

test('sources are inspected and rendered from files that are in no git repository', async () => {
  await using bed = await startBed({})
  const files = memoryFiles({
    one: { 'app/a.yaml': configMap('first') },
    two: { 'app/a.yaml': configMap('second'), 'app/b.yaml': configMap('third') },
  })
  const context = { reuse: new Reuse(), files, renderer: bed.renderer, gated: bed.gated }
  const call = handlerContext(RepoServerService.method.renderSources)
  const request = { repoUrl: repoURL, project: 'team', sources: [{ path: 'app', applicationName: 'web' }] }
  const rendered = async (sha: string): Promise<[fingerprint: string, names: string[]]> => {
    const { inspections = [] } = await inspectSources(context)(
      create(InspectSourcesRequestSchema, { ...request, sha }),
      call,
    )
    const [inspection] = inspections
    assert.ok(inspection && 'fingerprint' in inspection, JSON.stringify(inspections))
    const manifests: string[] = []
    const stream = renderSources(context)(create(RenderSourcesRequestSchema, { ...request, sha }), call)
    for await (const message of stream) {
      if ('manifests' in message) manifests.push(...message.manifests)
    }
    return [inspection.fingerprint, names(manifests)]
  }
  const [first, firstNames] = await rendered('one')
  const [second, secondNames] = await rendered('two')
  assert.deepEqual([firstNames, secondNames], [['first'], ['second', 'third']])
  assert.notEqual(first, second)
})
