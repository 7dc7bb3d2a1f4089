import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Problem } from './problem.ts'
import type { Workspace } from './workspace.ts'

const packages = z.record(z.string(), z.string()).default({})
const packageManifest = z.object({
  version: z.string().optional(),
  dependencies: packages,
  devDependencies: packages,
})

/** Checks that each workspace depends on the versions that the others have: npm would look for another one in the registry. */
export async function checkVersions(root: string, workspaces: Iterable<Workspace>): Promise<Problem[]> {
  const manifests = await Promise.all(
    [...workspaces].map(async ({ directory, name }) => {
      const text = await readFile(path.join(root, directory, 'package.json'), 'utf8')
      return {
        file: `${directory}/package.json`,
        name: `@wadi/${name}`,
        text,
        ...packageManifest.parse(JSON.parse(text)),
      }
    }),
  )
  const versions = new Map(manifests.map(({ name, version }) => [name, version]))
  return manifests.flatMap(({ file, text, dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, version]) => {
      const own = versions.get(name)
      if (own === undefined || own === version) return []
      const line = text.slice(0, text.indexOf(`"${name}"`)).split('\n').length
      return [{ file, line, message: `${name} has the version ${own}, not ${version}` }]
    }),
  )
}
