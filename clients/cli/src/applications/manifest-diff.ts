import { createTwoFilesPatch } from 'diff'
import { filesFolder } from '@wadi/hydration/files-folder.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestIdentity } from '@wadi/manifests/manifest.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { maskedSecrets } from '@wadi/manifests/mask-secrets.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'

/** One object, or file beside them, that differs between two sets of manifests. */
export interface ObjectDifference {
  /** `group/Kind namespace/name` with empty parts kept, as argocd's header has it; of a file its path from `files/` on. */
  title: string
  /** The text before and after, of an object YAML; empty where there is none. Values of Secrets are masked. */
  before: string
  after: string
}

/** Returns the objects that differ between two texts of manifests, by group, kind, namespace and name. */
export function differingObjects(before: string, after: string): ObjectDifference[] {
  const olds = byIdentity(before, 'hydrated manifest.yaml')
  const news = byIdentity(after, 'rendered manifests')
  const titles = [...new Set([...olds.keys(), ...news.keys()])].toSorted()
  return titles.flatMap((title) => {
    const [old, next] = [olds.get(title), news.get(title)]
    if (yaml(old) === yaml(next)) return []
    const [shownOld, shownNew] = maskSecrets(old, next)
    return [{ title, before: yaml(shownOld), after: yaml(shownNew) }]
  })
}

/** A file beside the manifests; its path is relative to the folder `files`. */
interface FileBeside {
  path: string
  content: string
}

/** Returns the files beside two sets of manifests that differ or are on one side only, by path. */
export function differingFiles(
  before: readonly FileBeside[],
  after: readonly FileBeside[],
): ObjectDifference[] {
  const olds = new Map(before.map(({ path, content }) => [path, content]))
  const news = new Map(after.map(({ path, content }) => [path, content]))
  const paths = [...new Set([...olds.keys(), ...news.keys()])].toSorted()
  return paths.flatMap((path) => {
    const [old, next] = [olds.get(path), news.get(path)]
    if (old === next) return []
    return [{ title: `${filesFolder}/${path}`, before: old ?? '', after: next ?? '' }]
  })
}

/** Returns a unified diff with argocd's header line; `labels` name the two sides. */
export function unifiedDiff(difference: ObjectDifference, labels: { before: string; after: string }): string {
  const { before, after } = difference
  const patch = createTwoFilesPatch(labels.before, labels.after, before, after, undefined, undefined, {
    context: 3,
    // Beyond this a minimal script takes too long to find; the whole text is shown as replaced then.
    maxEditLength: 5_000,
  })
  const text = patch ?? wholesale(difference, labels)
  return `\n${header(difference)}\n${text.replace(/^=+\n/, '')}`
}

/** argocd's line above the diff of one object. */
export function header({ title }: ObjectDifference): string {
  return `===== ${title} ======`
}

function wholesale({ before, after }: ObjectDifference, labels: { before: string; after: string }): string {
  return `--- ${labels.before}\n+++ ${labels.after}\n${signed(before, '-')}${signed(after, '+')}`
}

function signed(text: string, sign: string): string {
  return text.replaceAll(/^(?=.|\n)/gm, sign)
}

function byIdentity(text: string, file: string): Map<string, Manifest[]> {
  const objects = new Map<string, Manifest[]>()
  for (const manifest of parseManifests(text, { file })) {
    const { group, kind, namespace, name } = manifestIdentity(manifest)
    const title = `${group}/${kind} ${namespace}/${name}`
    objects.set(title, [...(objects.get(title) ?? []), manifest])
  }
  return objects
}

function yaml(manifests: Manifest[] | undefined): string {
  return emitManifests(manifests ?? [])
}

function maskSecrets(
  before: Manifest[] | undefined,
  after: Manifest[] | undefined,
): [Manifest[] | undefined, Manifest[] | undefined] {
  return [
    before?.map((manifest, index) => maskedSecrets(manifest, after?.[index])[0] ?? manifest),
    after?.map((manifest, index) => maskedSecrets(before?.[index], manifest)[1] ?? manifest),
  ]
}
