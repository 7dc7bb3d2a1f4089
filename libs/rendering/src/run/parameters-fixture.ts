import type { ParameterTree } from '@wadi/params/explain/explain.ts'
import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import type { Plugin } from '../renderers/plugin/plugins.ts'
import { testPlugin } from '../renderers/plugin/plugins-fixture.ts'
import type { RenderFixture } from './render-fixture.ts'
import type { RenderSource } from '../source/source.ts'
import { describeParameters } from '../parameters/describe/describe-parameters.ts'
import { editParameters } from '../parameters/edit/edit-parameters.ts'
import type { ParameterMessage } from '../parameters/describe/parameter-message.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

/** A plugin in this process that announces parameters. */
export function announcingPlugin(
  name: string,
  announcements: Announcement[],
  warnings: string[] = [],
): Plugin {
  return { ...testPlugin(name), announce: async () => ({ announcements, warnings }) }
}

/** Describes a source of a repository directory. */
export async function describeSource(
  fixture: RenderFixture,
  source: RenderSource,
): ReturnType<typeof describeParameters> {
  const inspection = await fixture.inspect(source)
  const tree = openDirectoryTree(fixture.directory)
  return await describeParameters(tree, inspection, source, AbortSignal.timeout(hangLimitMs))
}

/** The trees that explain a source of a repository directory. */
export async function treesOf(
  fixture: RenderFixture,
  source: RenderSource,
): Promise<readonly ParameterTree[]> {
  const inspection = await fixture.inspect(source)
  const tree = openDirectoryTree(fixture.directory)
  return await inspection.plan.parameters.explain({ tree, inspection, signal: undefined })
}

/** Parameters as lines: name, what is set with where, what is the default with where. */
export function linesOf(parameters: readonly ParameterMessage[]): string[] {
  return parameters.map(({ name = '', type = '', announced, ...rest }) => {
    const set = rest.value === undefined ? '' : ` = ${valueText(rest.value)} (${placeText(rest.origin)})`
    const normal =
      rest.default === undefined
        ? ''
        : ` default ${valueText(rest.default)} (${placeText(rest.defaultOrigin)})`
    return `${name}: ${type}${set}${normal}${announced === true ? '' : ' unknown'}`
  })
}

function valueText(value: NonNullable<ParameterMessage['value']>): string {
  const kind = value.kind
  if (kind?.case === 'text') return JSON.stringify(kind.value)
  if (kind?.case === 'list') return JSON.stringify(kind.value.items)
  const entries = kind?.case === 'map' ? (kind.value.entries ?? []) : []
  return `{${entries.map(({ key, value: text }) => `${key}: ${text}`).join(', ')}}`
}

function placeText(origin: ParameterMessage['origin']): string {
  if (origin === undefined) return 'nowhere'
  const { kind = '', file = '', line = 0 } = origin
  return file === '' ? kind : `${kind} ${file}:${line}`
}

/** Returns the changes of words as users write them: `name=value` sets, `name-` removes. */
export function changesOf(...words: string[]): Parameters<typeof editParameters>[3] {
  const removals = words.filter((word) => /^[^=]*-$/.test(word)).map((word) => word.slice(0, -1))
  const assignments = words
    .filter((word) => !/^[^=]*-$/.test(word))
    .map((word) => {
      const equals = word.indexOf('=')
      return { target: word.slice(0, equals), value: word.slice(equals + 1) }
    })
  return { assignments, removals }
}

/** Edits a source of a repository directory; nothing is written. */
export async function editSource(
  fixture: RenderFixture,
  source: RenderSource,
  changes: Parameters<typeof editParameters>[3],
): ReturnType<typeof editParameters> {
  const inspection = await fixture.inspect(source)
  return await editParameters(openDirectoryTree(fixture.directory), inspection, source, changes)
}
