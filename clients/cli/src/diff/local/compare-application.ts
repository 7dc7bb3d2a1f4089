import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  compareFiles,
  compareManifests,
  type CompareOptions,
  type FileBeside,
} from '@wadi/changes/objects/compare-manifests.ts'
import { DomainError } from '@wadi/errors/domain-error.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { blankSecret } from '@wadi/manifests/mask-secrets.ts'
import {
  type ApplicationChanges,
  ApplicationChangesSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { secretsNotCompared } from '../../applications/manifest-diff.ts'
import type { LocalApplication } from './local-applications.ts'
import type { LocalRenderer, LocalSource } from './local-renderer.ts'

/** One side of an Application: where its source is read from, or what its branch holds. */
export interface LocalSide extends LocalSource {
  readonly application: LocalApplication
  /** Reads what is compared in place of a render of the source, which then only tells whether there is a difference. */
  readonly held?: () => Promise<HeldManifests | undefined>
}

/** What a hydrated directory holds. */
export interface HeldManifests {
  readonly manifests: readonly Manifest[]
  readonly files: readonly FileBeside[]
  /** Whether the server hides the values of Secrets, so that only their keys can be compared. */
  readonly hidesSecrets?: boolean
  /** Those of a render. */
  readonly warnings?: readonly string[]
}

/** What the Applications of one comparison share. */
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
  const old = await attempt(async () => (before ? of.renderer.inspect(before) : undefined))
  const next = await attempt(async () => (after ? of.renderer.inspect(after) : undefined))
  const failedBefore = old.error !== '' && !before?.held
  if (next.error !== '') return changesOf(shown, { outcome: 'failed', errors: [next.error], failedBefore })
  if (
    old.value &&
    next.value &&
    old.value.fingerprint === next.value.fingerprint &&
    isSamePlace(before, after)
  ) {
    return undefined
  }
  of.onRendered()
  const rendered = await attempt(async () => (after ? render(of.renderer, after) : nothing))
  if (rendered.error !== '')
    return changesOf(shown, { outcome: 'failed', errors: [rendered.error], failedBefore })
  const base = await attempt(async () => {
    if (!before || failedBefore) return undefined
    return before.held ? before.held() : render(of.renderer, before)
  })
  const hidesSecrets = base.value?.hidesSecrets === true
  const comparable = (side: HeldManifests | undefined) =>
    hidesSecrets ? (side?.manifests ?? []).map(blankSecret) : (side?.manifests ?? [])
  const { objects, ignored } = compareManifests(
    comparable(base.value),
    comparable(rendered.value),
    of.options,
  )
  const files = compareFiles(base.value?.files ?? [], rendered.value?.files ?? [], of.options.budget)
  const all = [...objects, ...files]
  const known = base.value?.warnings ?? []
  const warnings = (rendered.value?.warnings ?? []).filter((text) => !known.includes(text))
  if (hidesSecrets) warnings.push(secretsNotCompared)
  const outcome = outcomeOf(base.value !== undefined, after !== undefined, all.length > 0)
  if (outcome === 'unchanged' && ignored === 0 && warnings.length === 0) return undefined
  return changesOf(shown, { outcome, objects: all, ignored, warnings })
}

const nothing: HeldManifests = { manifests: [], files: [] }

async function render(renderer: LocalRenderer, side: LocalSide): Promise<HeldManifests> {
  const { manifests, files, record } = await renderer.render(side)
  const { warnings } = await renderer.inspect(side)
  return {
    manifests: manifests.map((text) => manifestFromJson(text)),
    files,
    warnings: [...new Set([...warnings, ...record.warnings])],
  }
}

function outcomeOf(hasBefore: boolean, hasAfter: boolean, differs: boolean): string {
  if (!hasAfter) return 'removed'
  if (!hasBefore) return 'added'
  return differs ? 'changed' : 'unchanged'
}

function isSamePlace(before: LocalSide | undefined, after: LocalSide | undefined): boolean {
  const [one, other] = [before?.application, after?.application]
  return one?.repoUrl === other?.repoUrl && one?.branch === other?.branch && one?.path === other?.path
}

function changesOf(
  { application, repoUrl, branch, path }: LocalApplication,
  changes: Omit<MessageInitShape<typeof ApplicationChangesSchema>, '$typeName'>,
): ApplicationChanges {
  const { metadata, project, destination } = application
  return create(ApplicationChangesSchema, {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    project,
    repoUrl,
    branch,
    path,
    destination: destination.server ?? destination.name ?? '',
    ...changes,
  })
}

/** The result, or the error of the source itself. */
async function attempt<T>(work: () => Promise<T>): Promise<{ value?: T; error: string }> {
  try {
    return { value: await work(), error: '' }
  } catch (error) {
    if (!(error instanceof DomainError) || error.name === 'CanceledError') throw error
    return { error: error.message }
  }
}
