import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { locatedFields } from '@wadi/params/values/located-fields.ts'
import { partOf } from '@wadi/params/values/located.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'

/** A program of the operator that judges objects. */
export interface Validator {
  readonly name: string
  /** The program, by its name or absolute path, and its arguments. */
  readonly command: readonly [program: string, ...args: string[]]
  readonly timeoutSeconds: number
  /** Globs of objects as `Kind/namespace/name`, or `Kind/name` without a namespace; undefined for all. */
  readonly objects: readonly string[] | undefined
  /** The form of its output. */
  readonly output: 'lines' | 'sarif'
}

const defaultTimeoutSeconds = 30
const maxTimeoutSeconds = 120

/**
 * Reads the programs of the operator: a list `validators` of `name`, `command`, and `timeoutSeconds`, `objects` and `output`, which have
 * defaults: 30 seconds, all objects, lines.
 * @param file names the text in messages
 * @throws InvalidInputError with the place of what is wrong
 */
export function readValidators(text: string, file: string): readonly Validator[] {
  const document = readLocatedYaml(text, file, { rules: 'kubernetes' })
  const fields = locatedFields()
  fields.known(document, ['validators'], '')
  const validators = fields.objects(document, 'validators', '').map(({ item, path }) => {
    const read = readValidator(item, `${path}.`)
    return { item, path, read }
  })
  const names = new Set<string>()
  for (const { item, path, read } of validators) {
    if (names.has(read.name)) throw invalid(item, `${path}.name`, 'is the name of another program, too')
    names.add(read.name)
  }
  return validators.map(({ read }) => read)
}

function readValidator(item: Located, at: string): Validator {
  const fields = locatedFields()
  fields.known(item, ['name', 'command', 'timeoutSeconds', 'objects', 'output'], at)
  const name = fields.requiredString(item, 'name', at)
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name))
    throw invalid(item, `${at}name`, 'must be lower-case letters, digits and -, at most 63')
  const [program, ...args] = strings(item, 'command', at) ?? []
  if (program === undefined) throw invalid(item, `${at}command`, 'must have a program')
  if (program.includes('/') && !program.startsWith('/'))
    throw invalid(item, `${at}command`, 'must begin with a name or an absolute path')
  const objects = strings(item, 'objects', at)
  for (const glob of objects ?? []) checkGlob(item, glob, `${at}objects`)
  const output = fields.string(item, 'output', at) ?? 'lines'
  if (output !== 'lines' && output !== 'sarif') throw invalid(item, `${at}output`, 'must be lines or sarif')
  return { name, command: [program, ...args], timeoutSeconds: timeoutOf(item, at), objects, output }
}

function timeoutOf(item: Located, at: string): number {
  const value = partOf(item, 'timeoutSeconds')?.value ?? defaultTimeoutSeconds
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxTimeoutSeconds)
    return value
  throw invalid(item, `${at}timeoutSeconds`, `must be an integer from 1 to ${maxTimeoutSeconds}`)
}

function strings(item: Located, key: string, at: string): string[] | undefined {
  const part = partOf(item, key)
  if (part === undefined) return undefined
  const values = isList(part.value) ? part.value : [part.value]
  return values.map((value) => {
    if (typeof value === 'string' && !value.includes('\0')) return value
    throw invalid(item, `${at}${key}`, 'must be a list of strings')
  })
}

function checkGlob(item: Located, glob: string, path: string): void {
  try {
    compileArgoGlob(glob)
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    throw invalid(item, path, `is not a pattern: ${error.reason}`)
  }
}

function invalid(item: Located, path: string, reason: string): InvalidInputError {
  const part = partOf(item, path.split('.').at(-1) ?? '')
  return new InvalidInputError(`${path} ${reason}`, { at: (part ?? item).at, path })
}
