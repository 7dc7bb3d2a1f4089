import { create } from '@bufbuild/protobuf'
import { readTexts } from '@wadi/file-trees/read-texts.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { type ObjectOrigins, ObjectOriginsSchema } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'

/** Most paths of one template; one that reads more reads about everything. */
const maxReads = 200

/** Returns the origins of a chart's objects with the values that each template reads, itself or by the templates that it includes. */
export async function withReads(
  tree: FileTree,
  chart: string,
  { origins, originOf }: ObjectOrigins,
): Promise<ObjectOrigins> {
  const texts = new Map(
    (await readTexts(tree, [childPath(chart, 'templates'), childPath(chart, 'charts')])).map(
      ({ file, text }) => [file, text],
    ),
  )
  const definitions = new Map([...texts.values()].flatMap(definitionsIn))
  return create(ObjectOriginsSchema, {
    originOf,
    origins: origins.map((origin) => {
      const text = texts.get(origin.file)
      if (text === undefined) return origin
      const reads = readsOf(text, definitions, origin.owners.slice(1))
      return { ...origin, reads: reads.length > maxReads ? ['.'] : reads }
    }),
  })
}

/** Returns the texts of the templates that a file defines, by their names. */
function definitionsIn(text: string): [name: string, body: string][] {
  const starts = [...text.matchAll(/\{\{-?\s*define\s+"([^"]+)"/g)]
  return starts.map(({ index, 1: name = '' }, position) => [
    name,
    text.slice(index, starts[position + 1]?.index),
  ])
}

/** @param charts the subcharts to the template, whose values have their names before them */
function readsOf(
  text: string,
  definitions: ReadonlyMap<string, string>,
  charts: readonly string[],
): string[] {
  const reads = new Set<string>()
  const included = new Set<string>()
  const read = (body: string): void => {
    for (const { 1: chain = '' } of body.matchAll(/\.Values((?:\.[A-Za-z_]\w*)*)/g)) {
      const path =
        chain.startsWith('.global.') || chain === '.global'
          ? chain
          : [...charts.map((name) => `.${name}`), chain].join('')
      reads.add(path === '' ? '.' : path)
    }
    for (const { 1: name = '' } of body.matchAll(/\b(?:include|template)\s*\(?\s*"([^"]+)"/g)) {
      if (included.has(name)) continue
      included.add(name)
      read(definitions.get(name) ?? '')
    }
  }
  read(text)
  return [...reads].toSorted()
}
