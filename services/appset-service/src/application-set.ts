import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { FieldReader } from '@wadi/resources/field-reader.ts'
import { requireKnownKind } from '@wadi/resources/kinds.ts'
import { checkedResource, isRecord } from '@wadi/resources/object-checks.ts'
import { checkKnownFields } from './application-set-fields.ts'
import { type IgnoredDifference, readIgnoredDifferences } from './changes/ignored-differences.ts'
import { readFlag } from './read-flag.ts'

/** What a Go template gives for a key that is not there. */
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
  /** How absent keys count for Go templates; undefined for a set with the default engine. */
  goTemplate: { missingKey: MissingKey } | undefined
  generators: readonly GeneratorEntry[]
  template: Record<string, unknown>
  /** Empty for none. */
  templatePatch: string
  /** Whether Applications outlive the set, and so get no finalizer of their own accord. */
  preserveResources: boolean
  /** Keys whose values stay as they are on an Application that exists. */
  preservedFields: { annotations: readonly string[]; labels: readonly string[] }
  ignoredDifferences: readonly IgnoredDifference[]
  /** What happens by itself to Applications that are there already, or are generated no longer. */
  policy: ApplicationsSync
  /** Whether somebody asked for a look at the remotes now, by the annotation that Argo CD's webhook sets. */
  refresh: boolean
}

/** The annotation by which users, and webhooks of Argo CD, ask for a look at the remotes now. */
export const refreshAnnotation = 'argocd.argoproj.io/application-set-refresh'
const policies = ['sync', 'create-only', 'create-update', 'create-delete'] as const

/**
 * Reads an ApplicationSet.
 * @throws InvalidInputError that lists every fault with its field path, fields that do not exist among them
 */
export function parseApplicationSet(value: unknown): ApplicationSet {
  const resource = checkedResource(value)
  const kind = requireKnownKind(resource)
  if (kind !== 'ApplicationSet') throw new InvalidInputError(`an ApplicationSet is wanted, not ${kind}`)
  const { name, namespace, annotations } = resource.metadata
  const reader = new FieldReader(`ApplicationSet ${name}`)
  checkKnownFields(reader, resource)
  const spec = resource.spec ?? {}
  const template = reader.map(spec, 'template', 'spec.')
  if (template === undefined) reader.fault('spec.template is required')
  const generators = reader.list(spec, 'generators', 'spec.').flatMap((fields, index): GeneratorEntry[] => {
    const path = `spec.generators[${index}]`
    if (isRecord(fields)) return [{ path, fields }]
    reader.fault(`${path} has to be a map`)
    return []
  })
  if (generators.length === 0) reader.fault('spec.generators: at least one generator is required')
  const templatePatch = reader.text(spec, 'templatePatch', 'spec.') ?? ''
  const syncPolicy = reader.map(spec, 'syncPolicy', 'spec.') ?? {}
  const policy = readPolicy(reader, syncPolicy)
  const preserved = reader.map(spec, 'preservedFields', 'spec.') ?? {}
  const preservedFields = {
    annotations: reader.texts(preserved, 'annotations', 'spec.preservedFields.'),
    labels: reader.texts(preserved, 'labels', 'spec.preservedFields.'),
  }
  const ignoredDifferences = readIgnoredDifferences(reader, spec)
  const missingKey = readMissingKey(reader, spec)
  const isGoTemplate = readFlag(reader, spec, 'goTemplate', 'spec.')
  const preserveResources = readFlag(reader, syncPolicy, 'preserveResourcesOnDeletion', 'spec.syncPolicy.')
  reader.throwFaults()
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
  const given = reader.text(syncPolicy, 'applicationsSync', 'spec.syncPolicy.') || 'sync'
  const policy = policies.find((known) => known === given)
  if (policy) return policy
  reader.fault(
    `spec.syncPolicy.applicationsSync: one of ${policies.join(', ')}, not ${JSON.stringify(given)}`,
  )
  return 'sync'
}

function readMissingKey(reader: FieldReader, spec: Record<string, unknown>): MissingKey {
  let missingKey: MissingKey = 'default'
  for (const option of reader.texts(spec, 'goTemplateOptions', 'spec.')) {
    const [, word] = /^missingkey=(default|invalid|zero|error)$/.exec(option) ?? []
    if (word === 'zero' || word === 'error') missingKey = word
    else if (word !== undefined) missingKey = 'default'
    else
      reader.fault(`spec.goTemplateOptions: ${JSON.stringify(option)} is no option; missingkey=error is one`)
  }
  return missingKey
}
