import type { RenderRecord } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Directory } from '../run/branch-run.ts'
import type { InspectedDirectory } from '../run/inspect.ts'
import { renderChanged, type RenderedDirectory } from '../run/render.ts'
import type { RunContext } from '../run/run-context.ts'
import { heldSides, maskedSide, renderedSide, type Side } from './directory-sides.ts'
import type { InspectedSide } from './inspected-side.ts'

/** A directory as it would be, and what it is compared with. */
export interface RenderedPair {
  readonly rendered: RenderedDirectory
  /** Undefined when there is nothing to compare with. */
  readonly before: Side | undefined
  /** Why `before` could not be rendered; empty when it could. */
  readonly errorBefore: string
}

/** What a revision is compared with. */
export interface ComparedWith {
  /** Undefined for what the branch holds. */
  readonly base: InspectedSide | undefined
  /** What the branch was hydrated from; undefined when that is not known. */
  readonly hydratedFrom: () => Promise<InspectedSide | undefined>
  /** Whether what the branch has of a directory may differ from render to render. */
  readonly mayBeRandom: (directory: Directory) => boolean
}

/** Directories whose base is rendered at a time, so that little waits for its other side. */
const portion = 100

/**
 * Renders what differs and yields each directory as soon as it is there. What it is compared with is read from the branch
 * wherever the branch holds it, also for a base; only another base is rendered.
 */
export async function* renderedPairs(
  context: RunContext,
  planned: InspectedSide,
  { base, hydratedFrom, mayBeRandom }: ComparedWith,
  signal: AbortSignal,
): AsyncGenerator<RenderedPair> {
  const { changed } = planned.plan
  const fingerprintBefore = ({ directory }: InspectedDirectory) => base?.plan.fingerprints.get(directory.path)
  const isHeld = (one: InspectedDirectory): boolean =>
    base === undefined || planned.run.held?.get(one.directory.path) === fingerprintBefore(one)
  const inBranch = changed.filter((one) => isHeld(one))
  const paths = inBranch.map(({ directory }) => directory.path)
  const sideOf = heldSides(context, planned.run, paths, signal)
  for await (const rendered of renderOnly(context, planned, inBranch, signal)) {
    const held = await sideOf(rendered.directory.path)
    if (held === undefined && base !== undefined) {
      yield* withBase(context, { planned, base }, [rendered], signal)
      continue
    }
    const isRandom = rendered.record.random.length > 0
    const of = held && (isRandom || mayBeRandom(rendered.directory)) ? await hydratedFrom() : undefined
    const record = (of && (await recordOf(context, of, rendered, signal))) ?? rendered.record
    yield { rendered, before: held && maskedSide(held, record), errorBefore: '' }
  }
  if (base === undefined) return
  const elsewhere = changed.filter((one) => !isHeld(one))
  for (let start = 0; start < elsewhere.length; start += portion) {
    const some = elsewhere.slice(start, start + portion)
    yield* withBase(context, { planned, base }, some, signal)
  }
}

/** What a branch holds is masked as its own render says: what was fixed before it became random is a change. */
async function recordOf(
  context: RunContext,
  side: InspectedSide,
  { directory }: RenderedDirectory,
  signal: AbortSignal,
): Promise<RenderRecord | undefined> {
  const fingerprint = side.plan.fingerprints.get(directory.path)
  if (fingerprint === undefined || side.run.held?.get(directory.path) !== fingerprint) return undefined
  for await (const { error, record } of renderOnly(context, side, [{ directory, fingerprint }], signal)) {
    if (error === '') return record
  }
  return undefined
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
    const before = error === '' ? renderedSide(rendered) : undefined
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
