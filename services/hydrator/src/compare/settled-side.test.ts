import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import { runBranch } from '../run/run-branch.ts'
import { application, repoURL, startRunFixture } from '../run/run-fixture.ts'
import { Neighbours, sha } from '../run/run-neighbours-fixture.ts'
import { compare } from './compare.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const signal = AbortSignal.timeout(hangLimitMs)

/** A hydrated branch of two Applications, and what a comparison with its dry commit inspects and finds. */
async function startHydrated() {
  const neighbours = new Neighbours()
  const { peers, dry } = neighbours
  dry['feature'] = sha(2)
  neighbours.fingerprint = (commit, path) => (path === 'apps/a' ? `${commit} ${path}` : path)
  const inspected: string[] = []
  let renderers = 'helm v4'
  const { inspectSources, resolveRevisions, renderSources } = peers.repoServer ?? {}
  assert.ok(inspectSources && resolveRevisions && renderSources)
  const fixture = await startRunFixture({
    commitServer: {
      ...peers.commitServer,
      async *getDirectories({ revision, paths }) {
        for (const path of paths) yield { path, manifest: configMap(revision) }
      },
    },
    repoServer: {
      ...peers.repoServer,
      resolveRevisions: async (request, context) => ({
        ...(await resolveRevisions(request, context)),
        renderers,
      }),
      findMergeBase: ({ otherSha }) => ({ sha: otherSha }),
      readFiles: () => ({ contents: [] }),
      inspectSources: (request, context) => {
        inspected.push(request.sha)
        return inspectSources(request, context)
      },
      async *renderSources(request, context) {
        for await (const part of renderSources(request, context)) {
          yield { ...part, manifests: [configMap(request.sha)] }
        }
      },
    },
  })
  await fixture.add(application('a'), application('b'))
  await runBranch(fixture.context, branchKey(repoURL, 'env/dev'), signal)
  // What the run wrote into the Applications is read, as it is by the watch.
  await fixture.reload()
  return {
    fixture,
    upgrade: () => (renderers = 'helm v5'),
    compare: async (revision = 'feature') => {
      inspected.length = 0
      const request = { repoUrl: repoURL, revision, base: 'main', target: 'main', applications: [] }
      const progress = { phase: 'resolve', done: 0, total: 0 } as const
      const { applications } = await compare(fixture.context, request, { ...progress }, signal)
      return { inspected: [...inspected], changed: applications.map(({ name }) => name) }
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

function configMap(data: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings' },
    data: { data },
  })
}

test('a base that its branch was hydrated from is not inspected', async () => {
  await using hydrated = await startHydrated()
  assert.deepEqual(await hydrated.compare(), { inspected: [sha(2)], changed: ['a'] })
})

test('a base is inspected when the renderers are others than those of the hydration, or an Application changed since', async () => {
  await using upgraded = await startHydrated()
  upgraded.upgrade()
  const both = [sha(1), sha(2)]
  const sorted = async (of: typeof upgraded) => (await of.compare()).inspected.toSorted()
  assert.deepEqual(await sorted(upgraded), both)
  await using edited = await startHydrated()
  await mutate(edited.fixture.store, 'Application', 'argocd', 'b', (current) => ({
    ...current,
    spec: { ...current.spec, destination: { server: 'https://kubernetes.default.svc', namespace: 'other' } },
  }))
  await edited.fixture.reload()
  assert.deepEqual(await sorted(edited), both)
})
