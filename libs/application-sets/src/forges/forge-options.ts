import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FieldReader } from '@wadi/fields/field-reader.ts'
import type { Forge } from '@wadi/forges/forge.ts'
import { forgeFields, type Listed, unsupportedForge } from './forge-names.ts'

/** One entry of an object with texts by key. */
export interface KeyReference {
  name: string
  key: string
}

/** A generator's access to a forge, as its fields describe it. */
export interface ForgeOptions {
  forge: Forge
  /** Empty for the public one. */
  api: string
  token: KeyReference | undefined
  insecure: boolean
  authorities: KeyReference | undefined
  /** The path of what is asked about: an organisation, a group or a repository, for example `team/shop`. */
  owner: string
}

/** The fields that say it, of each generator and forge those that it has. */
const ownerFields = ['organization', 'owner', 'group', 'project', 'repo']

/** Forge that a generator names, with what it lists there and the options. */
interface ChosenForge<Source> {
  forge: Forge
  source: Source
  options: Record<string, unknown>
}

/**
 * The one forge that a generator names, and its fields; `none` is the message when it names none.
 * @throws InvalidInputError, also for a provider of Argo CD that is not supported
 */
export function chosenForge<Kind extends Listed>(
  reader: FieldReader,
  fields: Record<string, unknown>,
  { kind, none }: { kind: Kind; none: string },
): ChosenForge<NonNullable<Forge[Kind]>> {
  const { supported, unsupported } = forgeFields[kind]
  const other = unsupported.find((name) => (fields[name] ?? null) !== null)
  if (other !== undefined) throw new InvalidInputError(unsupportedForge(other, forgeFields[kind]))
  const chosen = [...supported.values()].flatMap((forge) => {
    const source = forge[kind]
    const options = source && reader.object(fields, source.field, '')
    return source && options ? [{ forge, source, options }] : []
  })
  reader.throwFindings()
  const [first, ...others] = chosen
  if (!first) throw new InvalidInputError(`${none}; give one of ${[...supported.keys()].join(', ')}`)
  if (others.length > 0) {
    const found = chosen.map(({ source }) => source.field).join(', ')
    throw new InvalidInputError(`found more than one provider: ${found}; make a generator of each`)
  }
  return first
}

/** Reads what the fields of every forge have in common. */
export function readForgeOptions(
  reader: FieldReader,
  { forge, source, options: fields }: ChosenForge<{ field: string; tokenField?: string }>,
): ForgeOptions {
  const at = `${source.field}.`
  if ((fields['appSecretName'] ?? '') !== '') {
    reader.report(
      `${at}appSecretName: GitHub Apps are not supported; put a token into a Secret and name it in tokenRef`,
    )
  }
  const api =
    forge.defaultApi === ''
      ? reader.requiredString(fields, 'api', at)
      : (reader.string(fields, 'api', at) ?? '')
  return {
    forge,
    api,
    token: readReference(reader, fields, source.tokenField ?? 'tokenRef', 'secretName', at),
    insecure: reader.boolean(fields, 'insecure', at) ?? false,
    authorities: readReference(reader, fields, 'caRef', 'configMapName', at),
    owner: ownerFields
      .map((field) => fields[field])
      .filter((value) => typeof value === 'string')
      .join('/'),
  }
}

function readReference(
  reader: FieldReader,
  fields: Record<string, unknown>,
  field: string,
  nameField: string,
  at: string,
): KeyReference | undefined {
  const reference = reader.object(fields, field, at)
  if (!reference) return undefined
  return {
    name: reader.requiredString(reference, nameField, `${at}${field}.`),
    key: reader.requiredString(reference, 'key', `${at}${field}.`),
  }
}

/** Seconds between two looks in Argo CD; only checked, as everything is looked at whenever a set is generated. */
export function checkRequeue(reader: FieldReader, fields: Record<string, unknown>): void {
  const seconds = fields['requeueAfterSeconds'] ?? 0
  if (!Number.isSafeInteger(Number(seconds)) || typeof seconds === 'string' || Number(seconds) < 0) {
    reader.report('requeueAfterSeconds must be a whole number of seconds')
  }
}
