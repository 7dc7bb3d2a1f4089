import type { SourceModule } from './module-imports.ts'
import { ownFile, type Workspace, workspacesOf } from './workspace.ts'

/** Directories whose tests run the product as a whole, or programs by way of it. */
const slowDirectories = [
  'integration-tests/',
  'bench/',
  'fuzz/',
  'simulation/',
  'mesh/',
  'tools/',
  'services/cmp-server/',
]

/** Matches the modules by which a test or fixture starts programs: git, renderers, servers, the command line, the bundler of the web console. */
const startsPrograms =
  /^(?:node:child_process|simple-git|vite|@wadi\/(?:mesh|containment|programs)\/.*|@wadi\/git\/(?:process|mirror)\/.*)$/

/** The modules that take seconds of a processor to open: threads, as which the programs of `libs/gotemplate` run, and containment. */
const engines = ['node:worker_threads', 'libs/containment/src/containment.ts']

/**
 * Those of the test files that start no program, neither themselves nor by a fixture that they import, and that load no code that opens
 * an engine.
 */
export function fastTests(modules: readonly SourceModule[]): string[] {
  const byFile = new Map(modules.map((module) => [module.file, module]))
  const workspaces = workspacesOf([...byFile.keys()])
  const engineUsers = usersOfEngines(modules, workspaces)
  const known = new Map<string, boolean>()
  const isFast = (file: string): boolean => {
    const before = known.get(file)
    if (before !== undefined) return before
    // Fixtures that import each other are as fast as what else they import.
    known.set(file, true)
    const imports = (byFile.get(file)?.imports ?? []).filter(({ typeOnly }) => !typeOnly)
    const fast = imports.every(({ specifier }) => {
      const target = ownFile(file, specifier, workspaces)
      return (
        !startsPrograms.test(specifier) && (target === undefined || !isTestSide(target) || isFast(target))
      )
    })
    known.set(file, fast)
    return fast
  }
  return modules
    .map(({ file }) => file)
    .filter(
      (file) => file.endsWith('.test.ts') && !slowDirectories.some((directory) => file.startsWith(directory)),
    )
    .filter((file) => !engineUsers.has(file) && isFast(file))
}

/** The files that load an engine, by however many imports. */
function usersOfEngines(
  modules: readonly SourceModule[],
  workspaces: ReadonlyMap<string, Workspace>,
): ReadonlySet<string> {
  const importers = new Map<string, string[]>()
  for (const { file, imports } of modules) {
    for (const { specifier, typeOnly } of imports) {
      if (typeOnly) continue
      const target = ownFile(file, specifier, workspaces) ?? specifier
      importers.set(target, [...(importers.get(target) ?? []), file])
    }
  }
  const found = new Set(engines)
  // A set gives also what is added to it on the way.
  for (const user of found) for (const importer of importers.get(user) ?? []) found.add(importer)
  return found
}

/** Returns true if only tests use a file. */
function isTestSide(file: string): boolean {
  return file.endsWith('-fixture.ts') || file.includes('/testing/')
}
