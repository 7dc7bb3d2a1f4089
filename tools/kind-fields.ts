import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  createFileRegistry,
  type DescField,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  getOption,
  hasOption,
  ScalarType,
} from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { getComments } from '@bufbuild/protoplugin'
import { inlined } from '@wadi/protocol/gen/wadi/go_fields/v1/go_fields_pb.ts'

/** The fields of each object, by its name: each with its type and what it is for. */
type KindFields = Record<string, Record<string, [type: string, text: string]>>

/** The file in which the editors of the console have the fields. */
export const kindFieldsFile = path.join(
  import.meta.dirname,
  '../clients/web/src/components/yaml-help/kind-fields.json',
)

const packageName = 'github.com.argoproj.argo_cd.v3.pkg.apis.application.v1alpha1'
const kinds = ['Application', 'ApplicationSet', 'AppProject']

/** Messages that are another thing in JSON, or free. */
const jsonTypes: Readonly<Record<string, string>> = {
  ApplicationSetNestedGenerator: 'ApplicationSetGenerator',
  ApplicationSetStatus: 'any',
  ApplicationStatus: 'any',
  AppProjectStatus: 'any',
  FieldsV1: 'any',
  IntOrString: 'any',
  JSON: 'any',
  Operation: 'any',
  OptionalArray: 'any',
  OptionalMap: 'any',
  RawExtension: 'any',
  Time: 'string',
}

const header: KindFields[string] = {
  apiVersion: ['string', 'apiVersion is `argoproj.io/v1alpha1`.'],
  kind: ['string', 'kind is the kind of the object.'],
}

/** The fields that Argo CD's messages lack. */
const ownFields: KindFields = {
  DrySource: {
    chart: ['string', 'chart is that of a Helm repository or OCI registry, instead of path.'],
    ref: ['string', 'ref is a name by which charts read files of this source, as `$name/path`.'],
    name: ['string', 'name names the source in messages.'],
  },
  SourceHydrator: {
    drySources: ['DrySource[]', 'drySources are several sources instead of drySource, at most 20.'],
  },
}

/** Returns the fields of Applications, ApplicationSets and AppProjects as JSON, made from the messages and their comments. */
export async function kindFieldsText(root: string): Promise<string> {
  const args = ['build', '--path', 'proto/argocd/v1alpha1', '--output', '-']
  const options = { cwd: root, encoding: 'buffer', maxBuffer: 2 ** 26 } as const
  const { stdout } = await promisify(execFile)('buf', args, options)
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, stdout))
  const known: KindFields = {}
  for (const kind of kinds) addMessage(known, messageOf(registry, kind), header)
  return `${JSON.stringify(known, null, 1)}\n`
}

function messageOf(registry: FileRegistry, name: string): DescMessage {
  const message = registry.getMessage(`${packageName}.${name}`)
  if (!message) throw new Error(`${packageName} has no message ${name}`)
  return message
}

function addMessage(known: KindFields, message: DescMessage, first: KindFields[string] = {}): void {
  if (known[message.name] !== undefined) return
  const fields: KindFields[string] = { ...first }
  known[message.name] = fields
  for (const field of jsonFields(message)) {
    fields[field.jsonName] = [typeOf(field), textOf(field)]
    if (field.message && !Object.hasOwn(jsonTypes, field.message.name)) addMessage(known, field.message)
  }
  Object.assign(fields, ownFields[message.name])
}

/** The fields of a message as its JSON has them. */
function jsonFields(message: DescMessage): DescField[] {
  return message.fields.flatMap((field) => {
    const isInlined = hasOption(field, inlined) && getOption(field, inlined)
    return isInlined && field.message ? jsonFields(field.message) : [field]
  })
}

function typeOf({ fieldKind, message, scalar }: DescField): string {
  const one = message ? (jsonTypes[message.name] ?? message.name) : scalarType(scalar)
  const ends: Partial<Record<DescField['fieldKind'], string>> = { list: '[]', map: '{}' }
  return `${one}${ends[fieldKind] ?? ''}`
}

function scalarType(scalar: ScalarType | undefined): string {
  if (scalar === ScalarType.STRING || scalar === ScalarType.BYTES) return 'string'
  return scalar === ScalarType.BOOL ? 'boolean' : 'number'
}

/** The text of a field's comment, or of the comment of its message. */
function textOf(field: DescField): string {
  const comment = getComments(field).leading ?? (field.message && getComments(field.message).leading) ?? ''
  return comment.replaceAll(/\s*\n\s*/g, ' ').trim()
}
