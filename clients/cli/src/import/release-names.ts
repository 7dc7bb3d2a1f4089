import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { textAt, valueAt } from '@wadi/fields/json-fields.ts'
import type { Application } from '@wadi/resources/application/application.ts'
import { type DrySource, drySourcesOf, isRendered } from '@wadi/resources/application/dry-sources.ts'
import { isOfRepository } from '../diff/local/local-applications.ts'
import { openSources } from '../diff/local/source-files.ts'
import type { ImportContext } from './import-context.ts'

/**
 * Returns the positions of the sources that Argo CD renders with the name of the Application as the name of the release: the
 * charts that name none. Sources elsewhere are read only if they do not say what renders them.
 * @throws FailedPreconditionError for a source that cannot be read, InvalidInputError for one that cannot be rendered
 */
export async function unnamedReleases(
  application: Application,
  sources: readonly DrySource[],
  { side, elsewhere, renderer }: Pick<ImportContext, 'side' | 'elsewhere' | 'renderer'>,
): Promise<number[]> {
  const found = await Promise.all(
    sources.map(async (source, position) => {
      if (!isRendered(source) || valueAt(source.helm, 'releaseName')) return []
      const known = saysHelm(source)
      if (known === false) return []
      // An .argocd-source file may name the release, too; where nobody looks, it overrides what the Application says.
      if (known && (!isOfRepository(side.repoUrl, source) || isTemplate(source))) return [position]
      const [local] = await openSources(application, sources, [position], { side, elsewhere })
      if (!local) return []
      const { renderer: name, options } = await renderer.inspection(local)
      return name === 'helm' && !options.helm?.releaseName ? [position] : []
    }),
  )
  return found.flat()
}

/** The reason of a set that makes Applications with other names than its template says. */
export const otherNames =
  "releases have the names of the Applications, which a generator's template or the templatePatch decides; write helm.releaseName into the template"

/** @throws InvalidInputError for an Application of a set whose releases at these positions would have another name than it */
export function checkReleases({ metadata, hydrated }: Application, positions: readonly number[]): void {
  const sources = hydrated ? drySourcesOf(hydrated) : []
  const names = positions.map((position) => textAt(sources[position], 'helm', 'releaseName'))
  const other = names.find((name) => name !== metadata.name)
  if (other === undefined) return
  throw new InvalidInputError(
    `the release of ${metadata.name} would be ${JSON.stringify(other)}: ${otherNames}`,
  )
}

/** True for a source with placeholders of an ApplicationSet, of which a directory is not known. */
function isTemplate(source: DrySource): boolean {
  return JSON.stringify(source).includes('{{')
}

/** Returns whether a source is a chart, as far as it says so itself. */
export function saysHelm({
  chart,
  helm,
  kustomize,
  directory,
  plugin,
}: Partial<DrySource>): boolean | undefined {
  const says = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length > 0
  if (chart !== undefined || says(helm)) return true
  return says(kustomize) || says(directory) || says(plugin) ? false : undefined
}
