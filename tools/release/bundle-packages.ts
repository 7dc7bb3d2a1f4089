import { existsSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const manifestSchema = z.looseObject({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).optional(),
})

/** The fields that npm would act on when the package that holds them is installed: scripts, and more packages than are here. */
const withoutUse = [
  'scripts',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
]

/**
 * Copies installed packages and those that they depend on into a directory `node_modules`, without optional ones.
 * @returns their versions, by name, of those that lie directly in it
 */
export async function bundlePackages(
  root: string,
  names: Iterable<string>,
  target: string,
): Promise<ReadonlyMap<string, string>> {
  const installed = path.join(root, 'node_modules')
  const versions = new Map<string, string>()
  const places = new Set([...names].map((name) => placeOf(installed, '', name)))
  for (const place of places) {
    const manifestFile = path.join(installed, place, 'package.json')
    const manifest = manifestSchema.parse(JSON.parse(await readFile(manifestFile, 'utf8')))
    if (!place.includes('/node_modules/')) versions.set(place, manifest.version)
    const nested = path.join(installed, place, 'node_modules')
    await cp(path.join(installed, place), path.join(target, place), {
      recursive: true,
      filter: (file) => file !== nested,
    })
    const kept = Object.fromEntries(Object.entries(manifest).filter(([field]) => !withoutUse.includes(field)))
    await writeFile(path.join(target, place, 'package.json'), JSON.stringify(kept))
    for (const name of Object.keys(manifest.dependencies ?? {})) places.add(placeOf(installed, place, name))
  }
  return new Map([...versions].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The place of the package that another one means by a name: in its own `node_modules`, or one further out. */
function placeOf(installed: string, from: string, name: string): string {
  for (
    let outer = from;
    outer !== '';
    outer = outer.slice(0, Math.max(0, outer.lastIndexOf('/node_modules/')))
  ) {
    const place = `${outer}/node_modules/${name}`
    if (existsSync(path.join(installed, place))) return place
  }
  if (!existsSync(path.join(installed, name)))
    throw new Error(`${name} is not installed: run tools/install.sh`)
  return name
}
