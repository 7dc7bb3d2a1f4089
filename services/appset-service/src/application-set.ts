import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { FieldReader } from '@wadi/resources/field-reader.ts'
import { requireKnownKind } from '@wadi/resources/kinds.ts'
import { checkedResource, isRecord } from '@wadi/resources/object-checks.ts'

/** What a Go template gives for a key that is not there. */
export type MissingKey = 'default' | 'zero' | 'error'

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
  /** Whether Applications outlive the set, and so get no finalizer of their own accord. */
  preserveResources: boolean
}

/**
 * Reads an ApplicationSet.
 * @throws InvalidInputError that lists every fault with its field path
 */
export function parseApplicationSet(value: unknown): ApplicationSet {
  const resource = checkedResource(value)
  const kind = requireKnownKind(resource)
  if (kind !== 'ApplicationSet') throw new InvalidInputError(`an ApplicationSet is wanted, not ${kind}`)
  const { name, namespace } = resource.metadata
  const reader = new FieldReader(`ApplicationSet ${name}`)
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
  if (reader.text(spec, 'templatePatch', 'spec.')) {
    reader.fault('spec.templatePatch is not supported; write what it changes into spec.template')
  }
  const syncPolicy = reader.map(spec, 'syncPolicy', 'spec.') ?? {}
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
    preserveResources,
  }
}

function readFlag(reader: FieldReader, fields: Record<string, unknown>, field: string, at: string): boolean {
  const value = fields[field] ?? false
  if (typeof value !== 'boolean') reader.fault(`${at}${field} has to be true or false`)
  return value === true
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
