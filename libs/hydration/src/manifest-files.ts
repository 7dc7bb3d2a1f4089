import { createHash } from 'node:crypto'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type Manifest, type ManifestIdentity, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import { isDefaultLayout, type Layout } from '@wadi/resources/application/layout.ts'
import { crdsFile, hydratedFiles } from './hydrated-files.ts'

/** A file of a hydrated directory with objects of it. */
export interface ManifestFile {
  /** Its name in the directory. */
  readonly name: string
  /** The objects as JSON texts, in their order; none in a `manifest.yaml` of nothing. */
  readonly manifests: readonly string[]
}

/** An object and the text that it was read from. */
interface ReadManifest {
  readonly text: string
  readonly identity: ManifestIdentity
  /** The prefix of its name, of an object that gets one from the cluster. */
  readonly generateName: string
}

/** The longest name without its extension, so that any file system takes it with what is added to tell it from others. */
const maxNameLength = 120

/** A name that `manifestFiles` gives. */
const possibleName = /^[a-z0-9][a-z0-9._-]{0,199}\.yaml$/

/** Most files that a record may name: the most objects of one Application. */
const maxManifestFiles = 20_000

/**
 * Divides the sorted objects of a directory among its files. A file `<kind>-<name>.yaml` is named by what identifies its object, in
 * lower case and in letters that every file system takes. Of objects whose names are equal then, each is named by
 * namespace, then by group, too, and those that still do not differ by a digest of all that identifies them: so a name
 * depends on no order and no content.
 * @param texts JSON texts of the objects
 * @param printed the position of each among what the tool printed; empty if they are in its order
 */
export function manifestFiles(
  texts: readonly string[],
  layout: Layout,
  printed: readonly number[],
): ManifestFile[] {
  if (isDefaultLayout(layout)) return [{ name: hydratedFiles.manifest, manifests: texts }]
  const all = (layout.files === 'as-argo-cd' ? asPrinted(texts, printed) : texts).map(readManifest)
  const { crds = [], others = [] } =
    layout.crds === 'include'
      ? { others: all }
      : Object.groupBy(all, (one) => (isCrd(one) ? 'crds' : 'others'))
  const files: ManifestFile[] = []
  if (crds.length > 0 && layout.crds === 'separate')
    files.push({ name: crdsFile, manifests: crds.map(textOf) })
  if (layout.files !== 'file-per-object') {
    files.push({ name: hydratedFiles.manifest, manifests: others.map(textOf) })
  } else {
    const names = distinctNames(others)
    files.push(...others.map(({ text }, index) => ({ name: names[index] ?? '', manifests: [text] })))
  }
  return files
}

/**
 * The files with objects that `manifests` of a hydrator.metadata lists; `manifest.yaml` for one that lists none. Anybody with
 * push rights may have written it, so what cannot be there is left out.
 */
export function recordedManifestFiles(listed: unknown): string[] {
  if (!Array.isArray(listed)) return [hydratedFiles.manifest]
  const names: unknown[] = listed.slice(0, maxManifestFiles)
  return [...new Set(names.filter((name) => typeof name === 'string').filter(canBeManifestFile))]
}

/** True if a file with objects may have this name. */
export function canBeManifestFile(name: string): boolean {
  return possibleName.test(name)
}

/** The texts of files with objects as one: where each holds one object, in the bytes of `manifest.yaml`. */
export function joinedManifests(texts: readonly string[]): string {
  const [only = ''] = texts
  if (texts.length < 2) return only
  return texts
    .filter((text) => text !== '')
    .map((text) => (text.endsWith('\n') ? text : `${text}\n`))
    .join('---\n')
}

function asPrinted(texts: readonly string[], printed: readonly number[]): string[] {
  return texts
    .map((text, index) => ({ text, position: printed[index] ?? index }))
    .toSorted((one, other) => one.position - other.position)
    .map(textOf)
}

function readManifest(text: string): ReadManifest {
  const manifest = manifestFromJson(text)
  const { metadata } = manifest
  const prefix = isJsonObject(metadata) ? metadata['generateName'] : undefined
  return {
    text,
    identity: manifestIdentity(manifest),
    generateName: typeof prefix === 'string' ? prefix : '',
  }
}

function textOf({ text }: Pick<ReadManifest, 'text'>): string {
  return text
}

/** True if a layout leaves an object out. */
export function isLeftOut(manifest: Manifest, { crds }: Layout): boolean {
  return crds === 'omit' && isCrd({ identity: manifestIdentity(manifest) })
}

/** True if an object defines a kind. */
function isCrd({ identity: { group, kind } }: Pick<ReadManifest, 'identity'>): boolean {
  return kind === 'CustomResourceDefinition' && group === 'apiextensions.k8s.io'
}

/** A name for each object, in their order. */
function distinctNames(manifests: readonly ReadManifest[]): string[] {
  let named = manifests.map((manifest) => ({ manifest, forms: nameForms(manifest), form: 0 }))
  for (;;) {
    const sharing = Map.groupBy(named, ({ forms, form }) => forms[form] ?? '')
    const isShared = ({ forms, form }: (typeof named)[number]): boolean =>
      form < forms.length && (sharing.get(forms[form] ?? '')?.length ?? 0) > 1
    if (!named.some(isShared)) break
    named = named.map((each) => (isShared(each) ? { ...each, form: each.form + 1 } : each))
  }
  const equals = new Map<string, number>()
  return named.map(({ manifest, forms, form }) => {
    const name = forms[form]
    if (name !== undefined) return `${name}.yaml`
    const last = `${forms[0] ?? ''}-${digestOf(manifest)}`
    const before = equals.get(last) ?? 0
    equals.set(last, before + 1)
    return before === 0 ? `${last}.yaml` : `${last}-${before + 1}.yaml`
  })
}

/**
 * Returns the possible names of an object's file, the shortest first. `_` is in no name of Kubernetes, so each form
 * belongs to one object.
 */
function nameForms({ identity, generateName }: ReadManifest): string[] {
  const { group, kind, namespace, name } = identity
  const shownKind = safe(kind).replaceAll('.', '-') || 'object'
  const shownName = safe(name || generateName) || 'unnamed'
  const inNamespace = namespace === '' ? '' : `${safe(namespace).replaceAll('.', '-') || 'unnamed'}_`
  const ofGroup = group === '' ? '' : `.${safe(group)}`
  return [
    `${shownKind}-${shownName}`,
    `${inNamespace}${shownKind}-${shownName}`,
    `${inNamespace}${shownKind}${ofGroup}-${shownName}`,
  ].map((form) => form.slice(0, maxNameLength).replace(/[.-]+$/u, ''))
}

/** A text in lower case whose letters every file system takes. */
function safe(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/gu, '-')
    .replaceAll(/^[.-]+|[.-]+$/gu, '')
}

function digestOf({ identity: { group, version, kind, namespace, name } }: ReadManifest): string {
  const text = JSON.stringify([group, version, kind, namespace, name])
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
