import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import type { Splice } from '@wadi/rendering/parameters/yaml-edit/yaml-splice.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { plainSources } from '../../applications/plain-sources.ts'
import { hydratedSpec, type SourceChange, type SyncSource } from '../hydrated-spec.ts'
import type { ImportContext } from '../import-context.ts'
import { filledIn, isAction, placeholder } from '../placement-rule.ts'
import { unnamedReleases } from '../release-names.ts'
import { type ImportRequest, releaseName, requiredFields, syncSourceFor } from '../source-changes.ts'
import { hydratedTemplate } from './hydrated-template.ts'
import type { TemplateDocument } from './template-document.ts'

/** An Application of a document, and what must change of it. */
export interface PlannedApplication {
  readonly before: Manifest
  /** The actions of the rule are in it as they are. */
  readonly syncSource: SyncSource
  readonly changes: readonly SourceChange[]
  /** True for one with a list of sources. */
  readonly isList: boolean
}

/** The change of a document, and the Applications that are made of it. */
export interface PlannedDocument {
  readonly splice: Splice
  readonly applications: readonly PlannedApplication[]
}

/**
 * Plans how a document of a template moves with the Applications that are made of it.
 * @throws InvalidInputError with the reason why it cannot, and what reading the sources throws
 */
export async function planDocument(
  { name, source }: TemplateDocument,
  made: readonly Manifest[],
  { rule, syncRepo }: ImportRequest,
  context: ImportContext,
): Promise<PlannedDocument> {
  if (!source) throw new InvalidInputError('its source is not written out in the template')
  const applications = await Promise.all(
    made.map(async (before) => {
      const spec = objectAt(before, 'spec') as Manifest
      const own = textAt(before, 'metadata', 'name')
      const unnamed = await unnamedReleases(
        parseApplication(checkedResource(before)),
        plainSources(spec),
        context,
      )
      const changes = [...requiredFields(spec), ...unnamed.map((position) => releaseName(position, own))]
      const syncSource = syncSourceFor(before, '', rule, syncRepo, true)
      return { before, syncSource, changes, isList: source.key === 'sources' }
    }),
  )
  const splice = hydratedTemplate(source, {
    syncSource: {
      ...(syncRepo !== undefined && { repoURL: syncRepo }),
      targetBranch: ruleText(rule.branch, made, name),
      path: ruleText(rule.path, made, name),
    },
    ...fieldsOfAll(applications, name),
  })
  return { splice, applications }
}

/**
 * Returns what an Application must become.
 * @param result what it became, which says what actions of the rule are
 */
export function expectedObject(
  { before, syncSource, changes, isList }: PlannedApplication,
  result: Manifest,
): Manifest {
  const made = objectAt(result, 'spec', 'sourceHydrator', 'syncSource') as Manifest
  const filled = (key: 'targetBranch' | 'path'): string =>
    syncSource[key].includes('{{') ? textAt(made, key) : syncSource[key]
  const place = { ...syncSource, targetBranch: filled('targetBranch'), path: filled('path') }
  const spec = objectAt(before, 'spec') as Manifest
  if (!isList) return { ...before, spec: hydratedSpec(spec, changes, place) }
  // The length of a list in a template is unknown, so it stays a list.
  const { sources = [], ...rest } = spec
  return { ...before, spec: { ...rest, sourceHydrator: { drySources: sources, syncSource: { ...place } } } }
}

/** A rule as a text of the template: names are made as the template makes them, all other values must be the same. */
function ruleText(rule: string, made: readonly Manifest[], name: string): string {
  return rule.replaceAll(placeholder, (text, key: string) => {
    if (key === 'name') return name
    if (isAction(key)) return text
    const [value = '', ...others] = new Set(made.map((application) => filledIn(text, application, '')))
    if (others.length === 0) return value
    throw new InvalidInputError(
      `${text} is not the same for all Applications that the template makes; use {{name}}, or another rule`,
    )
  })
}

/** The fields that the source gets, which all Applications must need. */
function fieldsOfAll(
  applications: PlannedDocument['applications'],
  name: string,
): { targetRevision?: string; path?: string; releaseName?: string } {
  const [wanted = [], ...others] = applications.map(({ changes }) => changes)
  const kindsOf = (changes: readonly SourceChange[]): string =>
    changes.map(({ position, path }) => `${position} ${path.join('.')}`).join(', ')
  if (others.some((changes) => kindsOf(changes) !== kindsOf(wanted))) {
    throw new InvalidInputError(
      'only some of the Applications that the template makes are charts without a name for their release, or name no revision; write helm.releaseName and targetRevision into the template',
    )
  }
  const fields = wanted.map((change) => {
    const value = typeof change.value === 'string' ? change.value : ''
    return [change.path.at(-1), isReleaseName(change) ? name : value]
  })
  return Object.fromEntries(fields)
}

/** True for the change that names the release of a chart. */
export function isReleaseName({ path }: SourceChange): boolean {
  return path.at(-1) === 'releaseName'
}
