import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import type { Splice } from '@wadi/rendering/parameters/yaml-edit/yaml-splice.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { plainSources } from '../../applications/plain-sources.ts'
import { hydratedSpec, type SourceChange, type SyncSource } from '../hydrated-spec.ts'
import type { ImportContext } from '../import-context.ts'
import { placeholder, filledIn } from '../placement-rule.ts'
import { unnamedReleases } from '../release-names.ts'
import { type ImportRequest, releaseName, requiredFields, syncSourceFor } from '../source-changes.ts'
import { hydratedTemplate } from './hydrated-template.ts'
import type { TemplateDocument } from './template-document.ts'

/** The change of a document, and what each of its Applications must become by it. */
export interface PlannedDocument {
  readonly splice: Splice
  readonly applications: readonly {
    readonly before: Manifest
    readonly expected: Manifest
    readonly syncSource: SyncSource
    readonly changes: readonly SourceChange[]
  }[]
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
      const syncSource = syncSourceFor(before, '', rule, syncRepo)
      const expected = { ...before, spec: expectedSpec(spec, changes, syncSource, source.key) }
      return { before, expected, syncSource, changes }
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

/** A list of sources in a template stays a list, as its length is unknown. */
function expectedSpec(
  spec: Manifest,
  changes: readonly SourceChange[],
  syncSource: SyncSource,
  key: string,
): Manifest {
  if (key === 'source') return hydratedSpec(spec, changes, syncSource)
  const { sources = [], ...rest } = spec
  return { ...rest, sourceHydrator: { drySources: sources, syncSource: { ...syncSource } } }
}

/** A rule as a text of the template: names are made as the template makes them, all other values must be the same. */
function ruleText(rule: string, made: readonly Manifest[], name: string): string {
  return rule.replaceAll(placeholder, (text, key: string) => {
    if (key === 'name') return name
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
