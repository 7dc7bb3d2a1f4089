import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import { checkedApplication } from '@wadi/resources/application/checked-application.ts'
import { type DrySource, drySourcesOf } from '@wadi/resources/application/dry-sources.ts'
import { layoutAnnotations } from '@wadi/resources/application/layout.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { withField } from './hydrated-spec.ts'
import type { ImportContext } from './import-context.ts'
import type { ImportMove, ObjectField } from './import-item.ts'
import { checkReleases, saysHelm, unnamedReleases } from './release-names.ts'
import type { SetApplications } from './set-applications.ts'

/** Most names in one message. */
const maxListed = 5

/**
 * Plans the fields by which Wadi writes what Argo CD's own hydrator writes of an object: the name of the release where a chart has none,
 * and the order of objects. Undefined if it has both.
 * @param made the Applications that it is or makes
 * @throws InvalidInputError for a set whose template cannot name the releases, and what reading the sources throws
 */
export async function planTakeOver(
  manifest: Manifest,
  made: SetApplications,
  context: ImportContext,
): Promise<ImportMove | undefined> {
  const isSet = manifest['kind'] === 'ApplicationSet'
  const at = isSet ? ['spec', 'template'] : []
  const template = objectAt(manifest, ...at)
  const hydrator = objectAt(template, 'spec', 'sourceHydrator')
  const name = textAt(template, 'metadata', 'name')
  const isUnnamed = await lacksReleaseName(objectAt(hydrator, 'drySource'), made, context)
  const hasLayout = textAt(template, 'metadata', 'annotations', layoutAnnotations.files) !== ''
  const release = [...at, 'spec', 'sourceHydrator', 'drySource', 'helm', 'releaseName']
  const layout = [...at, 'metadata', 'annotations', layoutAnnotations.files]
  const fields: ObjectField[] = [
    ...(isUnnamed ? [{ path: release, value: name }] : []),
    ...(hasLayout ? [] : [{ path: layout, value: 'as-argo-cd' }]),
  ]
  if (fields.length === 0) return undefined
  const object = fields.reduce((before, { path, value }) => withField(before, path, value), manifest)
  const after = isSet ? await applicationsOf(object, context) : [object]
  if (isUnnamed) for (const one of after) checkReleases(checkedApplication(checkedResource(one)), [0])
  return {
    syncSource: {
      targetBranch:
        textAt(hydrator, 'hydrateTo', 'targetBranch') || textAt(hydrator, 'syncSource', 'targetBranch'),
      path: textAt(hydrator, 'syncSource', 'path'),
    },
    changes: [],
    fields,
    releases: isUnnamed ? [name] : [],
    object,
    applications: after.map((one) => ({ before: one, after: one })),
    notes: [],
    files: [],
  }
}

async function applicationsOf(
  set: Manifest,
  { sets, side }: Pick<ImportContext, 'sets' | 'side'>,
): Promise<Manifest[]> {
  const { applications } = await sets.expand(set, side)
  return applications.map((application) => manifestFromJson(JSON.stringify(application)))
}

/** True if Argo CD names the releases after the Applications. */
async function lacksReleaseName(
  source: Partial<DrySource>,
  { applications, unknown }: SetApplications,
  context: ImportContext,
): Promise<boolean> {
  if (unknown !== undefined) return saysUnnamed(source, unknown)
  const unnamed: string[] = []
  for (const manifest of applications) {
    const application = parseApplication(checkedResource(manifest))
    const sources = application.hydrated ? drySourcesOf(application.hydrated) : []
    const positions = await unnamedReleases(application, sources, context)
    if (positions.length > 0) unnamed.push(application.metadata.name)
  }
  if (unnamed.length === 0 || unnamed.length === applications.length) return unnamed.length > 0
  throw new InvalidInputError(
    `the releases of some of its Applications (${someInLine(unnamed, maxListed)}) have no name, and one template cannot name those alone; write helm: {releaseName: NAME} into .argocd-source-NAME.yaml beside these charts`,
  )
}

/** The same of a set whose Applications are not known here: its template must decide it. */
function saysUnnamed(source: Partial<DrySource>, unknown: string): boolean {
  if (textAt(source, 'helm', 'releaseName') !== '') return false
  const says = saysHelm(source)
  if (says !== undefined) return says
  throw new InvalidInputError(
    `it is unknown whether its directories are charts, as ${unknown}; write helm.releaseName into drySource of the template if they are, or directory: {recurse: false} if they are plain manifests`,
  )
}
