import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { refreshAnnotation } from '@wadi/resources/decided-version.ts'
import { requireKnownKind } from '@wadi/resources/kinds.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { checkKnownFields } from './application-set-fields.ts'
import { type IgnoredDifference, readIgnoredDifferences } from './ignored/ignored-differences.ts'

/** The value that a Go template gives for a key that does not exist. */
export type MissingKey = 'default' | 'zero' | 'error'

/** `spec.syncPolicy.applicationsSync`: what beside creating Applications a set does. */
type ApplicationsSync = (typeof policies)[number]

/** A generator, not yet read, and where it stands. */
export interface GeneratorEntry {
  /** For example `spec.generators[0]`. */
  path: string
  fields: Record<string, unknown>
}

/** An ApplicationSet of Argo CD as far as it decides which Applications there are. */
export interface ApplicationSet {
  name: string
  namespace: string | undefined
  /** Treatment of absent keys by Go templates; undefined for a set with the default engine. */
  goTemplate: { missingKey: MissingKey } | undefined
  generators: readonly GeneratorEntry[]
  template: Record<string, unknown>
  /** Empty for none. */
  templatePatch: string
  /** True if Applications outlive the set, and so get no finalizer by default. */
  preserveResources: boolean
  /** Keys whose values stay as they are on an Application that exists. */
  preservedFields: { annotations: readonly string[]; labels: readonly string[] }
  ignoredDifferences: readonly IgnoredDifference[]
  /** The changes made automatically to Applications that exist, or are no longer generated. */
  policy: ApplicationsSync
  /** True if the remotes must be polled now, by the annotation that Argo CD's webhook sets. */
  refresh: boolean
}

const policies = ['sync', 'create-only', 'create-update', 'create-delete'] as const

/**
 * Reads an ApplicationSet.
 * @throws InvalidInputError that lists every error with its field path, fields that do not exist among them
 */
export function parseApplicationSet(value: unknown): ApplicationSet {
  const resource = checkedResource(value)
  const kind = requireKnownKind(resource)
  if (kind !== 'ApplicationSet') throw new InvalidInputError(`expected an ApplicationSet, not ${kind}`)
  const { name, namespace, annotations } = resource.metadata
  const reader = new FieldReader(`ApplicationSet ${name}`)
  checkKnownFields(reader, resource)
  const spec = resource.spec ?? {}
  const template = reader.object(spec, 'template', 'spec.')
  if (template === undefined) reader.report('spec.template is required')
  const generators = reader.list(spec, 'generators', 'spec.').flatMap((fields, index): GeneratorEntry[] => {
    const path = `spec.generators[${index}]`
    return reader.isObject(fields, path) ? [{ path, fields }] : []
  })
  if (generators.length === 0) reader.report('spec.generators: at least one generator is required')
  const templatePatch = reader.string(spec, 'templatePatch', 'spec.') ?? ''
  const syncPolicy = reader.object(spec, 'syncPolicy', 'spec.') ?? {}
  const policy = readPolicy(reader, syncPolicy)
  const preserved = reader.object(spec, 'preservedFields', 'spec.') ?? {}
  const preservedFields = {
    annotations: reader.strings(preserved, 'annotations', 'spec.preservedFields.'),
    labels: reader.strings(preserved, 'labels', 'spec.preservedFields.'),
  }
  const ignoredDifferences = readIgnoredDifferences(reader, spec)
  const missingKey = readMissingKey(reader, spec)
  const isGoTemplate = reader.boolean(spec, 'goTemplate', 'spec.') ?? false
  const preserveResources =
    reader.boolean(syncPolicy, 'preserveResourcesOnDeletion', 'spec.syncPolicy.') ?? false
  reader.throwFindings()
  return {
    name,
    namespace,
    goTemplate: isGoTemplate ? { missingKey } : undefined,
    generators,
    template: template ?? {},
    templatePatch,
    preserveResources,
    policy,
    preservedFields,
    ignoredDifferences,
    refresh: annotations?.[refreshAnnotation] === 'true',
  }
}

function readPolicy(reader: FieldReader, syncPolicy: Record<string, unknown>): ApplicationsSync {
  const given = reader.string(syncPolicy, 'applicationsSync', 'spec.syncPolicy.') || 'sync'
  const policy = policies.find((known) => known === given)
  if (policy) return policy
  reader.report(
    `spec.syncPolicy.applicationsSync: one of ${policies.join(', ')}, not ${JSON.stringify(given)}`,
  )
  return 'sync'
}

function readMissingKey(reader: FieldReader, spec: Record<string, unknown>): MissingKey {
  let missingKey: MissingKey = 'default'
  for (const option of reader.strings(spec, 'goTemplateOptions', 'spec.')) {
    const [, word] = /^missingkey=(default|invalid|zero|error)$/.exec(option) ?? []
    if (word === 'zero' || word === 'error') missingKey = word
    else if (word !== undefined) missingKey = 'default'
    else
      reader.report(
        `spec.goTemplateOptions: ${JSON.stringify(option)} is not an option; missingkey=error is one`,
      )
  }
  return missingKey
}
