import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      name: z.string().optional(),
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
})

type LockedPackages = z.infer<typeof lockSchema>['packages']

/** A component of CycloneDX. */
export interface Component {
  readonly type: 'library'
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly { readonly expression: string }[]
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}

/**
 * Returns the bill of materials of a release in CycloneDX: the locked packages that are in it, those of the console among them, and the
 * modules of its Go programs. It has neither a time nor a random number, so that a second build has the same.
 * @param names the packages that the command line loads
 */
export async function billOfMaterials(
  root: string,
  version: string,
  names: Iterable<string>,
): Promise<object> {
  const packages = await readLock(root)
  const ofConsole = Object.keys(packages['clients/web']?.dependencies ?? {})
  const locked = placesOf(packages, [...names, ...ofConsole]).map((place) => component(packages, place))
  return materialsOf(version, [...locked, ...(await goModules(root))])
}

/** Returns a bill of materials in CycloneDX, which names each component once. */
export function materialsOf(version: string, components: readonly Component[]): object {
  const unique = new Map(components.map((each) => [each.purl, each]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'wadi', version, purl: `pkg:npm/wadi@${version}` } },
    components: [...unique.values()].toSorted((one, other) => (one.purl < other.purl ? -1 : 1)),
  }
}

/** Returns the locked packages at places of a checkout. */
export async function packagesAt(root: string, places: Iterable<string>): Promise<Component[]> {
  const packages = await readLock(root)
  return [...places].map((place) => component(packages, place))
}

async function readLock(root: string): Promise<LockedPackages> {
  return lockSchema.parse(JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'))).packages
}

/** The places in the lock of packages of others and all that they depend on. */
function placesOf(packages: LockedPackages, names: readonly string[]): string[] {
  const places = new Set(names.flatMap((name) => placeOf(packages, '', name) ?? []))
  for (const place of places) {
    for (const name of Object.keys(packages[place]?.dependencies ?? {})) {
      const found = placeOf(packages, place, name)
      if (found !== undefined) places.add(found)
    }
  }
  return [...places]
}

/** The place of a package that another one means by a name; undefined for one of ours. */
function placeOf(packages: LockedPackages, from: string, name: string): string | undefined {
  if (name.startsWith('@wadi/')) return undefined
  for (let outer = from; ; outer = outer.slice(0, Math.max(0, outer.lastIndexOf('/node_modules/')))) {
    const place = `${outer === '' ? '' : `${outer}/`}node_modules/${name}`
    if (packages[place] !== undefined) return place
    if (outer === '') return undefined
  }
}

function component(packages: LockedPackages, place: string): Component {
  const { version = '', license, integrity } = packages[place] ?? {}
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const [, sha512] = /^sha512-(.+)$/.exec(integrity ?? '') ?? []
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace(/^@/, '%40')}@${version}`,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    ...(sha512 !== undefined && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }],
    }),
  }
}

/** Returns the modules of the Go programs. */
export async function goModules(root: string): Promise<Component[]> {
  const directory = path.join(root, 'libs/gotemplate')
  const files = await readdir(directory, { recursive: true })
  const texts = await Promise.all(
    files
      .filter((file) => path.basename(file) === 'go.mod')
      .map((file) => readFile(path.join(directory, file), 'utf8')),
  )
  return texts
    .flatMap((text) => [...text.matchAll(/^(?:require )?\s*([\w.-]+\.[\w.-]+\/\S+) (v\S+)/gm)])
    .map(([, name = '', version = '']) => ({
      type: 'library',
      name,
      version,
      purl: `pkg:golang/${name}@${encodeURIComponent(version)}`,
    }))
}
