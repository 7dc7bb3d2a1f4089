import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { namedForm } from '../../../parameters/edit/entry-forms.ts'
import type { EntryForm } from '../../../parameters/edit/list-change.ts'
import { scalarText } from '../../../source/scalar-text.ts'
import { type KustomizeImage, setImages } from '@wadi/engines/kustomize/kustomize-image.ts'

/** `{name, count}`. */
export const replicaForm = namedForm('count', (value, name) => {
  if (/^\d{1,9}$/.test(value)) return Number(value)
  throw new InvalidInputError(`replicas of ${JSON.stringify(name)}: ${JSON.stringify(value)} is not a count`)
})

/** An image as a source overrides it, `name=newName:tag`; the value is what stands after the equals sign. */
export const imageForm: EntryForm = {
  keyOf: (item) => readImage(item).name,
  valueOf: (item) => imageText(readImage(item)),
  write: (key, value) => {
    const image = `${key}=${value}`
    if (readImage(image).name === key && !/[=\s]/.test(value)) return image
    throw new InvalidInputError(
      `image ${JSON.stringify(key)}: ${JSON.stringify(value)} is not an image; write newName:newTag or newName:newTag@digest`,
    )
  },
}

/** Returns the replacement of an image: `newName:newTag@digest`, without the parts that stay. */
export function imageText({ name, newName = name, newTag, digest }: KustomizeImage): string {
  return `${newName}${newTag === undefined ? '' : `:${newTag}`}${digest === undefined ? '' : `@${digest}`}`
}

function readImage(item: JsonValue): KustomizeImage {
  const [image] = setImages([], [scalarText(item)])
  return image ?? { name: '' }
}
