import type { PlacedApplication } from '@wadi/changes/applications/placed-application.ts'
import { renderWarnings } from '@wadi/changes/applications/new-warnings.ts'
import { maskedSide } from '@wadi/changes/applications/rendered-side.ts'
import { DomainError } from '@wadi/errors/domain-error.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { isRendered, renderedPositions } from '@wadi/resources/application/dry-sources.ts'
import { type Layout, layoutOf } from '@wadi/resources/application/layout.ts'
import { differingFiles, differingObjects, type ObjectDifference } from '../applications/manifest-diff.ts'
import { type HeldManifests, renderSide } from '../diff/local/compare-application.ts'
import type { LocalRenderer, LocalSource } from '../diff/local/local-renderer.ts'
import { openSources } from '../diff/local/source-files.ts'
import type { FoundElsewhere } from '../diff/local/sources-elsewhere.ts'
import { laidOutText } from '../render/laid-out-text.ts'
import { drySideOfBranch } from './dry-side-of-branch.ts'
import { type HeldDirectory, readHeldDirectory } from './held-directory.ts'

/**
 * The outcome of a comparison: the bytes are the same, the objects are equal in another order or form, an object differs, the
 * directory is not there, or it could not be compared.
 */
export const shadowOutcomes = ['identical', 'equal', 'differs', 'missing', 'failed'] as const

/** The comparison of what Wadi would write for an Application with what another system wrote. */
export interface ShadowedApplication {
  /** `namespace/name`. */
  readonly name: string
  readonly repoUrl: string
  readonly branch: string
  readonly path: string
  readonly outcome: (typeof shadowOutcomes)[number]
  /** The commits that were compared; empty if it did not come to that. */
  readonly hydratedSha: string
  readonly drySha: string
  /** When the hydrated one was committed: RFC 3339 in UTC; empty with it. */
  readonly hydratedAt: string
  /** The number of objects that Wadi would write. */
  readonly objects: number
  /** The objects that differ, as the branch and as Wadi has them. */
  readonly differences: readonly ObjectDifference[]
  /** Sentences about what to know. */
  readonly notes: readonly string[]
  /** The reason why it was not compared. */
  readonly error?: string
}

/** The parts that the Applications of one comparison share. */
export interface ShadowParts {
  readonly renderer: LocalRenderer
  readonly elsewhere: FoundElsewhere
  readonly signal: AbortSignal
}

/** Compares one Application at the dry commit that its branch names. What is wrong with it is in the result. */
export async function shadowApplication(
  placed: PlacedApplication,
  parts: ShadowParts,
): Promise<ShadowedApplication> {
  const { key: name, repoUrl, branch, path } = placed
  const place = { name, repoUrl, branch, path }
  try {
    return { ...place, ...(await compared(placed, parts)) }
  } catch (error) {
    if (!(error instanceof DomainError) || error.name === 'CanceledError') throw error
    const nothing = { hydratedSha: '', drySha: '', hydratedAt: '', objects: 0, differences: [], notes: [] }
    return { ...place, ...nothing, outcome: 'failed', error: error.message }
  }
}

const otherOrder =
  'the order of the objects differs; annotation wadi.dev/layout: as-argo-cd keeps that of the branch'

type Comparison = Omit<ShadowedApplication, 'name' | 'repoUrl' | 'branch' | 'path'>

async function compared(placed: PlacedApplication, parts: ShadowParts): Promise<Comparison> {
  const { application, repoUrl, branch, sources } = placed
  const { renderer, elsewhere } = parts
  const path = cleanDestinationPath(placed.path)
  const [source] = sources.filter(isRendered)
  if (!source || !application.hydrated) throw new Error(`${placed.key} has no source that is rendered`)
  const head = await elsewhere.branch(repoUrl, branch)
  const side = await drySideOfBranch(source, head, path, parts)
  const wanted = renderedPositions(application.hydrated)
  const locals = await openSources(application, sources, wanted, { side, elsewhere })
  const rendered = await renderSide(renderer, { application: placed, sources: async () => locals })
  const { warnings = [], random = [] } = rendered
  const held = await readHeldDirectory(head.tree, path)
  const commits = { hydratedSha: head.sha, hydratedAt: head.date, drySha: side.sha }
  const result = { ...commits, objects: rendered.manifests.length }
  const notes = side.isRecorded
    ? []
    : [
        `branch ${branch} names no commit of the dry repository, so its newest is compared: a difference may be a run that is not over`,
      ]
  if (!held) return { ...result, outcome: 'missing', differences: [], notes }
  const differences = differencesOf(held, rendered)
  if (differences.length > 0) {
    return {
      ...result,
      outcome: 'differs',
      differences,
      notes: [...renderWarnings({ warnings, random }), ...notes],
    }
  }
  const layout = layoutOf(application.annotations, {})
  const isWritten = async (asked: Layout): Promise<boolean> =>
    random.length === 0 && held.manifest === (await textOf(rendered, locals, asked, renderer))
  if (await isWritten(layout)) return { ...result, outcome: 'identical', differences, notes }
  if (await isWritten({ ...layout, files: 'as-argo-cd' })) notes.push(otherOrder)
  return { ...result, outcome: 'equal', differences, notes }
}

function differencesOf(held: HeldDirectory, rendered: HeldManifests): ObjectDifference[] {
  const { random = [] } = rendered
  const masked = maskedSide(held, { random })
  return [
    ...differingObjects(emitManifests([...masked.manifests]), emitManifests([...rendered.manifests])),
    ...differingFiles(masked.files, rendered.files),
  ]
}

/** The bytes that Wadi would write, of all files with objects together. */
async function textOf(
  { manifests }: HeldManifests,
  locals: readonly LocalSource[],
  layout: Layout,
  renderer: LocalRenderer,
): Promise<string> {
  const [only, ...more] = locals
  if (!only || more.length > 0) return emitManifests([...manifests])
  const rendered = await renderer.render(only)
  return laidOutText({ manifests: rendered.manifests, printed: rendered.record.printed }, layout)
}
