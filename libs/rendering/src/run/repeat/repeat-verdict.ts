import { setTimeout as delay } from 'node:timers/promises'
import { create } from '@bufbuild/protobuf'
import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { type RandomObject, randomFields } from '@wadi/manifests/random-fields.ts'
import { describeDifference } from './difference.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { SourceInspection } from '../../inspection/source-inspection.ts'
import type { Rendered } from '../render-run.ts'
import {
  type RandomValues,
  RandomValuesSchema,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { withShiftedClock } from './repeat-clock.ts'
import { type RepeatScans, type UnrepeatableUse, usesInValues } from './repeat-scan.ts'
import type { Repeatability } from '../../plan/plan.ts'

/** The result of rendering a source twice. */
export interface RepeatVerdict {
  /** The difference between the renders, as a message; `''` without one. */
  readonly difference: string
  /** The possible change from day to day although both renders were equal, as a message; else `''`. */
  readonly suspicion: string
  /** The fields that differ from render to render; absent of a plugin, and of a verdict that was stored without them. */
  readonly random?: readonly RandomObject[]
}

/** The source that is judged. */
interface JudgedSource {
  readonly tree: FileTree
  readonly inspection: SourceInspection
  readonly scans: RepeatScans
  readonly signal: AbortSignal | undefined
}

/** The verdict on a source whose renders are equal. */
const repeatable: RepeatVerdict = { difference: '', suspicion: '' }

const maxUses = 3
const maxFailureLength = 500

/**
 * Renders a source once more, its templates with another clock, and compares. Nothing is rendered for plain directories
 * and, unless the repository is strict, for kustomizations without charts and for charts that call nothing whose result
 * can change: their results are equal by construction. Commands that decide a plan are run twice when it is made.
 * @param first the result that was rendered from `tree`
 * @param again renders the source from a tree
 * @returns undefined when nothing was rendered, or the second render could not be made and the repository is not strict
 */
export async function judgeRepeat(
  judged: JudgedSource,
  first: Rendered,
  again: (tree: FileTree) => Promise<Rendered>,
): Promise<RepeatVerdict | undefined> {
  const { inspection } = judged
  const { isStrict } = inspection
  const { repeatability } = inspection.plan
  if (repeatability === undefined) return undefined
  const uses = await usesOf(judged, repeatability)
  const mayDiffer = uses.length > 0 || repeatability.isOpaque
  if (!mayDiffer && !isStrict) return undefined
  let found: Pick<RepeatVerdict, 'difference' | 'random'>
  try {
    found = await differenceOf(judged, first, again)
  } catch (error) {
    if (!(error instanceof DomainError) || isStrict || judged.signal?.aborted) throw error
    return undefined
  }
  if (found.difference !== '') {
    return { ...found, difference: `${found.difference}${causeOf(repeatability, uses)}`, suspicion: '' }
  }
  const hidden = uses.filter(({ isHiddenClock }) => isHiddenClock)
  if (hidden.length === 0) return repeatable
  return {
    difference: '',
    suspicion: `the result may change from day to day: ${listed(hidden)}; set the time in git instead`,
  }
}

/** The warnings of a verdict. */
export function repeatWarnings(verdict: RepeatVerdict | undefined): string[] {
  return [verdict?.difference ?? '', verdict?.suspicion ?? ''].filter((text) => text !== '')
}

/** Returns whether a verdict was stored without the fields that differ, though a render would find them. */
export function lacksFields(
  { hasPlugins }: SourceInspection,
  verdict: RepeatVerdict | undefined,
): verdict is RepeatVerdict {
  return verdict !== undefined && verdict.difference !== '' && verdict.random === undefined && !hasPlugins
}

/** Returns the words of a record about a verdict; empty when nothing differs, and for plugins. */
export function randomValues(verdict: RepeatVerdict | undefined): RandomValues[] {
  if (verdict?.random === undefined || verdict.difference === '') return []
  const objects = verdict.random.map(({ fields, ...object }) => ({
    ...object,
    fields: fields.map(({ path, lines }) => ({ path: [...path], lines: [...lines] })),
  }))
  return [create(RandomValuesSchema, { difference: verdict.difference, objects })]
}

/**
 * Ends a render whose repository takes no difference.
 * @throws InvalidInputError if the repository is strict and renders of the source differ
 */
export function refuseDifference({ isStrict }: SourceInspection, verdict: RepeatVerdict | undefined): void {
  if (!isStrict || verdict === undefined || verdict.difference === '') return
  throw new InvalidInputError(`${verdict.difference}; determinism is strict in wadi.yaml`)
}

async function differenceOf(
  { tree, inspection: { hasPlugins }, signal }: JudgedSource,
  first: Rendered,
  again: (tree: FileTree) => Promise<Rendered>,
): Promise<Pick<RepeatVerdict, 'difference' | 'random'>> {
  const render = async (from: FileTree): Promise<Rendered | InvalidInputError> => {
    try {
      return await again(from)
    } catch (error) {
      if (error instanceof InvalidInputError) return error
      throw error
    }
  }
  if (hasPlugins && showsPresent(first.manifests, new Date())) {
    await delay(1000 - (Date.now() % 1000) + 1, undefined, { signal })
  }
  // A plugin gets its files from an archive that renders of the same commit share.
  let second = hasPlugins ? await render(tree) : await render(withShiftedClock(tree))
  // A chart may refuse the other time.
  if (second instanceof InvalidInputError && !hasPlugins) second = await render(tree)
  if (second instanceof InvalidInputError) {
    const failure = second.message.slice(0, maxFailureLength)
    return { difference: `a second render fails: ${failure}`, ...(!hasPlugins && { random: [] }) }
  }
  const objects = describeDifference(first.manifests, second.manifests)
  const contents = [first, second].map(
    ({ files }) => new Map(files.map(({ path, content }) => [path, content])),
  )
  const file = [...first.files, ...second.files].find(
    ({ path }) => contents[0]?.get(path) !== contents[1]?.get(path),
  )
  const reported = [
    ...(objects === '' ? [] : [objects]),
    ...(file === undefined ? [] : [`file ${file.path}`]),
  ]
  if (reported.length === 0) return repeatable
  const difference = `renders differ in ${reported.join('; ')}`
  // The verdict on a plugin is that of any files.
  return hasPlugins ? { difference } : { difference, random: randomFields(first.manifests, second.manifests) }
}

/** Returns a result with what its verdict says, and more warnings. */
export function withVerdict(
  { manifests, files, record }: Rendered,
  verdict: RepeatVerdict | undefined,
  more: readonly string[] = [],
): Rendered {
  const random = randomValues(verdict)
  const warnings = [...record.warnings, ...more, ...repeatWarnings(verdict)]
  return { manifests, files, record: { ...record, warnings, random } }
}

/** True if manifests may show the time of their render, which another render in the same second would show too. */
function showsPresent(manifests: readonly string[], now: Date): boolean {
  const [day = '', time = ''] = now.toISOString().split('T')
  const seconds = String(Math.floor(now.getTime() / 1000))
  // Without the hour, which depends on the time zone, and without digits that may have changed since.
  const signs = [day, day.replaceAll('-', ''), time.slice(2, 6), seconds.slice(0, -3)]
  return manifests.some((manifest) => signs.some((sign) => manifest.includes(sign)))
}

function causeOf({ remedy }: Repeatability, uses: readonly UnrepeatableUse[]): string {
  const cause = uses.length === 0 ? '' : ` (${listed(uses)})`
  return `${cause}; ${remedy ?? 'set such values in git, or have them made in the cluster'}`
}

function listed(uses: readonly UnrepeatableUse[]): string {
  const texts = uses.map(({ name, place }) => `${name || 'unknown functions'} in ${place}`)
  return someInLine([...new Set(texts)], maxUses)
}

async function usesOf(
  { tree, scans }: JudgedSource,
  { templates }: Repeatability,
): Promise<UnrepeatableUse[]> {
  const uses: UnrepeatableUse[] = []
  for (const { files, values } of templates) {
    for (const file of files) uses.push(...(await scans.usesIn(tree, file)))
    uses.push(...usesInValues(values, 'a value'))
  }
  return uses
}
