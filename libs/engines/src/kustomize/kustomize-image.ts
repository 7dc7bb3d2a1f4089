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
 * Merges images written as `kustomize edit set image` takes them (`name=newName:tag@digest`, in which one of newName, tag and
 * digest is enough, `name:tag`, `name@digest`) over the entries of a kustomization; sorted by name. Of several entries of a name the
 * first one applies, and those that are not set keep all that they say.
 */
export function setImages(existing: readonly KustomizeImage[], images: readonly string[]): KustomizeImage[] {
  const merged = new Map<string, KustomizeImage>()
  for (const image of existing) if (!merged.has(image.name)) merged.set(image.name, image)
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
  const { name, ...version } = splitImage(text.slice(equals + 1))
  if (equals >= 0) {
    if (text.length === equals + 1 || equals === 0) throw wrongImage(text)
    return { name: text.slice(0, equals), newName: name, ...version }
  }
  if (name === text) throw wrongImage(text)
  return { name, ...version }
}

/** Splits `host:port/path:tag@digest`, as Kustomize does: a colon in front of the first slash belongs to the name. */
function splitImage(text: string): KustomizeImage {
  const path = Math.max(0, text.indexOf('/'))
  const at = text.indexOf('@', path)
  const reference = at < 0 ? text : text.slice(0, at)
  const colon = reference.indexOf(':', path)
  return {
    name: colon < 0 ? reference : reference.slice(0, colon),
    ...(colon >= 0 && { newTag: reference.slice(colon + 1) }),
    ...(at >= 0 && { digest: text.slice(at + 1) }),
  }
}

function wrongImage(text: string): InvalidInputError {
  return new InvalidInputError(
    `kustomize.images "${text}": write name:tag, name@digest, name=newName, name=newName:tag or name=newName:tag@digest`,
  )
}
