import { readFile, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { differingObjects, type ObjectDifference } from '../applications/manifest-diff.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { keyOf } from './found-objects.ts'
import type { ImportItem } from './import-item.ts'
import { renderApplication, renderNotes, type RenderParts } from './render-application.ts'
import { withoutTracking } from './without-tracking.ts'

/** The comparison of the objects of an Application before and after. */
export interface CheckedApplication {
  /** `namespace/name`. */
  readonly name: string
  /** The number of its objects after the move. */
  readonly objects: number
  readonly differences: readonly ObjectDifference[]
  /** Sentences on where Argo CD may render other objects. */
  readonly notes: readonly string[]
  /** The reason why they cannot be compared; absent if they are. */
  readonly error?: string
}

/** The comparisons of an item. */
export interface CheckedItem {
  readonly applications: readonly CheckedApplication[]
  /** The reason why a set makes others, which are not compared; absent if it makes none. */
  readonly unknown?: string
}

/** The sides of a check: the files as they are, as they would be, and a directory with manifests of Argo CD. */
export interface CheckSides {
  readonly before: RenderParts
  readonly after: RenderParts
  /** Undefined to render both sides. */
  readonly manifests: string | undefined
}

/** The largest file of manifests that is read, in bytes. */
const maxManifestBytes = 64 * 1024 * 1024

/** Compares what the Applications of each item make before and after they move; with given manifests also of those that are hydrated. */
export async function checkImport(
  items: readonly ImportItem[],
  sides: CheckSides,
): Promise<ReadonlyMap<ImportItem, CheckedItem>> {
  const compared = items.filter(
    ({ outcome }) => outcome === 'moves' || (outcome === 'hydrated' && sides.manifests !== undefined),
  )
  const pairs = compared.flatMap((item) => pairsOf(item))
  const checked = await mapWithLimit(pairs, availableParallelism(), async ({ item, before, after }) => ({
    item,
    result: await checkPair(before, after, sides),
  }))
  const results = Map.groupBy(checked, ({ item }) => item)
  return new Map(
    compared.map((item) => {
      const applications = (results.get(item) ?? []).map(({ result }) => result)
      return [item, item.unknown === undefined ? { applications } : { applications, unknown: item.unknown }]
    }),
  )
}

interface Pair {
  readonly item: ImportItem
  readonly before: Manifest
  readonly after: Manifest
}

function pairsOf(item: ImportItem): Pair[] {
  if (item.move) return item.move.applications.map((pair) => ({ item, ...pair }))
  return item.hydrated.map((manifest) => ({ item, before: manifest, after: manifest }))
}

async function checkPair(before: Manifest, after: Manifest, sides: CheckSides): Promise<CheckedApplication> {
  const name = keyOf(after)
  try {
    const rendered = await renderApplication(after, sides.after)
    const differences =
      sides.manifests === undefined
        ? differing(await renderApplication(before, sides.before), rendered)
        : differing(
            withoutTracking(await givenManifests(sides.manifests, after), after),
            withoutTracking(rendered, after),
            // Argo CD's command line hides the values.
            { withoutSecretValues: true },
          )
    const notes = sides.manifests === undefined ? await renderNotes(before, sides.before) : []
    return { name, objects: rendered.length, differences, notes }
  } catch (error) {
    if (!(error instanceof DomainError) || error.name === 'CanceledError') throw error
    return { name, objects: 0, differences: [], notes: [], error: error.message }
  }
}

function differing(
  before: readonly Manifest[],
  after: readonly Manifest[],
  options: { withoutSecretValues?: boolean } = {},
): ObjectDifference[] {
  return differingObjects(emitManifests([...before]), emitManifests([...after]), options)
}

/** @throws InvalidInputError for a file that is missing or has no manifests */
async function givenManifests(directory: string, application: Manifest): Promise<Manifest[]> {
  const name = textAt(application, 'metadata', 'name')
  const namespace = textAt(application, 'metadata', 'namespace') || controlPlaneNamespace
  const names = [`${namespace}_${name}.yaml`, `${name}.yaml`]
  for (const file of names) {
    const path = join(directory, file)
    const stats = await stat(path).catch(() => undefined)
    if (!stats) continue
    if (!stats.isFile() || stats.size > maxManifestBytes) {
      throw new InvalidInputError(`${path} is not a file of at most ${maxManifestBytes} bytes`)
    }
    return parseManifests(fileText(await readFile(path), path), { file: path })
  }
  throw new InvalidInputError(
    `${directory} has no ${names.join(' and no ')}; write it with: argocd app manifests ${name} > ${join(directory, `${name}.yaml`)}`,
  )
}

/** @throws CommandFailure for what is not a directory */
export async function checkManifestsDirectory(directory: string): Promise<void> {
  const stats = await stat(directory).catch(() => undefined)
  if (stats?.isDirectory() !== true) throw new CommandFailure(`--manifests: ${directory} is not a directory`)
}
