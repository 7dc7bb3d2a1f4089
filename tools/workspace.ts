import path from 'node:path'

/** The roles of the top directories; what each may import is decided by `layering.ts`. */
export type Layer = (typeof single)[number] | (typeof grouping)[number]

/** One npm workspace of the repository. */
export interface Workspace {
  readonly layer: Layer
  /** `libs/git`, `mesh`. */
  readonly directory: string
  /** `git`, `mesh`: the part after `@wadi/`. */
  readonly name: string
}

const single = ['mesh', 'integration-tests', 'bench', 'fuzz', 'simulation', 'tools'] as const
const grouping = ['libs', 'services', 'clients', 'plugins'] as const

/** The workspace that a file belongs to; undefined for files outside all of them. */
export function workspaceOf(file: string): Workspace | undefined {
  const [top, second, third] = file.split('/')
  const alone = single.find((layer) => layer === top)
  if (alone) return { layer: alone, directory: alone, name: alone }
  const layer = grouping.find((candidate) => candidate === top)
  if (!layer || second === undefined || third === undefined) return undefined
  return { layer, directory: `${layer}/${second}`, name: second }
}

/** The workspaces that hold the files, by name. */
export function workspacesOf(files: readonly string[]): ReadonlyMap<string, Workspace> {
  return new Map(files.flatMap((file) => workspaceOf(file) ?? []).map((found) => [found.name, found]))
}

/**
 * The file that a specifier names when it is one of the project's own: relative, or `@wadi/<workspace>/<file>`.
 * `workspaces` are those by name. Undefined for packages and built-in modules.
 */
export function ownFile(
  importer: string,
  specifier: string,
  workspaces: ReadonlyMap<string, Workspace>,
): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(importer), specifier)
  const match = /^@wadi\/([^/]+)\/(.+)$/.exec(specifier)
  const workspace = workspaces.get(match?.[1] ?? '')
  return workspace && match?.[2] ? `${workspace.directory}/src/${match[2]}` : undefined
}
