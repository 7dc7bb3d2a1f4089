import { isDeepStrictEqual } from 'node:util'
import { DomainError } from '@wadi/errors/domain-error.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { by } from '@wadi/order/by-name.ts'
import { maxFileBytes } from '../../diff/local/application-files.ts'
import { type FoundObjects, keyOf, selected, type Selection, type UnreadableFile } from '../found-objects.ts'
import type { ImportContext } from '../import-context.ts'
import type { ImportItem } from '../import-item.ts'
import type { ImportRequest } from '../source-changes.ts'
import { chartOf, type MadeObject, madeObjects, makersOf, plainMaker } from './chart-renderings.ts'
import { kindCount, type MarkedDocument, markedDocuments, markedFiles } from './marked-templates.ts'
import { itemsOf, planMade, type PlannedItems } from './template-items.ts'
import { stayingItem } from './together-or-not.ts'

/** The Applications that templates of charts in a checkout make. */
export interface PlannedTemplates {
  readonly items: readonly ImportItem[]
  /** The files that make others, or of which nothing is made. */
  readonly unreadable: readonly UnreadableFile[]
}

/**
 * Plans how the templates of charts move that make Applications. Each chart is rendered before and after, as the Applications
 * of the repository do, or without options if none does: a template moves if what it makes becomes what it must.
 */
export async function planTemplates(
  { unreadable, known }: FoundObjects,
  selection: Selection,
  request: ImportRequest,
  context: ImportContext,
): Promise<PlannedTemplates> {
  const charts = new Map<string, UnreadableFile[]>()
  const left: UnreadableFile[] = []
  for (const file of unreadable) {
    const chart = file.isTemplate ? await chartOf(file.file, context.side) : undefined
    if (chart === undefined) left.push(file)
    else charts.getOrInsertComputed(chart, () => []).push(file)
  }
  const items: ImportItem[] = []
  for (const [path, files] of charts) {
    const chart = { path, files, makers: makersOf(path, known, context.side) }
    const planned = await planChart(chart, selection, request, context)
    items.push(...planned.items)
    left.push(...planned.unreadable)
  }
  return { items, unreadable: left.toSorted(by(({ file }) => file)) }
}

/** A chart with templates that make Applications. */
interface MakingChart {
  readonly path: string
  readonly files: readonly UnreadableFile[]
  /** The Applications of the repository that render it. */
  readonly makers: readonly Manifest[]
}

async function planChart(
  { path, files, makers: known }: MakingChart,
  selection: Selection,
  request: ImportRequest,
  context: ImportContext,
): Promise<PlannedTemplates> {
  const texts = new Map<string, string>()
  for (const { file } of files) {
    texts.set(file, fileText(await context.side.tree.read(file, maxFileBytes), file))
  }
  const unreadable = (why: string, some: readonly UnreadableFile[]): UnreadableFile[] => {
    const maker = known.length > 0 ? 'another Application that renders it' : 'the Application that renders it'
    const reason = `it is a template of chart ${path}, ${why}; add a file with ${maker} to this repository, or change it by hand`
    return some.map((file) => ({ ...file, reason }))
  }
  const makers = known.length > 0 ? known : [plainMaker(path, context.side)]
  try {
    const documents = markedDocuments(texts)
    const before = await madeObjects(makers, markedFiles(texts, documents), context)
    const plans = new Map<MarkedDocument, PlannedItems>()
    for (const document of documents) {
      const made = distinct(madeOf(document, before))
      if (made.length > 0) plans.set(document, await planMade(document, made, request, context))
    }
    const splices = Array.from(plans, ([{ id }, plan]) =>
      'items' in plan ? [] : [[id, plan.splice] as const],
    ).flat()
    const after = await madeObjects(makers, markedFiles(texts, documents, new Map(splices)), context)
    const isKept = isDeepStrictEqual(others(before), others(after))
    const items = Array.from(plans, ([document, plan]) =>
      wantedOf(itemsOf(document, plan, isKept ? madeOf(document, after) : []), selection),
    ).flat()
    const left = files.filter(({ file }) => {
      const planned = [...plans.keys()].filter((document) => document.file === file)
      return planned.length === 0 || planned.length < kindCount(texts.get(file) ?? '')
    })
    return { items, unreadable: unreadable('which makes no Application of all that it has', left) }
  } catch (error) {
    if (!(error instanceof DomainError) || error.name === 'CanceledError') throw error
    const why = `which cannot be rendered here: ${error.message.replace(/\.$/, '')}`
    return { items: [], unreadable: unreadable(why, files) }
  }
}

/** The items of a document of which one is selected: all of them move, or none. */
function wantedOf(group: readonly ImportItem[], selection: Selection): readonly ImportItem[] {
  const objects = group.map(({ found }) => found)
  const wanted = selected(objects, selection)
  if (wanted.length === 0) return []
  if (wanted.length === group.length) return group
  const reason = `its template makes ${group.length - wanted.length} more, which are not selected`
  return group.map((item) => (item.outcome === 'moves' ? stayingItem(item.found, reason) : item))
}

function madeOf({ id }: MarkedDocument, made: readonly (readonly MadeObject[])[]): Manifest[] {
  return made.flat().flatMap(({ document, manifest }) => (document === id ? [manifest] : []))
}

function others(made: readonly (readonly MadeObject[])[]): Manifest[][] {
  return made.map((objects) =>
    objects.flatMap(({ document, manifest }) => (document === undefined ? [manifest] : [])),
  )
}

/** The objects that several makers make, each once. */
function distinct(objects: readonly Manifest[]): Manifest[] {
  return [...Map.groupBy(objects, keyOf).values()].flatMap((group) =>
    group.filter((one, index) => group.findIndex((other) => isDeepStrictEqual(one, other)) === index),
  )
}
