import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { kindScope } from '@wadi/manifests/kind-scope.ts'
import type { RenderedFile, Rendered } from '../render-run.ts'

/** Most names that one warning lists. */
const maxListed = 5

const localConfig = 'config.kubernetes.io/local-config'
const kustomizations = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']
const keepAway = 'keep **/files/ away with spec.ignore of its GitRepository or a .sourceignore'

/**
 * Warns of what Flux makes of a hydrated directory that its user may not mean: it makes a kustomization of all YAML files there, so it refuses the whole
 * directory for one that Kustomize does not take, and leaves out what Kustomize drops.
 */
export function fluxWarnings({ manifests, files }: Pick<Rendered, 'manifests' | 'files'>): string[] {
  const objects = manifests.map((text) => manifestFromJson(text))
  const refused = (names: readonly string[], why: string): string[] =>
    names.length === 0
      ? []
      : [`Flux applies nothing of the directory because of ${someInLine(names, maxListed)}: ${why}`]
  const nameless = objects.filter((object) => {
    const { kind, name } = manifestIdentity(object)
    return name === '' && !kind.endsWith('List')
  })
  const repeated = [...Map.groupBy(objects.filter(hasName), kustomizeId)]
    .filter(([, same]) => same.length > 1)
    .flatMap(([, same]) => same.slice(0, 1).map(labelOf))
  const dropped = objects.filter((object) => {
    const value = annotationsOf(object)[localConfig]
    return typeof value === 'string' && value !== 'false'
  })
  return [
    ...refused(nameless.map(labelOf), 'an object without metadata.name, also with generateName; name it'),
    ...refused(
      repeated,
      'it is there more than once, and an object without a namespace is one in "default"; remove one of them',
    ),
    ...fileWarnings(files, refused),
    ...(dropped.length === 0
      ? []
      : [
          `Flux leaves out ${someInLine(dropped.map(labelOf), maxListed)}, which has the annotation ${localConfig}; remove it if it is to be applied`,
        ]),
  ]
}

/** Warns of files beside the manifests, with what Flux does with them. */
function fileWarnings(
  files: readonly RenderedFile[],
  refused: (names: readonly string[], why: string) => string[],
): string[] {
  const built = files
    .map(({ path }) => path.split('/'))
    .filter((names) => kustomizations.includes(names.at(-1) ?? ''))
    .map((names) => names.slice(0, -1))
  const isBuilt = (path: string): boolean =>
    built.some((directory) => directory.every((name, index) => path.split('/')[index] === name))
  const scanned = files.filter(({ path }) => /\.ya?ml$/.test(path) && !isBuilt(path))
  const read = scanned.map((file) => ({ name: `files/${file.path}`, contents: contentsOf(file) }))
  const namesOf = (wanted: Contents): string[] =>
    read.filter(({ contents }) => contents === wanted).map(({ name }) => name)
  const applied = namesOf('objects')
  return [
    ...refused(namesOf('other'), `a file that is not a Kubernetes object; ${keepAway}`),
    ...(applied.length === 0 ? [] : [`Flux also applies ${someInLine(applied, maxListed)}; ${keepAway}`]),
    ...built.map(
      (directory) => `Flux builds the kustomization in ${['files', ...directory].join('/')}; ${keepAway}`,
    ),
  ]
}

type Contents = 'objects' | 'other' | 'nothing'

function contentsOf({ path, content }: RenderedFile): Contents {
  try {
    const values = readYaml(content, path)
      .documents.map(({ value }) => value)
      .filter((value) => value !== null && value !== undefined)
    if (values.length === 0) return 'nothing'
    return values.every(isObject) ? 'objects' : 'other'
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return 'other'
  }
}

function isObject(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value['kind'] !== 'string') return false
  const { metadata, kind } = value
  const hasOwnName = isJsonObject(metadata) && typeof metadata['name'] === 'string' && metadata['name'] !== ''
  return hasOwnName || kind.endsWith('List')
}

function hasName(object: Manifest): boolean {
  return manifestIdentity(object).name !== ''
}

/** The identity by which Kustomize knows an object: kinds of the cluster have no namespace, and no namespace is "default". */
function kustomizeId(object: Manifest): string {
  const { group, version, kind, namespace, name } = manifestIdentity(object)
  const place = kindScope(group, kind) === 'Cluster' ? '' : namespace || 'default'
  return JSON.stringify([group, version, kind, place, name])
}

function labelOf(object: Manifest): string {
  const { kind, namespace, name } = manifestIdentity(object)
  const generated = isJsonObject(object['metadata']) ? object['metadata']['generateName'] : undefined
  const shown = name || (typeof generated === 'string' ? `${generated}…` : 'without a name')
  return `${kind} ${namespace === '' ? shown : `${namespace}/${shown}`}`
}

function annotationsOf({ metadata }: Manifest): Record<string, unknown> {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined
  return isJsonObject(annotations) ? annotations : {}
}
