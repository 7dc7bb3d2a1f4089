import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import { collectLater, throwErrors } from '../lint/finding.ts'
import type { Finding } from '../lint/finding.ts'
import { isUrl, pathInRepository, readText } from '../definition/package-files.ts'
import type { ComponentTexts } from './component-texts.ts'
import type { Planning } from './planning.ts'
import { templateRunner } from '../templates/template-runner.ts'
import type { Component, ManifestSet } from '../definition/zarf-package.ts'

/** Manifests of a component, rendered. */
export interface PlannedManifests {
  kind: 'manifests'
  component: string
  name: string
  /** Empty when the package names none. */
  namespace: string
  files: readonly {
    /** From the root of the repository. */
    path: string
    /** Zarf's name for the file, `config-0.yaml`. */
    name: string
    text: string
    /** The advice if the text turns out to be invalid YAML; undefined if there is none. */
    remedy?: string
  }[]
}

/** A kustomization that is to be built. */
export interface PlannedKustomization {
  kind: 'kustomization'
  component: string
  name: string
  /** Empty when the package names none. */
  namespace: string
  /** Directory of the kustomization, from the root of the repository. */
  path: string
  allowsAnyDirectory: boolean
  enablesPlugins: boolean
  /**
   * Replaces markers in what kustomize built, then renders it if the package says that it is a template.
   * @throws InvalidInputError with everything that is wrong with it.
   */
  finish(built: string, signal?: AbortSignal): Promise<string>
}

/** Plans the manifests and kustomizations of a set; those that cannot be rendered are left out, and findings say why. */
export async function planManifests(
  planning: Planning,
  component: Component,
  manifest: ManifestSet,
  texts: ComponentTexts,
): Promise<(PlannedManifests | PlannedKustomization)[]> {
  const shared = { component: component.name, name: manifest.name, namespace: manifest.namespace }
  const consumer = `component "${component.name}" manifest "${manifest.name}"`
  const files = await renderFiles(planning, manifest, consumer, texts)
  const kustomizations = await Promise.all(
    manifest.kustomizations.map(({ path, at }, index) =>
      collectLater(planning.findings, at, async () => {
        const place = await kustomizationPath(planning, path)
        return { ...shared, ...planKustomization(manifest, place, index, consumer, texts) }
      }),
    ),
  )
  const planned: (PlannedManifests | PlannedKustomization)[] =
    manifest.files.length > 0 ? [{ kind: 'manifests', ...shared, files }] : []
  return [...planned, ...kustomizations.filter((each) => each !== undefined)]
}

async function renderFiles(
  { files, findings, package: { directory } }: Planning,
  manifest: ManifestSet,
  consumer: string,
  texts: ComponentTexts,
): Promise<PlannedManifests['files'][number][]> {
  const read = await Promise.all(
    manifest.files.map(({ path, at }) =>
      collectLater(findings, at, async () => {
        const place = pathInRepository(directory, path)
        return { path: place, text: await readText(files, place) }
      }),
    ),
  )
  const rendered: PlannedManifests['files'][number][] = []
  for (const [index, file] of read.entries()) {
    if (file === undefined) continue
    const name = `${manifest.name}-${index}.yaml`
    const text = await texts.render({
      text: file.text,
      name,
      consumer,
      failure: 'error applying Go templates to manifest',
      at: { file: file.path },
      isTemplate: manifest.isTemplate,
    })
    if (text === undefined) continue
    const looksLikeTemplate = !manifest.isTemplate && text.includes('{{')
    const remedy = `set template: true on manifest "${manifest.name}" if it is a template`
    if (looksLikeTemplate && !isYaml(text, file.path)) {
      const line = text.slice(0, text.indexOf('{{')).split('\n').length
      findings.push({
        severity: 'warning',
        message: `{{ in a string that is not rendered: ${remedy}`,
        at: { file: file.path, line },
      })
    }
    rendered.push({ path: file.path, name, text, ...(looksLikeTemplate && { remedy }) })
  }
  return rendered
}

function isYaml(text: string, file: string): boolean {
  try {
    readLocatedDocuments(text, file)
    return true
  } catch (cause) {
    if (!(cause instanceof DomainError)) throw cause
    return false
  }
}

async function kustomizationPath({ files, package: { directory } }: Planning, path: string): Promise<string> {
  if (isUrl(path) || /^[\w.-]+@|^git::|^github\.com\//.test(path)) {
    throw new InvalidInputError(`${path} is not in git: add the kustomization to the repository`)
  }
  const place = pathInRepository(directory, path)
  if ((await files.list(place)) === undefined) {
    throw new InvalidInputError(`there is no directory ${place} with a kustomization`)
  }
  return place
}

function planKustomization(
  manifest: ManifestSet,
  path: string,
  index: number,
  consumer: string,
  texts: ComponentTexts,
): Pick<PlannedKustomization, 'kind' | 'path' | 'allowsAnyDirectory' | 'enablesPlugins' | 'finish'> {
  return {
    kind: 'kustomization',
    path,
    allowsAnyDirectory: manifest.allowsAnyDirectory,
    enablesPlugins: manifest.enablesPlugins,
    finish: async (built, signal) => {
      const found: Finding[] = []
      const text = await texts.render(
        {
          text: built,
          name: `kustomization-${manifest.name}-${index}.yaml`,
          consumer,
          failure: 'error applying Go templates to manifest',
          at: { file: path },
          isTemplate: manifest.isTemplate,
        },
        found,
        // A plan may be kept and rendered many times, by other calls than the one that made it.
        templateRunner(signal),
      )
      throwErrors(`${path}: the output of kustomize cannot be rendered`, found)
      if (text === undefined) {
        throw new InvalidInputError(`${consumer} needs what only an action sets: set it in git`, {
          at: { file: path },
        })
      }
      return text
    },
  }
}
