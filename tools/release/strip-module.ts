import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { ownFile, type Workspace } from '../workspace.ts'

/** A module as JavaScript, and what it loads. */
export interface StrippedModule {
  /** Each line and column is that of the source. */
  readonly text: string
  /** Files of the repository, by their paths in it. */
  readonly files: readonly string[]
  /** Names of packages of others. */
  readonly packages: readonly string[]
}

interface Reference {
  /** The place of the text between the quotes. */
  readonly start: number
  readonly end: number
  readonly specifier: string
}

/**
 * Removes the types of a module, since Node.js runs no TypeScript below `node_modules`. It then names files of the repository, which become
 * JavaScript too, by their paths from its own.
 * @param workspaces those of the repository, by name
 */
export function stripModule(
  file: string,
  source: string,
  workspaces: ReadonlyMap<string, Workspace>,
): StrippedModule {
  const code = stripTypeScriptTypes(source)
  const files: string[] = []
  const packages: string[] = []
  let text = ''
  let copied = 0
  for (const { start, end, specifier } of references(file, code)) {
    const own = ownFile(file, specifier, workspaces)
    if (own === undefined) {
      if (!specifier.startsWith('node:')) packages.push(packageName(specifier))
      continue
    }
    files.push(own)
    const relative = path.posix.relative(path.posix.dirname(file), javascriptFile(own))
    text += code.slice(copied, start) + (relative.startsWith('.') ? relative : `./${relative}`)
    copied = end
  }
  return { text: text + code.slice(copied), files, packages }
}

/** The name of a file in the package: TypeScript becomes JavaScript. */
export function javascriptFile(file: string): string {
  return file.replace(/\.ts$/, '.js')
}

/** The imports of a module, and the scripts that it starts as threads (`new URL('thread.ts', import.meta.url)`), in the order of the text. */
function references(file: string, code: string): Reference[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(javascriptFile(file), code).module
  const requests = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
    ...dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ]
  const imports = requests.map(({ start, end }) => {
    const [, , specifier] = /^(['"])(.*)\1$/.exec(code.slice(start, end)) ?? []
    if (specifier === undefined) throw new Error(`${file}: an import is not of a literal`)
    return { start: start + 1, end: end - 1, specifier }
  })
  const threads = [...code.matchAll(/(?<=\bnew URL\(')[^']+\.ts(?=', import\.meta\.url\))/g)].map(
    ({ index, 0: name }) => ({ start: index, end: index + name.length, specifier: `./${name}` }),
  )
  const unique = new Map([...imports, ...threads].map((reference) => [reference.start, reference]))
  return [...unique.values()].toSorted((one, other) => one.start - other.start)
}

function packageName(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}
