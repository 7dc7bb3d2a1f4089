import type { Located } from '@wadi/params/values/value.ts'
import { itemsOf, locatedList, partOf, withParts } from './located-tree.ts'
import { rebase } from './package-files.ts'

type Change = (part: Located) => Located

/** Returns an imported component with its paths written from the directory that imports it. */
export function rebaseComponent(component: Located, directory: string): Located {
  const path: Change = (part) =>
    typeof part.value === 'string' ? { ...part, value: rebase(directory, part.value) } : part
  const paths = each(path)
  return inside(component, {
    files: each((file) => inside(file, { source: path })),
    imageArchives: each((archive) => inside(archive, { path })),
    dataInjections: each((injection) => inside(injection, { source: path })),
    charts: each((chart) =>
      inside(chart, { valuesFiles: paths, templatedValuesFiles: paths, localPath: path }),
    ),
    manifests: each((manifest) => inside(manifest, { files: paths, kustomizations: paths })),
  })
}

function each(change: Change): Change {
  return (list) => locatedList(itemsOf(list).map(change), list.at)
}

/** Changes those fields of a map that are there. */
function inside(map: Located, changes: Record<string, Change>): Located {
  return withParts(
    map,
    Object.entries(changes).flatMap(([key, change]): [string, Located][] => {
      const part = partOf(map, key)
      return part === undefined ? [] : [[key, change(part)]]
    }),
  )
}
