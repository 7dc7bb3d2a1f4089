import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { corpus, corpusEntries, corpusPlaces } from './corpus-fixture.ts'
import { guardForTests } from './guard-fixture.ts'
import { RenderFixture, testSource, testTools } from './render-fixture.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'

/** A directory of the corpus with its values, and how the programs are told to render it. */
interface Render {
  readonly title: string
  readonly source: ReturnType<typeof testSource>
  readonly renderer: 'helm' | 'kustomize'
  readonly args: readonly string[]
}

for (const place of corpusPlaces) {
  test(
    `every document of ${place} is what Helm 4.3.1 and Kustomize 5.8.3 make, within the service and without`,
    { skip: renderersMissing ?? false },
    async (t) => {
      const { helm4: helm, kustomize } = rendererFiles
      await using fixture = new RenderFixture(
        await findTools({ cacheDirectory: toolCache, helm, kustomize }),
        {},
      )
      await using old = new RenderFixture(await testTools(), {})
      for (const { directory } of [fixture, old]) cpSync(join(corpus, place), directory, { recursive: true })
      const { render, outcomes, messages } = guardForTests(fixture)
      const changes: string[] = []
      const differences: string[] = []
      const counts = { helm: 0, kustomize: 0, documents: 0, random: 0, failing: 0 }
      for (const { title, source, renderer, args } of await rendersOf(fixture, place)) {
        const bareArgs = renderer === 'kustomize' ? ['build', ...args] : args
        const bare = await fixture.bare(renderer, ...bareArgs).catch(() => undefined)
        if (bare === undefined) {
          counts.failing += 1
          const isMade = await render(source)
            .then(() => true)
            .catch(() => false)
          if (isMade) differences.push(`${title}: made, which the program does not`)
          continue
        }
        const ways = {
          compared: await manifestsOf(render(source)),
          'within the service': await manifestsOf(render(source)),
          'by the program': await manifestsOf(fixture.render(source)),
        }
        const before = await old.bare(renderer, ...args).catch(() => [])
        counts[renderer] += 1
        counts.documents += bare.length
        // Some charts make a new password or certificate every time; nobody can render those twice alike.
        if (await isRandom(fixture, renderer, bareArgs, bare, Object.values(ways))) counts.random += 1
        else {
          for (const [way, manifests] of Object.entries(ways))
            if (!isDeepStrictEqual(manifests, bare))
              differences.push(`${title} ${way}: ${changedNames(bare, manifests).join() || 'other order'}`)
          changes.push(...changedNames(before, bare).map((name) => `${title}: ${name}`))
        }
      }
      t.diagnostic(JSON.stringify({ place, ...counts, changes, outcomes: countsOf(outcomes), messages }))
      assert.deepEqual(differences, [])
      // A limit of an engine is no difference: the program renders what is larger.
      const isLimit = messages.some((message) => message.endsWith(': make it simpler'))
      const known = new Set([
        'equal',
        'fast',
        'unsupported',
        'tool',
        'refused',
        ...(isLimit ? ['failed'] : []),
      ])
      assert.deepEqual(new Set(outcomes).difference(known), new Set())
      assert.ok(outcomes.includes('equal') && outcomes.includes('fast'))
      // Of another corpus, what the versions change is for people to read.
      if (process.env['WADI_TEST_CORPUS'] === undefined) assert.deepEqual(changes, [])
    },
  )
}

/** The documents of a render; the error in their place, so that a run names every difference. */
async function manifestsOf(
  rendering: Promise<{ readonly manifests: readonly string[] }>,
): Promise<readonly string[]> {
  const failed = (error: unknown): string[] => [
    JSON.stringify({ kind: 'Error', metadata: { name: errorMessage(error) } }),
  ]
  return rendering.then(({ manifests }) => manifests, failed)
}

async function rendersOf(fixture: RenderFixture, place: string): Promise<Render[]> {
  const renders: Render[] = []
  for (const { name, valuesFiles } of corpusEntries(place)) {
    const inspection = await fixture.inspect(testSource(name)).catch(() => undefined)
    if (inspection?.renderer === 'kustomize')
      renders.push({ title: name, source: testSource(name), renderer: 'kustomize', args: [name] })
    if (inspection?.renderer !== 'helm') continue
    for (const file of [undefined, ...valuesFiles]) {
      const values = file === undefined ? [] : ['-f', join(name, file)]
      renders.push({
        title: file === undefined ? name : `${name} ${file}`,
        source: testSource(name, file === undefined ? {} : { helm: { valueFiles: [file] } }),
        renderer: 'helm',
        args: ['template', name, '--include-crds', ...values],
      })
    }
  }
  return renders
}

async function isRandom(
  fixture: RenderFixture,
  renderer: Render['renderer'],
  args: readonly string[],
  bare: readonly string[],
  others: readonly (readonly string[])[],
): Promise<boolean> {
  if (others.every((other) => changedNames(bare, other).length === 0)) return false
  return changedNames(bare, await fixture.bare(renderer, ...args)).length > 0
}

/** Kind and name of the documents that only one side has. */
function changedNames(before: readonly string[], after: readonly string[]): string[] {
  const differing = [...new Set(before).symmetricDifference(new Set(after))]
  return [...new Set(differing.map(nameOf))]
}

function nameOf(manifest: string): string {
  const { kind, metadata }: { kind: string; metadata: { name: string } } = JSON.parse(manifest)
  return `${kind} ${metadata.name}`
}

function countsOf(outcomes: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(outcomes, (outcome) => outcome)).map(([name, all]) => [
      name,
      all?.length ?? 0,
    ]),
  )
}
