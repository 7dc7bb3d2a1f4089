import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { type JsonValue, isMapping } from '@wadi/manifests/manifest.ts'
import { type KustomizeImage, setImages } from '../kustomize/kustomize-image.ts'
import type { EntryForm } from './list-change.ts'
import { scalarText } from './scalar-text.ts'

/** `{name, value}`, and whatever else the item has. */
export const namedValueForm = namedForm('value', (value) => value)

/** `{name, path}`. */
export const namedPathForm = namedForm('path', (value) => value)

/** `{name, count}`. */
export const replicaForm = namedForm('count', (value, name) => {
  if (/^\d{1,9}$/.test(value)) return Number(value)
  throw new InvalidInputError(`replicas of ${JSON.stringify(name)}: ${JSON.stringify(value)} is no count`)
})

/** An image as a source overrides it, `name=newName:tag`; the value is what stands after the equals sign. */
export const imageForm: EntryForm = {
  keyOf: (item) => readImage(item).name,
  valueOf: (item) => imageText(readImage(item)),
  write: (key, value) => {
    const image = `${key}=${value}`
    if (readImage(image).name === key && !/[=\s]/.test(value)) return image
    throw new InvalidInputError(
      `image ${JSON.stringify(key)}: ${JSON.stringify(value)} is no image; write newName:newTag or newName@digest`,
    )
  },
}

/** What takes an image's place: `newName:newTag` or `newName@digest`. */
export function imageText({ name, newName = name, newTag, digest }: KustomizeImage): string {
  if (digest !== undefined) return `${newName}@${digest}`
  return newTag === undefined ? newName : `${newName}:${newTag}`
}

function readImage(item: JsonValue): KustomizeImage {
  const [image] = setImages([], [scalarText(item)])
  return image ?? { name: '' }
}

function namedForm(field: string, write: (value: string, name: string) => JsonValue): EntryForm {
  const text = (item: JsonValue, key: string): string => (isMapping(item) ? scalarText(item[key]) : '')
  return {
    keyOf: (item) => text(item, 'name'),
    valueOf: (item) => text(item, field),
    write: (name, value, before) => ({
      ...(isMapping(before) ? before : {}),
      name,
      [field]: write(value, name),
    }),
  }
}
