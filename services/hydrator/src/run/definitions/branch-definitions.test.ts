import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { openSingleMemory } from '@wadi/queue/shared-memory.ts'
import { Known } from '../reuse/known.ts'
import { runBranch } from '../run-branch.ts'
import { application, controlPlaneObject, repoURL, startRunFixture } from '../run-fixture.ts'
import { Neighbours, sha } from '../run-neighbours-fixture.ts'

const { signal } = new AbortController()

function definition(kind: string): string {
  const plural = `${kind.toLowerCase()}s`
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: { group: 'example.com', names: { kind, plural }, scope: 'Namespaced', versions: [] },
  })
}

const object = (kind: string): string =>
  JSON.stringify({ apiVersion: 'example.com/v1', kind, metadata: { name: 'web' } })

/** A branch of Applications whose directories have these manifests, and whose gates check custom resources. */
async function startDefining(manifests: Record<string, string[]>) {
  const neighbours = new Neighbours()
  const { repoServer, commitServer } = neighbours.peers
  /** The kinds whose definitions each directory was checked by, in each request that had any. */
  const given: string[][] = []
  const read: string[][] = []
  const fixture = await startRunFixture({
    repoServer: {
      ...repoServer,
      inspectSources: ({ sha: commit, sources }) => ({
        inspections: sources.map(({ path }) => ({
          fingerprint: path === 'apps/web' ? `${commit} web` : path,
          wantsDefinitions: true,
        })),
      }),
      async *renderSources({ sources, policySets }) {
        const texts = new Map(policySets.map(({ id, files }) => [id, files[0]?.text ?? '']))
        const named = sources.flatMap(({ path, gates }) => {
          const kinds = (gates?.branchDefinitionIds ?? []).map(
            (id) => /"kind":"(Widget|Gadget)"/.exec(texts.get(id) ?? '')?.[1] ?? 'nothing',
          )
          return kinds.length === 0 ? [] : [`${path} ${kinds.join(' ')}`]
        })
        given.push(named)
        for (const [index, { path }] of sources.entries())
          yield { index, done: true, manifests: manifests[path.slice('apps/'.length)] ?? [] }
      },
    },
    commitServer: {
      ...commitServer,
      async *getDirectories({ paths }) {
        read.push(paths)
        for (const path of paths) yield { path, manifest: (manifests[path] ?? []).join('\n---\n') }
      },
    },
  })
  return {
    fixture,
    neighbours,
    given,
    read,
    run: () => runBranch(fixture.context, branchKey(repoURL, 'env/dev'), signal),
    /** Has another dry commit change `web` alone. */
    async change(commit: string): Promise<void> {
      neighbours.dry = { ...neighbours.dry, main: commit }
      await fixture.reload()
    },
    forget: (directory: string) =>
      Object.assign(fixture.context, { known: new Known(directory, openSingleMemory(), new Reuse()) }),
  }
}

const kinds = [definition('Widget'), definition('Gadget')]
const far = { destination: { server: 'https://far.example.com', namespace: 'web' } }

test('a directory is checked by the definitions of its kinds in others of its cluster, which one commit brings', async () => {
  const bed = await startDefining({
    kinds,
    own: [definition('Gadget'), object('Gadget')],
    web: [object('Widget')],
    far: [object('Widget')],
    none: [JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })],
  })
  await using fixture = bed.fixture
  await fixture.add(
    application('kinds'),
    application('own'),
    application('web'),
    application('far', far),
    application('none'),
  )
  await bed.run()
  assert.deepEqual(bed.given, [[], ['apps/own Gadget', 'apps/web Widget']])
  assert.deepEqual([bed.neighbours.landed.length, bed.read], [1, []])
  await bed.change(sha(2))
  await bed.run()
  assert.deepEqual(bed.given.slice(2), [['apps/web Widget']])
  assert.deepEqual([bed.neighbours.landed.at(-1)?.paths, bed.read], [['web'], []])
})

test('definitions from another dry source are for objects of the same project alone', async () => {
  const bed = await startDefining({ kinds, web: [object('Widget')], other: [object('Gadget')] })
  await using fixture = bed.fixture
  bed.neighbours.dry = { main: sha(1), release: sha(3) }
  const spec = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] }
  const project = controlPlaneObject('AppProject', 'team', { apiVersion: 'argoproj.io/v1alpha1', spec })
  await fixture.add(
    project,
    application('kinds', { drySource: { targetRevision: 'release' } }),
    application('web'),
    application('other', { project: 'team' }),
  )
  await bed.run()
  await bed.change(sha(2))
  await bed.run()
  assert.deepEqual(bed.given.at(-1), ['apps/web Widget'])
  assert.ok(!bed.given.flat().some((one) => one.startsWith('apps/other')))
})

test('definitions that are not known are read from the branch, and of a branch of which nothing is known all is rendered', async () => {
  const bed = await startDefining({ kinds, web: [object('Widget')], other: [object('Gadget')] })
  await using fixture = bed.fixture
  await fixture.add(application('kinds'), application('web'), application('other'))
  await bed.run()
  bed.forget(fixture.directory)
  await bed.change(sha(2))
  await bed.run()
  assert.deepEqual(bed.given.slice(2), [['apps/web Widget']])
  assert.deepEqual(bed.read, [['kinds']])
  bed.forget(`${fixture.directory}-of-another`)
  await bed.change(sha(3))
  await bed.run()
  assert.deepEqual(bed.given.slice(3), [[], ['apps/other Gadget', 'apps/web Widget']])
})
