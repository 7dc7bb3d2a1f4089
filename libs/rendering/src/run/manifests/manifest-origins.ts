import { childPath } from '@wadi/file-trees/repository-path.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import type { ManifestOrigin, ManifestText, ReadManifests } from './manifest-job.ts'

/** The comment by which Helm names the template of an object. */
const sourceComment = /^(?:---[^\n]*\n)?\s*# Source: ([^\n]{1,1000})\n/

/** Returns where an object comes from that was read from a stretch of a file. */
export function originIn({ file, chart, owners = [] }: ManifestText, text: string): ManifestOrigin {
  const path = chart === undefined ? undefined : sourceComment.exec(text)?.[1]?.trim()
  if (chart === undefined || path === undefined) return { owners, template: file, file }
  const [name = '', ...inChart] = path.split('/')
  const { charts, template } = chartsOf(inChart)
  return {
    owners: [...owners, name, ...charts],
    template: template.join('/'),
    file: childPath(chart, inChart.join('/')),
  }
}

/** Cuts `charts/NAME` from a path as often as it begins with it. */
function chartsOf(path: readonly string[]): { charts: string[]; template: readonly string[] } {
  const charts: string[] = []
  let template = path
  while (template[0] === 'charts' && template.length > 2) {
    charts.push(template[1] ?? '')
    template = template.slice(2)
  }
  return { charts, template }
}

/** Returns distinct origins, and which is that of each object. */
export function listOrigins(
  manifests: readonly Manifest[],
  originOf: ReadonlyMap<Manifest, ManifestOrigin>,
): Pick<ReadManifests, 'origins' | 'originOf'> {
  const positions = new Map<string, number>()
  const origins: ManifestOrigin[] = []
  const places = manifests.map((manifest) => {
    const origin = originOf.get(manifest) ?? { owners: [], template: '', file: '' }
    const key = JSON.stringify([origin.owners, origin.template, origin.file])
    return positions.getOrInsertComputed(key, () => origins.push(origin) - 1)
  })
  return { origins, originOf: places }
}
