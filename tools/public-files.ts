import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { SourceModule } from './module-imports.ts'
import type { Problem } from './problem.ts'
import { ownFile, workspaceOf, workspacesOf } from './workspace.ts'

const generated = './gen/*.ts'
const packageManifest = z.object({ exports: z.record(z.string(), z.string()).default({}) })

/**
 * Checks that the `exports` of every workspace are its public files and no others: each is a file, is imported by another
 * workspace, and no workspace imports a file of another that is not among them. Generated code may be listed by its directory.
 */
export async function checkPublicFiles(root: string, modules: readonly SourceModule[]): Promise<Problem[]> {
  const workspaces = workspacesOf(modules.map(({ file }) => file))
  const problems: Problem[] = []
  const imported = importedFiles(modules, workspaces)
  for (const { directory, name } of workspaces.values()) {
    const manifest = `${directory}/package.json`
    const text = await readFile(path.join(root, manifest), 'utf8')
    const { exports } = packageManifest.parse(JSON.parse(text))
    const uses = imported.get(directory) ?? new Map<string, Place>()
    for (const [entry, target] of Object.entries(exports)) {
      const message = await errorOfEntry(root, directory, entry, target, uses)
      if (message !== undefined) problems.push({ file: manifest, line: lineOf(text, entry), message })
    }
    for (const [entry, place] of uses) {
      const listed = entry in exports || (entry.startsWith('./gen/') && generated in exports)
      if (!listed)
        problems.push({ ...place, message: `@wadi/${name} does not list '${entry}' in its exports` })
    }
  }
  return problems
}

type Place = Pick<Problem, 'file' | 'line'>

/** For each workspace's directory: the entries that other workspaces import, each with its first import. */
function importedFiles(
  modules: readonly SourceModule[],
  workspaces: ReturnType<typeof workspacesOf>,
): ReadonlyMap<string, ReadonlyMap<string, Place>> {
  const imported = new Map<string, Map<string, Place>>()
  for (const { file, imports } of modules) {
    for (const { line, specifier } of imports) {
      if (!specifier.startsWith('@wadi/')) continue
      const target = ownFile(file, specifier, workspaces)
      const directory = target === undefined ? undefined : workspaceOf(target)?.directory
      if (target === undefined || directory === undefined || directory === workspaceOf(file)?.directory)
        continue
      const entries = imported.get(directory) ?? new Map<string, Place>()
      imported.set(directory, entries)
      const entry = `./${target.slice(`${directory}/src/`.length)}`
      if (!entries.has(entry)) entries.set(entry, { file, line })
    }
  }
  return imported
}

async function errorOfEntry(
  root: string,
  directory: string,
  entry: string,
  target: string,
  uses: ReadonlyMap<string, Place>,
): Promise<string | undefined> {
  if (target !== `./src/${entry.slice(2)}`) return `'${entry}' must lead to './src/${entry.slice(2)}'`
  if (entry === generated) return undefined
  if (entry.includes('*')) return `'${entry}' hides which files are public: list them`
  const exists = await access(path.join(root, directory, target)).then(
    () => true,
    () => false,
  )
  if (!exists) return `'${target}' does not exist`
  return uses.has(entry) ? undefined : `no other workspace imports '${entry}': remove it from the exports`
}

function lineOf(text: string, entry: string): number {
  return text.slice(0, Math.max(text.indexOf(`"${entry}"`), 0)).split('\n').length
}
