import { create } from '@bufbuild/protobuf'
import { readTexts } from '@wadi/file-trees/read-texts.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { type ObjectOrigins, ObjectOriginsSchema } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import { chartReads } from './chart-reads.ts'

/** Most paths of all templates together; those of further templates are everything. */
const maxAllReads = 20_000

/** Returns the origins of a chart's objects with the values that each template reads, itself or by the templates that it includes. */
export async function withReads(
  tree: FileTree,
  chart: string,
  { origins, originOf }: ObjectOrigins,
): Promise<ObjectOrigins> {
  const texts = await readTexts(tree, [childPath(chart, 'templates'), childPath(chart, 'charts')])
  const templates = texts.filter(({ file }) => /(?:^|\/)templates\//.test(file))
  const files = new Map(templates.map(({ file, text }) => [file, text]))
  const readsOf = chartReads(files)
  let room = maxAllReads
  return create(ObjectOriginsSchema, {
    originOf,
    origins: origins.map((origin) => {
      if (!files.has(origin.file)) return origin
      const found = readsOf(origin.file)
      const reads = found === undefined ? ['.'] : pathsInChart(found, origin.owners.slice(1))
      room -= reads.length
      return { ...origin, reads: room < 0 ? ['.'] : reads }
    }),
  })
}

/** @param charts the subcharts to the template, whose values have their names before them */
function pathsInChart(paths: Iterable<string>, charts: readonly string[]): string[] {
  const above = charts.map((name) => `.${name}`).join('')
  const placed = Array.from(paths, (path) =>
    path.startsWith('.global.') || path === '.global' ? path : above + path || '.',
  )
  return placed.toSorted()
}
