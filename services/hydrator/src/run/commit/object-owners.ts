import { kindScope } from '@wadi/manifests/kind-scope.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'

/** The objects of a directory: one line for each, `group/kind`, namespace and name behind tabs. */
export function objectsText(manifests: readonly string[]): string {
  const lines = manifests.map((text) => {
    const manifest: Manifest = JSON.parse(text)
    const { group, kind, namespace, name } = manifestIdentity(manifest)
    if (name === '') return ''
    const place = kindScope(group, kind) === 'Cluster' ? '-' : namespace
    return [`${group}/${kind}`, place, name].join('\t')
  })
  return [...new Set(lines)].filter((line) => line !== '').join('\n')
}

/** An object that several directories make. */
export interface OwnedObject {
  readonly group: string
  readonly kind: string
  /** `''` for one of the cluster. */
  readonly namespace: string
  readonly name: string
  readonly paths: ReadonlySet<string>
}

/** A directory and where its objects go that do not say it. */
export interface OwningDirectory {
  readonly text: string
  readonly namespace: string
}

/** The directories of a branch that make each object. */
export class ObjectOwners {
  readonly #directories = new Map<string, OwningDirectory>()
  /** By object; one path alone, as nearly always, or several. */
  readonly #paths = new Map<string, string | Set<string>>()
  readonly #several = new Set<string>()

  /** The directories that make something. */
  paths(): Iterable<string> {
    return this.#directories.keys()
  }

  /** Takes what a directory is now; undefined for one that is gone. */
  set(path: string, directory: OwningDirectory | undefined): void {
    const before = this.#directories.get(path)
    if (before?.text === directory?.text && before?.namespace === directory?.namespace) return
    this.#remove(path)
    if (directory === undefined) return
    this.#directories.set(path, directory)
    for (const object of objectsOf(directory)) this.#add(object, path)
  }

  /** The objects that several directories make, in the order in which that was found. */
  several(): OwnedObject[] {
    return [...this.#several].map((object) => {
      const [kinds = '', namespace = '', name = ''] = object.split('\t')
      const slash = kinds.indexOf('/')
      const place = namespace === '-' ? '' : namespace
      const paths = this.#paths.get(object)
      return {
        group: kinds.slice(0, slash),
        kind: kinds.slice(slash + 1),
        namespace: place,
        name,
        paths: new Set(typeof paths === 'string' ? [paths] : paths),
      }
    })
  }

  #add(object: string, path: string): void {
    const known = this.#paths.get(object)
    if (known === undefined) {
      this.#paths.set(object, path)
      return
    }
    if (typeof known === 'string') this.#paths.set(object, new Set([known, path]))
    else known.add(path)
    this.#several.add(object)
  }

  #remove(path: string): void {
    const before = this.#directories.get(path)
    if (before === undefined) return
    this.#directories.delete(path)
    for (const object of objectsOf(before)) {
      const known = this.#paths.get(object)
      if (known === undefined || typeof known === 'string') {
        this.#paths.delete(object)
        continue
      }
      known.delete(path)
      const [left, ...more] = known
      if (left === undefined || more.length > 0) continue
      this.#paths.set(object, left)
      this.#several.delete(object)
    }
  }
}

/** The objects of a directory with the namespace that each has in the end. */
function objectsOf({ text, namespace }: OwningDirectory): string[] {
  if (text === '') return []
  return text.split('\n').map((line) => {
    const [kinds = '', own = '', name = ''] = line.split('\t')
    return [kinds, own || namespace, name].join('\t')
  })
}
