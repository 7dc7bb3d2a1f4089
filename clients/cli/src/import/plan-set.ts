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
import type { FileChange } from './file-change.ts'
import { hydratedSpec, type SyncSource } from './hydrated-spec.ts'
import type { ImportContext } from './import-context.ts'
import type { PlanContext } from './override-readers.ts'
import type { ImportMove } from './import-item.ts'
import { withOptionsInGit } from './override-files.ts'
import { notAll } from './set-applications.ts'
import { placeholder } from './placement-rule.ts'
import { checkReleases, otherNames, saysHelm, unnamedReleases } from './release-names.ts'
import { changesNames } from './stay-reasons.ts'
import { canNameNoChart } from './template-charts.ts'
import { type ImportRequest, releaseName, requiredFields, syncSourceFor } from './source-changes.ts'

/** The way in which a set moves. */
export interface PlannedSet extends ImportMove {
  /** The reason why it makes others than are known; absent if it makes none. */
  readonly unknown?: string
}

/** Most names in one message. */
const maxListed = 5

/**
 * Plans how the template of an ApplicationSet moves, and with it the Applications that the set makes.
 * @throws InvalidInputError for a template or an Application that cannot move, and what reading the sources throws
 */
export async function planSet(
  set: Manifest,
  { rule, syncRepo, moveParameters }: ImportRequest,
  context: PlanContext,
): Promise<PlannedSet> {
  const template = objectAt(set, 'spec', 'template') as Manifest
  const spec = objectAt(template, 'spec') as Manifest
  const { applications, undecided } = await context.sets.expand(set, context.side)
  const before = applications.map((application) => manifestFromJson(JSON.stringify(application)))
  const { positions, files, ofSome } =
    before.length === 0 || undecided.length > 0
      ? { positions: await releasesOfTemplate(set, spec, undecided, context), files: [], ofSome: [] }
      : await releasesOfAll(set, before, moveParameters, context)
  const name = textAt(template, 'metadata', 'name')
  const changes = [...requiredFields(spec), ...positions.map((position) => releaseName(position, name))]
  const filled = syncSourceFor(template, textAt(set, 'metadata', 'name'), rule, syncRepo)
  const isGo = objectAt(set, 'spec')?.['goTemplate'] === true
  const syncSource = isGo ? filled : withoutDots(filled)
  const moved = { ...template, spec: hydratedSpec(spec, changes, syncSource) }
  const object: Manifest = { ...set, spec: { ...(set['spec'] as Manifest), template: moved } }
  const after = new Map<string, Manifest>()
  for (const application of (await context.sets.expand(object, context.side)).applications) {
    checkReleases(checkedApplication(application), positions)
    after.set(application.metadata.name, manifestFromJson(JSON.stringify(application)))
  }
  const pairs = before.flatMap((application) => {
    const next = after.get(textAt(application, 'metadata', 'name'))
    return next ? [{ before: application, after: next }] : []
  })
  const { unknown } = notAll(before.length, undecided)
  const isNamed = `${syncSource.targetBranch}/${syncSource.path}`.includes(name)
  const notes =
    undecided.length > 0 && !isNamed
      ? [`${unknown}; see to it that no two of its Applications get one branch and path`]
      : []
  const releases = [...(positions.length > 0 ? [name] : []), ...ofSome]
  const move = { syncSource, changes, releases, object, applications: pairs, notes, files }
  return unknown === undefined ? move : { ...move, unknown }
}

/** Writes the placeholders of a rule as sets have them that are not Go templates. */
function withoutDots({ targetBranch, path, ...others }: SyncSource): SyncSource {
  const rewritten = (text: string): string =>
    text.replaceAll(placeholder, (_, name: string) => `{{${name.replace(/^\./, '')}}}`)
  return { ...others, targetBranch: rewritten(targetBranch), path: rewritten(path) }
}

/** The positions at which all Applications of a set have charts that name no release, and files for those of which only some have. */
async function releasesOfAll(
  set: Manifest,
  applications: readonly Manifest[],
  moveParameters: boolean,
  context: PlanContext,
): Promise<{ positions: number[]; files: readonly FileChange[]; ofSome: readonly string[] }> {
  const charts = new Map<number, Manifest[]>()
  for (const manifest of applications) {
    const application = parseApplication(checkedResource(manifest))
    const sources = plainSources(objectAt(manifest, 'spec'))
    for (const position of await unnamedReleases(application, sources, context)) {
      charts.getOrInsertComputed(position, () => []).push(manifest)
    }
  }
  const positions: number[] = []
  const files: FileChange[] = []
  const ofSome: string[] = []
  for (const [position, some] of charts) {
    if (some.length === applications.length) positions.push(position)
    else if (!moveParameters) throw new InvalidInputError(mixedReason(some))
    else {
      for (const manifest of some) files.push(await releaseFile(set, manifest, context))
      ofSome.push(...some.map((manifest) => textAt(manifest, 'metadata', 'name')))
    }
  }
  return { positions, files, ofSome }
}

function mixedReason(charts: readonly Manifest[]): string {
  const names = charts.map((chart) => textAt(chart, 'metadata', 'name'))
  return `it makes Applications of charts (${someInLine(names, maxListed)}) and of other directories, and one template cannot name the releases of some; add --move-parameters to write helm: {releaseName: NAME} into .argocd-source-NAME.yaml beside these charts`
}

/** Names the release of one Application in its directory. */
async function releaseFile(set: Manifest, manifest: Manifest, context: PlanContext): Promise<FileChange> {
  const application = parseApplication(checkedResource(manifest))
  const [source, ...more] = plainSources(objectAt(manifest, 'spec'))
  if (!source || more.length > 0) throw new InvalidInputError(mixedReason([manifest]))
  const { name } = application.metadata
  const named = { ...source, helm: { ...source.helm, releaseName: name } }
  return withOptionsInGit(
    { owner: set, application },
    [named, source],
    [{ block: 'helm', value: { releaseName: name } }],
    context,
  )
}

/** The same of a set whose Applications are not known here: its template must decide it. */
async function releasesOfTemplate(
  set: Manifest,
  spec: Manifest,
  undecided: readonly string[],
  context: ImportContext,
): Promise<number[]> {
  const isOpen = (source: DrySource): boolean =>
    saysHelm(source) === undefined &&
    [source.repoURL, source.targetRevision, source.path].some((text) => text.includes('{{'))
  const sources: DrySource[] = []
  for (const source of plainSources(spec)) {
    if (!isOpen(source)) sources.push(source)
    else if (await canNameNoChart(set, source, context.side)) sources.push({ ...source, ...noChart })
    else throw new InvalidInputError(openReason(set, undecided))
  }
  const stand = { ...set, spec: { ...spec, destination: { server: 'https://kubernetes.default.svc' } } }
  const positions = await unnamedReleases(parseApplication(checkedResource(stand)), sources, context)
  if (positions.length > 0 && changesNames(set)) throw new InvalidInputError(otherNames)
  return positions
}

/** The options of a source that is no chart. */
const noChart = { directory: { recurse: false } }

function openReason(set: Manifest, undecided: readonly string[]): string {
  const { unknown } = notAll(0, undecided)
  return `it is unknown whether its directories are charts, as ${unknown}; write helm: {releaseName: '${textAt(set, 'spec', 'template', 'metadata', 'name')}'} into the source of the template if they are, or directory: {recurse: false} if they are plain manifests`
}
