import type { SourceModule } from './module-imports.ts'
import { ownFile, workspacesOf } from './workspace.ts'

/** Folders whose tests run the product as a whole, or programs by way of it. */
const slowFolders = ['integration-tests/', 'bench/', 'fuzz/', 'mesh/', 'tools/', 'services/cmp-server/']

/** What a test or fixture imports to start programs: git, renderers, servers, the command line. */
const startsPrograms =
  /^(?:node:child_process|simple-git|@wadi\/(?:mesh|containment|programs)\/.*|@wadi\/git\/(?:process|mirror)\/.*)$/

/** Those of the test files that start no program, neither themselves nor by a fixture that they import. */
export function fastTests(modules: readonly SourceModule[]): string[] {
  const byFile = new Map(modules.map((module) => [module.file, module]))
  const workspaces = workspacesOf([...byFile.keys()])
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
    .filter((file) => file.endsWith('.test.ts') && !slowFolders.some((folder) => file.startsWith(folder)))
    .filter(isFast)
}

/** Whether a file is there for tests alone. */
function isTestSide(file: string): boolean {
  return file.endsWith('-fixture.ts') || file.includes('/testing/')
}
