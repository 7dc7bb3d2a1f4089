import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import { checkedApplication } from '@wadi/resources/application/checked-application.ts'
import type { DrySource } from '@wadi/resources/application/dry-sources.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { plainSources } from '../applications/plain-sources.ts'
import { hydratedSpec } from './hydrated-spec.ts'
import type { ImportContext } from './import-context.ts'
import type { ImportMove } from './import-item.ts'
import { saysHelm, unnamedReleases } from './release-names.ts'
import { type ImportRequest, releaseName, requiredFields, syncSourceFor } from './source-changes.ts'

/** Most names in one message. */
const maxListed = 5

/**
 * Plans how the template of an ApplicationSet moves, and with it the Applications that the set makes.
 * @throws InvalidInputError for a template or an Application that cannot move, and what reading the sources throws
 */
export async function planSet(
  set: Manifest,
  { rule, syncRepo }: ImportRequest,
  context: ImportContext,
): Promise<ImportMove> {
  const template = objectAt(set, 'spec', 'template') as Manifest
  const spec = objectAt(template, 'spec') as Manifest
  const { applications, undecided } = await context.sets.expand(set, context.side)
  const before = applications.map((application) => manifestFromJson(JSON.stringify(application)))
  const positions =
    before.length === 0 || undecided.length > 0
      ? await releasesOfTemplate(set, spec, undecided, context)
      : await releasesOfAll(before, context)
  const name = textAt(template, 'metadata', 'name')
  const changes = [...requiredFields(spec), ...positions.map((position) => releaseName(position, name))]
  const syncSource = syncSourceFor(template, textAt(set, 'metadata', 'name'), rule, syncRepo)
  const moved = { ...template, spec: hydratedSpec(spec, changes, syncSource) }
  const object: Manifest = { ...set, spec: { ...(set['spec'] as Manifest), template: moved } }
  const after = new Map<string, Manifest>()
  for (const application of (await context.sets.expand(object, context.side)).applications) {
    checkedApplication(application)
    after.set(application.metadata.name, manifestFromJson(JSON.stringify(application)))
  }
  const pairs = before.flatMap((application) => {
    const next = after.get(textAt(application, 'metadata', 'name'))
    return next ? [{ before: application, after: next }] : []
  })
  const isNamed = `${syncSource.targetBranch}/${syncSource.path}`.includes(name)
  const notes =
    undecided.length > 0 && !isNamed
      ? [
          `git does not decide what ${undecided.join(' and ')} makes; see to it that no two of its Applications get one branch and path`,
        ]
      : []
  return { syncSource, changes, object, applications: pairs, notes }
}

/** The positions at which all Applications of a set have charts that name no release. */
async function releasesOfAll(applications: readonly Manifest[], context: ImportContext): Promise<number[]> {
  const names = new Map<number, string[]>()
  for (const manifest of applications) {
    const application = parseApplication(checkedResource(manifest))
    const sources = plainSources(objectAt(manifest, 'spec'))
    for (const position of await unnamedReleases(application, sources, context)) {
      names.set(position, [...(names.get(position) ?? []), application.metadata.name])
    }
  }
  for (const charts of names.values()) {
    if (charts.length === applications.length) continue
    throw new InvalidInputError(
      `it makes Applications of charts (${someInLine(charts, maxListed)}) and of other directories, and one template cannot name the releases of some; write helm: {releaseName: NAME} into .argocd-source-NAME.yaml beside these charts`,
    )
  }
  return [...names.keys()]
}

/** The same of a set whose Applications are not known here: its template must decide it. */
async function releasesOfTemplate(
  set: Manifest,
  spec: Manifest,
  undecided: readonly string[],
  context: ImportContext,
): Promise<number[]> {
  const sources = plainSources(spec)
  const isOpen = (source: DrySource): boolean =>
    saysHelm(source) === undefined &&
    [source.repoURL, source.targetRevision, source.path].some((text) => text.includes('{{'))
  if (sources.some(isOpen)) {
    const why =
      undecided.length > 0
        ? `git does not decide what ${undecided.join(' and ')} makes`
        : 'it makes no Application'
    throw new InvalidInputError(
      `it is unknown whether its directories are charts, as ${why}; write helm: {releaseName: '${textAt(set, 'spec', 'template', 'metadata', 'name')}'} into the source of the template if they are, or directory: {recurse: false} if they are plain manifests`,
    )
  }
  const stand = { ...set, spec: { ...spec, destination: { server: 'https://kubernetes.default.svc' } } }
  return unnamedReleases(parseApplication(checkedResource(stand)), sources, context)
}
