import { unifiedDiff as diffOfTexts } from '@wadi/changes/report/unified-diff.ts'
import { filesDirectory } from '@wadi/hydration/files-directory.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestIdentity } from '@wadi/manifests/manifest.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { blankSecret, maskedSecrets } from '@wadi/manifests/mask-secrets.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'

/** One object, or file beside them, that differs between two sets of manifests. */
export interface ObjectDifference {
  /** `group/Kind namespace/name` with empty parts kept, as argocd's header has it; of a file its path from `files/` on. */
  title: string
  /** The text before and after, of an object YAML; empty where there is none. Values of Secrets are masked. */
  before: string
  after: string
}

/** The parts of two texts of manifests that are compared. */
interface ComparedManifests {
  /** Returns true if an object of the second text belongs to the comparison; every one does by default. */
  isExpected?: (manifest: Manifest) => boolean
  /** Compares only the keys of Secrets. */
  withoutSecretValues?: boolean
}

/** Returns the objects that differ between two texts of manifests, by group, kind, namespace and name. */
export function differingObjects(
  before: string,
  after: string,
  { isExpected = () => true, withoutSecretValues = false }: ComparedManifests = {},
): ObjectDifference[] {
  const read = (text: string, file: string) =>
    parseManifests(text, { file }).map((one) => (withoutSecretValues ? blankSecret(one) : one))
  const olds = byIdentity(read(before, 'hydrated manifests'))
  const news = byIdentity(read(after, 'rendered manifests').filter(isExpected))
  const titles = [...new Set([...olds.keys(), ...news.keys()])].toSorted()
  return titles.flatMap((title) => {
    const [old, next] = [olds.get(title), news.get(title)]
    if (yaml(old) === yaml(next)) return []
    const [shownOld, shownNew] = maskSecrets(old, next)
    return [{ title, before: yaml(shownOld), after: yaml(shownNew) }]
  })
}

/** A file beside the manifests; its path is relative to the directory `files`. */
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
    return [{ title: `${filesDirectory}/${path}`, before: old ?? '', after: next ?? '' }]
  })
}

/** Returns a unified diff with argocd's header line; `labels` name the two sides. */
export function unifiedDiff(difference: ObjectDifference, labels: { before: string; after: string }): string {
  const { before, after } = difference
  return `\n${header(difference)}\n${diffOfTexts({ before, after, labels })}`
}

/** argocd's line above the diff of one object. */
export function header({ title }: ObjectDifference): string {
  return `===== ${title} ======`
}

function byIdentity(manifests: readonly Manifest[]): Map<string, Manifest[]> {
  const objects = new Map<string, Manifest[]>()
  for (const manifest of manifests) {
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
