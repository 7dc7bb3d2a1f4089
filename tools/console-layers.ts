import path from 'node:path'
import type { SourceModule } from './module-imports.ts'
import type { Problem } from './problem.ts'

const root = 'clients/web/src/'

/** The layers from which a part of the web console may import, besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  app: ['features', 'components', 'server', 'words', 'language'],
  features: ['components', 'server', 'words', 'language'],
  components: ['server', 'words', 'language'],
  server: [],
  words: ['language'],
  language: [],
}

/** Checks that imports within the web console run from `app` to `features` to `components` to `server` and `words`, from these but `server` to `language`, and from no feature to another. */
export function checkConsoleLayers(modules: readonly SourceModule[]): Problem[] {
  return modules.flatMap(({ file, imports }) => {
    if (!file.startsWith(root)) return []
    return imports.flatMap(({ line, specifier }) => {
      if (!specifier.startsWith('.')) return []
      const message = rejection(file, path.posix.join(path.posix.dirname(file), specifier))
      return message === undefined ? [] : [{ file, line, message }]
    })
  })
}

function rejection(file: string, target: string): string | undefined {
  const from = partOf(file)
  const to = partOf(target)
  if (from.layer === to.layer && from.feature === to.feature) return undefined
  if (from.layer === 'features' && to.layer === 'features')
    return `the feature ${from.feature} may not import the feature ${to.feature}: move what both need to components, server or words`
  if (mayImport[from.layer]?.includes(to.layer)) return undefined
  return `${from.layer} may not import ${to.layer}`
}

function partOf(file: string): { layer: string; feature: string } {
  const [layer = '', directory = ''] = file.slice(root.length).split('/')
  return { layer, feature: layer === 'features' ? directory : '' }
}
