import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  createFileRegistry,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  ScalarType,
} from '@bufbuild/protobuf'
import { FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import { getComments } from '@bufbuild/protoplugin'
import { headingAnchor } from './documents.ts'
import { code, prose, table } from './markdown.ts'

/** The page of one proto file: its services, then its messages. */
interface RpcPage {
  /** The path of the proto file below `proto`, without its ending. */
  readonly name: string
  readonly text: string
}

const run = promisify(execFile)

/** Returns a page for each proto file of Wadi, made from its comments. */
export async function rpcPages(root: string): Promise<RpcPage[]> {
  const args = ['build', '--path', 'proto/wadi', '--output', '-']
  const { stdout } = await run('buf', args, { cwd: root, encoding: 'buffer', maxBuffer: 2 ** 26 })
  const { files } = createFileRegistry(fromBinary(FileDescriptorSetSchema, stdout))
  const described = [...files].filter(({ name, services, messages }) => {
    return name.startsWith('wadi/') && services.length + messages.length > 0
  })
  return described.map(rpcPage)
}

function rpcPage(file: DescFile): RpcPage {
  const title = file.services[0]?.name ?? capital(file.name.replace(/.*\//, '').replaceAll('_', ' '))
  const chapters = [
    `# ${title}\n`,
    `Package \`${file.proto.package}\`.\n`,
    ...file.services.map(serviceText),
    '## Messages\n',
    ...file.messages.map((message) => chapter(message, fields(message))),
  ]
  return { name: file.name, text: chapters.join('\n') }
}

function serviceText(service: DescService): string {
  const methods = service.methods.map((method) => chapter(method, call(method)))
  return [`${comment(service)}\n`, '## Methods\n', ...methods].join('\n')
}

function chapter(desc: DescMessage | DescMethod, body: string): string {
  return `### ${desc.name}\n\n${comment(desc)}\n\n${body}`
}

function call({ parent, name, input, output, methodKind, idempotency }: DescMethod): string {
  const reads = idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS ? ' It changes nothing.' : ''
  const stream = methodKind === 'server_streaming' ? 'a stream of ' : ''
  const file = parent.file
  return `\`/${parent.typeName}/${name}\` takes ${typeLink(input, file)} and returns ${stream}${typeLink(output, file)}.${reads}\n`
}

function fields({ fields: all, file }: DescMessage): string {
  if (all.length === 0) return 'It has no fields.\n'
  const rows = all.map((field) => [`${fieldName(field)}<br>${fieldType(field, file)}`, comment(field)])
  return table(['Field', 'Meaning'], rows)
}

/** A field's name in JSON is in camel case unless the proto gives another one. */
function fieldName({ name, jsonName, oneof }: DescField): string {
  const usual = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  const json = jsonName === usual ? '' : `, in JSON ${code(jsonName)}`
  return `${code(name)}${json}${oneof === undefined ? '' : ` (one of \`${oneof.name}\`)`}`
}

function fieldType(field: DescField, file: DescFile): string {
  if (field.fieldKind === 'map') return `map of ${valueType(field.scalar, field.message, file)}`
  if (field.fieldKind === 'list') return `list of ${valueType(field.scalar, field.message, file)}`
  return valueType(field.scalar, field.message, file)
}

function valueType(scalar: ScalarType | undefined, message: DescMessage | undefined, file: DescFile): string {
  if (message !== undefined) return typeLink(message, file)
  return scalar === undefined ? 'enum' : ScalarType[scalar].toLowerCase()
}

/** Links to the chapter of a message of Wadi; others are well known. */
function typeLink({ name, typeName, file }: DescMessage, from: DescFile): string {
  if (!file.name.startsWith('wadi/')) return code(typeName)
  const page =
    file.name === from.name ? '' : `${path.posix.relative(path.posix.dirname(from.name), file.name)}.md`
  return `[${name}](${page}#${headingAnchor(name)})`
}

function comment(desc: DescField | DescMessage | DescMethod | DescService): string {
  return prose(
    getComments(desc)
      .leading?.replaceAll(/\s*\n\s*/g, ' ')
      .trim() ?? '',
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
