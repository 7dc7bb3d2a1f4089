import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

/** One import, re-export, `import()` or `import.meta.resolve()` of a source file. */
interface ModuleImport {
  readonly line: number
  /** As written: `./tree.ts`, `@wadi/git/mirror/mirror.ts`, `node:fs`, `pino`. */
  readonly specifier: string
  /** `import type` and `export type` are erased, so they load nothing at run time. */
  readonly typeOnly: boolean
}

/** A source file and what it imports. */
export interface SourceModule {
  /** Path relative to the project's root. */
  readonly file: string
  readonly imports: readonly ModuleImport[]
}

/** Parses the files and lists their imports in the order of the text; a computed `import()` is not listed. */
export async function readModules(root: string, files: readonly string[]): Promise<SourceModule[]> {
  return Promise.all(
    files.map(async (file) => ({
      file,
      imports: importsOf(file, await readFile(path.join(root, file), 'utf8')),
    })),
  )
}

function importsOf(file: string, source: string): ModuleImport[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module
  const erased = /^(?:import|export)\s+type\b(?!\s*(?:,|from\b))/
  const statements = [
    ...staticImports.map(({ start, end, moduleRequest }) => ({
      start,
      typeOnly: erased.test(source.slice(start, end)),
      specifier: moduleRequest.value,
    })),
    ...staticExports.flatMap(({ start, end, entries }) =>
      [...new Set(entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []))].map((specifier) => ({
        start,
        typeOnly: erased.test(source.slice(start, end)),
        specifier,
      })),
    ),
    ...dynamicImports.flatMap(({ start, moduleRequest }) => {
      const literal = /^(['"])(.*)\1$/.exec(source.slice(moduleRequest.start, moduleRequest.end))
      return literal?.[2] === undefined ? [] : [{ start, typeOnly: false, specifier: literal[2] }]
    }),
    ...[...source.matchAll(/\bimport\.meta\.resolve\((['"])(.*?)\1\)/g)].map(
      ({ index, 2: specifier = '' }) => ({
        start: index,
        typeOnly: false,
        specifier,
      }),
    ),
  ]
  return statements
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, ...rest }) => ({ line: source.slice(0, start).split('\n').length, ...rest }))
}
