import { isJsonObject } from '@wadi/fields/json-object.ts'
import { listAt } from '@wadi/fields/json-fields.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { findPaths } from '@wadi/file-trees/find-paths.ts'
import { parentPath } from '@wadi/file-trees/repository-path.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { compileMatcher } from '@wadi/patterns/automaton.ts'
import { anyText, literally, type PatternNode } from '@wadi/patterns/pattern-node.ts'
import type { DrySource } from '@wadi/resources/application/dry-sources.ts'
import { isOfRepository } from '../diff/local/local-applications.ts'
import type { DrySide } from '../diff/local/dry-side.ts'

const placeholder = /\{\{(.*?)\}\}/s
/** Characters of a path; no chart is looked for by longer ones. */
const maxPathLength = 4096
/** Generators of these may give parameters of any name. */
const openGenerators = ['files', 'elementsYaml', 'plugin']

/**
 * True if no chart of the checkout is in a directory that a source of a set's template can name, whatever its generators find
 * out: what they say as `values` is known, all else may be any text.
 */
export async function canNameNoChart(set: Manifest, source: DrySource, side: DrySide): Promise<boolean> {
  const { path, targetRevision } = source
  if (
    !isOfRepository(side.repoUrl, source) ||
    !side.isCompared(targetRevision) ||
    path.includes('..') ||
    path.length > maxPathLength
  ) {
    return false
  }
  const generators = listAt(set, 'spec', 'generators')
  const values = new Map<string, Set<string>>()
  if (!hasKey(generators, openGenerators)) collectValues(generators, values)
  const parts = path.split(placeholder).map((part, index): PatternNode => {
    if (index % 2 === 0) return literally(withoutSlashes(part))
    const known = [...(values.get(part.trim().replace(/^\./, '')) ?? [])]
    const isKnown = known.length > 0 && !known.some((value) => value.includes('{{'))
    return isKnown
      ? { kind: 'choice', options: known.map((value) => literally(withoutSlashes(value))) }
      : anyText
  })
  const matches = compileMatcher({ kind: 'sequence', parts })
  const charts = await chartDirectories(side)
  return !charts.some((chart) => matches(withoutSlashes(chart)))
}

const found = new WeakMap<FileTree, Promise<string[]>>()

/** The directories of the charts of a checkout, which are searched once. */
function chartDirectories({ tree, signal }: DrySide): Promise<string[]> {
  const query = { kind: 'files' as const, includes: ['**/Chart.yaml'], excludes: [], hidden: true }
  const directories =
    found.get(tree) ?? findPaths(tree, query, signal).then((charts) => charts.map(parentPath))
  found.set(tree, directories)
  return directories
}

/** Slashes do not count, so that empty values and doubled slashes name the same directory. */
function withoutSlashes(path: string): string {
  return path.replaceAll(/\.?\//g, '').replace(/^\.$/, '')
}

function hasKey(value: unknown, keys: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((one) => hasKey(one, keys))
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(([key, inner]) => keys.includes(key) || hasKey(inner, keys))
}

/** Collects what generators say as `values`, and elements of lists as `values.NAME`. */
function collectValues(value: unknown, values: Map<string, Set<string>>): void {
  if (Array.isArray(value)) for (const one of value) collectValues(one, values)
  if (!isJsonObject(value)) return
  const add = (name: string, text: unknown): void => {
    if (typeof text === 'string') values.getOrInsertComputed(name, () => new Set()).add(text)
  }
  for (const [key, inner] of Object.entries(value)) {
    if (key.startsWith('values.')) add(key, inner)
    if (key === 'values' && isJsonObject(inner)) {
      for (const [name, text] of Object.entries(inner)) add(`values.${name}`, text)
    } else collectValues(inner, values)
  }
}
