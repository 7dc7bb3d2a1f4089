import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import type { ChartRender } from '../helm-inputs.ts'
import type { InspectedOptions } from '../../../source/inspected-options.ts'
import type { RenderSource } from '../../../source/source.ts'
import { type OptionKnowledge, describeOptions } from '../../../parameters/describe/describe-options.ts'
import { helmOptions } from './helm-options.ts'
import { describeValues } from './describe-values.ts'
import type { ParameterList } from '../../../plan/parameter-view.ts'

/** Most entries of a directory that are looked at for value files, and most of those that are offered. */
const maxEntries = 50_000
const maxChoices = 1000

/** Describes the options of a Helm source and then the values of its chart. */
export async function describeHelm(
  tree: FileTree,
  inspection: InspectedOptions,
  source: RenderSource,
  plan: ChartRender,
  version: string,
): Promise<ParameterList> {
  const known = new Map<string, OptionKnowledge>([
    ['value-files', { choices: await valueFilesBelow(tree, inspection.path) }],
  ])
  if (source.destinationNamespace !== '') {
    const value = { kind: 'string', text: source.destinationNamespace } as const
    known.set('namespace', { default: { value, origin: { kind: 'application' } } })
  }
  const options = describeOptions(inspection, helmOptions, known)
  const { parameters, sections, warnings } = await describeValues(tree, inspection, plan, version)
  const optionNames = new Set(options.map(({ name }) => name))
  for (const { name } of parameters) {
    if (name === undefined || !optionNames.has(name)) continue
    warnings.push(`"${name}" names the option; the value of the chart of this name is set as "\\${name}"`)
  }
  return { parameters: [...options, ...parameters], ...(sections && { sections }), warnings }
}

/** YAML files below a directory whose names say that they hold values, relative to it and in byte order. */
async function valueFilesBelow(tree: FileTree, directory: string): Promise<string[]> {
  const root = (await followPath(tree, directory))?.target ?? directory
  const found: string[] = []
  let looked = 0
  const walk = async (relative: string): Promise<void> => {
    const current = [root, relative].filter((part) => part !== '').join('/')
    for (const { name, kind } of await tree.list(current)) {
      looked += 1
      if (looked > maxEntries || found.length === maxChoices) return
      const path = relative === '' ? name : `${relative}/${name}`
      if (kind === 'directory') await walk(path)
      else if (/values.*\.ya?ml$/.test(name) && kind !== 'submodule') found.push(path)
    }
  }
  await walk('')
  return found.toSorted()
}
