import { create } from '@bufbuild/protobuf'
import {
  applicationChanges,
  type ComparedSide,
  compareSides,
  type DirectoryChanges,
} from '@wadi/changes/applications/application-changes.ts'
import { newWarnings, renderWarnings } from '@wadi/changes/applications/new-warnings.ts'
import type { PlacedApplication } from '@wadi/changes/applications/placed-application.ts'
import { maskedSide, renderedSide } from '@wadi/changes/applications/rendered-side.ts'
import { transitionOf } from '@wadi/changes/applications/transition.ts'
import type { CompareOptions } from '@wadi/changes/objects/compare-manifests.ts'
import { DomainError } from '@wadi/errors/domain-error.ts'
import { joinManifests, repeatedWarnings } from '@wadi/manifests/join-manifests.ts'
import { type Layout, layoutOf } from '@wadi/resources/application/layout.ts'
import { blankSecret } from '@wadi/manifests/mask-secrets.ts'
import type { ApplicationChanges } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { FilePlaceSchema } from '@wadi/protocol/gen/wadi/places/v1/places_pb.ts'
import type { RandomValues } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { secretsNotCompared } from '../../applications/secrets-not-compared.ts'
import type { LocalRenderer, LocalSource } from './local-renderer.ts'

/** One side of an Application: its sources, or what its branch holds. */
export interface LocalSide {
  readonly application: PlacedApplication
  /** The sources that have manifests, in their order, the same objects each time. */
  readonly sources: () => Promise<readonly LocalSource[]>
  /** Reads what is compared in place of a render of the sources, which then only tell whether there is a difference. */
  readonly held?: () => Promise<HeldManifests | undefined>
  /** The error of the newest run if it would have changed the branch; empty otherwise. */
  readonly failure?: string
}

/** The contents of a hydrated directory. */
export interface HeldManifests extends ComparedSide {
  /** True if the server hides the values of Secrets, so that only their keys can be compared. */
  readonly hidesSecrets?: boolean
  /** The layout of the newest run, in which its project has a say. */
  readonly layout?: Layout
  /** Those of a render, or of the one that is held. */
  readonly warnings?: readonly string[]
  /** The values that are masked in a render, as they differ each time. */
  readonly random?: readonly RandomValues[]
}

/** The parts that the Applications of one comparison share. */
export interface LocalComparison {
  readonly renderer: LocalRenderer
  readonly options: CompareOptions
  /** Is called for each Application that is rendered. */
  readonly onRendered: () => void
}

/** Compares one Application; undefined when nothing changes. At least one side is there. */
export async function compareApplication(
  before: LocalSide | undefined,
  after: LocalSide | undefined,
  of: LocalComparison,
): Promise<ApplicationChanges | undefined> {
  const shown = (after ?? before)?.application
  if (!shown) return undefined
  const transition = before && after && transitionOf(before.application, after.application)
  const isOther = transition !== undefined
  const changesOf = (changes: DirectoryChanges) =>
    applicationChanges(shown, shown, { ...changes, ...transition })
  const old = await attempt(async () => (before ? fingerprintsOf(of.renderer, before) : undefined))
  const next = await attempt(async () => (after ? fingerprintsOf(of.renderer, after) : undefined))
  const hadError = old.error !== undefined && !before?.held
  if (next.error !== undefined) {
    return changesOf({ ...failure(next.error), failedBefore: hadError || failedSo(before, next.error) })
  }
  if (old.value !== undefined && old.value === next.value && !isOther) return undefined
  of.onRendered()
  const held = await attempt(async () => before?.held?.())
  const rendered = await attempt(async () =>
    after ? renderSide(of.renderer, after, held.value?.layout) : undefined,
  )
  if (rendered.error !== undefined) {
    const failed = hadError || failedSo(before, rendered.error) || (await failsToRender(of.renderer, before))
    return changesOf({ ...failure(rendered.error), failedBefore: failed })
  }
  const random = rendered.value?.random ?? []
  const base = await attempt(async () => {
    if (!before || hadError) return undefined
    if (!before.held) return renderSide(of.renderer, before)
    if (!held.value || random.length === 0) return held.value
    return maskedSide(held.value, { random: await ownRandom(of, before, random) })
  })
  const hidesSecrets = base.value?.hidesSecrets === true
  const compared = hidesSecrets
    ? compareSides(withBlankSecrets(base.value), withBlankSecrets(rendered.value), of.options)
    : compareSides(base.value, rendered.value, of.options)
  const given = renderWarnings({ warnings: rendered.value?.warnings ?? [], random })
  const warnings = newWarnings(given, base.value?.warnings ?? [])
  if (hidesSecrets) warnings.push(secretsNotCompared)
  const outcome = isOther && compared.outcome === 'unchanged' ? 'changed' : compared.outcome
  if (outcome === 'unchanged' && compared.ignored === 0 && warnings.length === 0) return undefined
  return changesOf({ ...compared, outcome, warnings })
}

/** Returns what decides the manifests of a side, as one text. */
async function fingerprintsOf(renderer: LocalRenderer, side: LocalSide): Promise<string> {
  const facts = await Promise.all((await side.sources()).map((source) => renderer.inspect(source)))
  return [layoutFor(side).crds, ...facts.map(({ fingerprint }) => fingerprint)].join()
}

function layoutFor({ application }: Pick<LocalSide, 'application'>, recorded: Partial<Layout> = {}): Layout {
  return layoutOf(application.application.annotations, recorded)
}

/**
 * Returns what a side would hold, with what differs from render to render masked.
 * @param recorded the fields of the layout that the Application does not set
 */
export async function renderSide(
  renderer: LocalRenderer,
  side: Pick<LocalSide, 'application' | 'sources'>,
  recorded?: Layout,
): Promise<HeldManifests> {
  const layout = layoutFor(side, recorded)
  const parts: HeldManifests[] = []
  for (const source of await side.sources()) {
    const rendered = await renderer.render(source)
    const { manifests, files, record } = rendered
    const { warnings } = await renderer.inspect(source)
    const random = await renderer.random(source, rendered)
    parts.push({
      ...renderedSide({ manifests, files, record: { random } }, layout),
      random,
      warnings: [...new Set([...warnings, ...record.warnings])],
    })
  }
  const [first, ...more] = parts
  return first && more.length === 0 ? first : joined(parts)
}

function joined(parts: readonly HeldManifests[]): HeldManifests {
  const all = joinManifests(parts.flatMap(({ manifests }) => manifests))
  const files = new Map(parts.flatMap((part) => part.files.map((file) => [file.path, file] as const)))
  const warnings = [...parts.flatMap((part) => part.warnings ?? []), ...repeatedWarnings(all)]
  const random = parts.flatMap((part) => part.random ?? [])
  return { manifests: all.manifests, files: [...files.values()], warnings, random }
}

/** The random values of a branch: what was fixed before it became random is a change. That of now where the branch cannot be rendered again. */
async function ownRandom(
  { renderer }: LocalComparison,
  before: LocalSide,
  random: readonly RandomValues[],
): Promise<readonly RandomValues[]> {
  const own = await attempt(async () => renderSide(renderer, before))
  return own.value?.random ?? random
}

function withBlankSecrets(side: HeldManifests | undefined): HeldManifests | undefined {
  return side && { ...side, manifests: side.manifests.map(blankSecret) }
}

/** Returns whether the newest run failed for the reason that is found now. */
function failedSo(before: LocalSide | undefined, { message }: DomainError): boolean {
  return before?.failure?.includes(message) ?? false
}

async function failsToRender(renderer: LocalRenderer, before: LocalSide | undefined): Promise<boolean> {
  if (!before || before.held) return false
  return (await attempt(() => renderSide(renderer, before))).error !== undefined
}

function failure({ message, at }: DomainError): DirectoryChanges {
  const places = at ? [create(FilePlaceSchema, { file: at.file, line: at.line ?? 0 })] : []
  return { outcome: 'failed', errors: [message], places }
}

/** The result, or the error of the source itself. */
async function attempt<T>(work: () => Promise<T>): Promise<{ value?: T; error?: DomainError }> {
  try {
    return { value: await work() }
  } catch (error) {
    if (!(error instanceof DomainError) || error.name === 'CanceledError') throw error
    return { error }
  }
}
