import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { z } from 'zod'
import type { SourceModule } from './module-imports.ts'
import type { Problem } from './problem.ts'
import { type Layer, ownFile, type Workspace, workspaceOf, workspacesOf } from './workspace.ts'

const mayImport: Readonly<Record<Layer, readonly Layer[]>> = {
  libs: ['libs'],
  services: ['libs'],
  clients: ['libs'],
  // Others copy them: they stand alone.
  plugins: [],
  mesh: ['services', 'libs'],
  tools: ['libs', 'services', 'clients'],
  'integration-tests': ['libs', 'services', 'clients', 'mesh', 'bench', 'tools'],
  fuzz: ['libs', 'services', 'clients'],
  simulation: ['libs', 'services'],
  bench: ['libs', 'services', 'clients', 'mesh', 'integration-tests', 'tools'],
}

/** Returns why `from` may not import `to`; undefined if it may. `libs/protocol` is the ground: it imports no workspace. */
function rejection(from: Workspace, to: Workspace): string | undefined {
  if (from.directory === to.directory) return undefined
  if (from.directory === 'libs/protocol') return 'libs/protocol imports no other workspace'
  if (from.directory === 'clients/cli' && to.layer === 'mesh') return undefined
  if (mayImport[from.layer].includes(to.layer)) return undefined
  return `${from.directory} may not import ${to.directory}: ${from.layer} import only ${mayImport[from.layer].join(', ')}`
}

/** Checks the direction of imports and that every package is declared by the workspace that imports it. */
export async function checkLayering(root: string, modules: readonly SourceModule[]): Promise<Problem[]> {
  const workspaces = workspacesOf(modules.map(({ file }) => file))
  const declared = new Map<string, Declared>()
  for (const { directory } of workspaces.values())
    declared.set(directory, await readDeclared(root, directory))

  const problems: Problem[] = []
  const named = new Set<string>()
  for (const { file, imports } of modules) {
    const from = workspaceOf(file)
    if (!from) continue
    for (const { line, specifier } of imports) {
      const target = ownFile(file, specifier, workspaces)
      const to = target === undefined ? undefined : workspaceOf(target)
      const misplaced =
        specifier.startsWith('.') && to?.directory !== from.directory
          ? `'${specifier}' leaves ${from.directory}: import another workspace by its name`
          : to && rejection(from, to)
      if (misplaced !== undefined) problems.push({ file, line, message: misplaced })
      const missing = undeclared(file, specifier, declared.get(from.directory))
      // The first place is enough: one line in the manifest fixes them all.
      if (missing !== undefined && !named.has(missing)) problems.push({ file, line, message: missing })
      if (missing !== undefined) named.add(missing)
    }
  }
  return problems
}

const packages = z.record(z.string(), z.string()).optional()
const packageManifest = z.object({
  dependencies: packages,
  optionalDependencies: packages,
  devDependencies: packages,
})

interface Declared {
  readonly manifest: string
  readonly always: ReadonlySet<string>
  readonly inTests: ReadonlySet<string>
}

async function readDeclared(root: string, directory: string): Promise<Declared> {
  const manifest = `${directory}/package.json`
  const { dependencies, optionalDependencies, devDependencies } = packageManifest.parse(
    JSON.parse(await readFile(path.join(root, manifest), 'utf8')),
  )
  return {
    manifest,
    always: new Set(Object.keys({ ...dependencies, ...optionalDependencies })),
    inTests: new Set(Object.keys({ ...devDependencies })),
  }
}

function undeclared(file: string, specifier: string, declared: Declared | undefined): string | undefined {
  if (!declared || /^[.#]/.test(specifier) || isBuiltin(specifier)) return undefined
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (declared.always.has(name)) return undefined
  if (!declared.inTests.has(name)) return `${name} is not declared in ${declared.manifest}`
  return developing(file) ? undefined : `${name} is only among the devDependencies of ${declared.manifest}`
}

/** Tests and their fixtures, and the workspaces that never leave the repository, may live on devDependencies. */
function developing(file: string): boolean {
  return /(?:\.test|-fixture)\.ts$|^(?:bench|fuzz|simulation|integration-tests|tools|libs\/testing)\//.test(
    file,
  )
}
