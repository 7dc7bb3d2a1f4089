import type { RenderRecord } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { InspectedDirectory } from '../run/inspect/inspect.ts'
import { renderChanged, type RenderedDirectory } from '../run/render/render.ts'
import type { RunContext } from '../run/run-context.ts'
import type { ComparedSide } from '@wadi/changes/applications/application-changes.ts'
import { maskedSide, renderedSide } from '@wadi/changes/applications/rendered-side.ts'
import { heldSides } from './directory-sides.ts'
import type { InspectedSide } from './inspected-side.ts'

/** A directory as it would be, and what it is compared with. */
export interface RenderedPair {
  readonly rendered: RenderedDirectory
  /** Undefined when there is nothing to compare with. */
  readonly before: ComparedSide | undefined
  /** The error of rendering `before`; empty if it was rendered. */
  readonly errorBefore: string
}

/** The sides that a revision is compared with. */
export interface ComparedWith {
  /** Undefined for what the branch holds. */
  readonly base: InspectedSide | undefined
  /** The side that the branch was hydrated from; undefined when that is not known. */
  readonly hydratedFrom: () => Promise<InspectedSide | undefined>
}

/** Directories whose base is rendered at a time, so that little waits for its other side. */
const portion = 100

/**
 * Renders what differs and yields each directory as soon as it is there. What it is compared with is read from the branch
 * wherever the branch holds it, also for a base; only another base is rendered. No render waits for another one, as each holds a place.
 */
export async function* renderedPairs(
  context: RunContext,
  planned: InspectedSide,
  { base, hydratedFrom }: ComparedWith,
  signal: AbortSignal,
): AsyncGenerator<RenderedPair> {
  const { changed } = planned.plan
  const fingerprintBefore = ({ directory }: InspectedDirectory) => base?.plan.fingerprints.get(directory.path)
  const isHeld = (one: InspectedDirectory): boolean =>
    base === undefined || planned.run.known?.get(one.directory.path) === fingerprintBefore(one)
  const inBranch = changed.filter((one) => isHeld(one))
  const sideOf = heldSides(context, planned.run, pathsOf(inBranch), signal)
  const random = new Set<string>()
  const missing = new Set<string>()
  for await (const rendered of renderOnly(context, planned, inBranch, signal)) {
    const { path } = rendered.directory
    const before = await sideOf(path)
    if (before === undefined && base !== undefined) missing.add(path)
    else if (before !== undefined && rendered.record.random.length > 0) random.add(path)
    else yield { rendered, before, errorBefore: '' }
  }
  const isOf = (paths: ReadonlySet<string>) => (one: InspectedDirectory) => paths.has(one.directory.path)
  if (random.size > 0) {
    const held = { planned, hydratedFrom: await hydratedFrom() }
    for (const some of portionsOf(inBranch.filter(isOf(random)))) yield* withHeld(context, held, some, signal)
  }
  if (base === undefined) return
  const elsewhere = changed.filter((one) => !isHeld(one) || isOf(missing)(one))
  for (const some of portionsOf(elsewhere)) yield* withBase(context, { planned, base }, some, signal)
}

function portionsOf(directories: readonly InspectedDirectory[]): InspectedDirectory[][] {
  const count = Math.ceil(directories.length / portion)
  return Array.from({ length: count }, (_, index) =>
    directories.slice(index * portion, (index + 1) * portion),
  )
}

function pathsOf(directories: readonly InspectedDirectory[]): string[] {
  return directories.map(({ directory }) => directory.path)
}

/**
 * Compares some directories with what the branch holds, in which is masked what its own render says: what was fixed before it became
 * random is a change.
 */
async function* withHeld(
  context: RunContext,
  { planned, hydratedFrom }: { planned: InspectedSide; hydratedFrom: InspectedSide | undefined },
  directories: readonly InspectedDirectory[],
  signal: AbortSignal,
): AsyncGenerator<RenderedPair> {
  const records = new Map<string, RenderRecord>()
  if (hydratedFrom) {
    const { known } = planned.run
    const same = directories.flatMap(({ directory }) => {
      const fingerprint = hydratedFrom.plan.fingerprints.get(directory.path)
      return fingerprint !== undefined && known?.get(directory.path) === fingerprint
        ? [{ directory, fingerprint }]
        : []
    })
    for await (const { directory, error, record } of renderOnly(context, hydratedFrom, same, signal))
      if (error === '') records.set(directory.path, record)
  }
  const sideOf = heldSides(context, planned.run, pathsOf(directories), signal)
  for await (const rendered of renderOnly(context, planned, directories, signal)) {
    const { path } = rendered.directory
    const before = await sideOf(path)
    const record = records.get(path) ?? rendered.record
    yield { rendered, before: before && maskedSide(before, record), errorBefore: '' }
  }
}

/** Renders both sides of some directories. One that could not even be inspected at the base is compared with nothing. */
async function* withBase(
  context: RunContext,
  { planned, base }: { planned: InspectedSide; base: InspectedSide },
  directories: readonly InspectedDirectory[],
  signal: AbortSignal,
): AsyncGenerator<RenderedPair> {
  const bases = directories.flatMap(({ directory }) => {
    const fingerprint = base.plan.fingerprints.get(directory.path)
    return fingerprint === undefined ? [] : [{ directory, fingerprint }]
  })
  const sides = new Map<string, Pick<RenderedPair, 'before' | 'errorBefore'>>()
  for await (const rendered of renderOnly(context, base, bases, signal)) {
    const { directory, error } = rendered
    const before = error === '' ? renderedSide(rendered, directory.layout) : undefined
    sides.set(directory.path, { before, errorBefore: error })
  }
  for await (const rendered of renderOnly(context, planned, directories, signal)) {
    yield { rendered, before: undefined, errorBefore: '', ...sides.get(rendered.directory.path) }
  }
}

/** Renders some directories of a side. */
export function renderOnly(
  context: RunContext,
  side: InspectedSide,
  changed: readonly InspectedDirectory[],
  signal: AbortSignal,
): AsyncGenerator<RenderedDirectory> {
  return renderChanged(context, { ...side, plan: { ...side.plan, changed: [...changed] } }, signal)
}
