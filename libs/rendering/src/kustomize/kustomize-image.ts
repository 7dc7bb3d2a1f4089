import { byName } from '@wadi/order/by-name.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** An entry of a kustomization's `images`. */
export interface KustomizeImage {
  readonly name: string
  readonly newName?: string
  readonly newTag?: string
  readonly digest?: string
}

/** Stands for "keep what the kustomization says" in a name, a tag or a digest. */
const keep = '*'

/**
 * Merges images written as `kustomize edit set image` takes them (`name=newName:tag`, `name:tag`, `name@digest`,
 * `name=newName@digest`, `name=newName`) over the entries of a kustomization; sorted by name.
 */
export function setImages(existing: readonly KustomizeImage[], images: readonly string[]): KustomizeImage[] {
  const merged = new Map(existing.map((image) => [image.name, image]))
  for (const text of images) {
    const image = parseImage(text)
    const before = merged.get(image.name)
    merged.set(image.name, {
      name: image.name,
      ...part('newName', image.newName, before?.newName),
      ...part('newTag', image.newTag, before?.newTag),
      ...part('digest', image.digest, before?.digest),
    })
  }
  return [...merged.values()].toSorted(byName)
}

function part(key: keyof KustomizeImage, given: string | undefined, before: string | undefined): object {
  const value = given === keep ? before : given
  return value === undefined || value === '' ? {} : { [key]: value }
}

function parseImage(text: string): KustomizeImage {
  const equals = text.indexOf('=')
  const parsed = parseOverwrite(equals < 0 ? text : text.slice(equals + 1))
  if (equals >= 0) {
    const { name, ...rest } = parsed
    if (text.length === equals + 1 || equals === 0) throw wrongImage(text)
    return { name: text.slice(0, equals), newName: name, ...rest }
  }
  if (parsed.newTag === undefined && parsed.digest === undefined) throw wrongImage(text)
  return parsed
}

function parseOverwrite(text: string): KustomizeImage {
  const [name = '', digest] = text.split('@')
  if (digest !== undefined) return { name, digest }
  const tagged = /^(.*):([a-zA-Z0-9._-]*|\*)$/.exec(text)
  return tagged === null ? { name: text } : { name: tagged[1] ?? '', newTag: tagged[2] ?? '' }
}

function wrongImage(text: string): InvalidInputError {
  return new InvalidInputError(
    `kustomize.images "${text}": write name:tag, name@digest, name=newName, name=newName:tag or name=newName@digest`,
  )
}
