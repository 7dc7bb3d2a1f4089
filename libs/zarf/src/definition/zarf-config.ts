import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { type Location } from '@wadi/errors/location.ts'
import type { FieldFinding } from '@wadi/fields/field-findings.ts'
import { TypedFields } from '@wadi/fields/typed-fields.ts'
import { locatedFields } from '@wadi/params/values/located-fields.ts'
import { locatedView } from '@wadi/params/values/located-view.ts'
import { inferScalar, setLocated } from '@wadi/params/resolve/assign.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { locatedAt } from '@wadi/params/values/located.ts'
import { parseKeyPath } from '@wadi/params/values/path.ts'
import { Float, isValueMap } from '@wadi/params/values/value.ts'
import type { Derivation, Located, Value } from '@wadi/params/values/value.ts'
import { TomlDate, TomlError, parse } from 'smol-toml'
import type { TomlValue } from 'smol-toml'
import { collect } from '../lint/finding.ts'
import type { Finding } from '../lint/finding.ts'
import { entriesOf, itemsOf, partOf, textOf } from './located-tree.ts'
import { readText } from './package-files.ts'
import type { PackageFiles } from './package-files.ts'
import type { WrittenPath } from './zarf-package.ts'

/** A text that a configuration sets. */
export interface SetText {
  value: string
  at: Location
  /** The origin of the string, if the place where it is written is not the place that decided it. */
  derivedFrom?: Derivation
}

/** The settings in the `zarf-config.yaml` or `zarf-config.toml` beside a package. Keys keep their case. */
export interface ZarfConfig {
  /** The file from the root of the repository; without one, that which would be read. */
  path: string
  /** `package.create.flavor`; empty when it is not set. */
  flavor: string
  /** `package.create.set`: what package templates stand for, by names in capitals. */
  createSet: ReadonlyMap<string, SetText>
  /** `package.deploy.components`: names and patterns with commas between; undefined when not set. */
  components: SetText | undefined
  /** `package.deploy.set`: variables, by names in capitals. */
  variables: ReadonlyMap<string, SetText>
  /** `package.deploy.values`: paths of values files, from the directory of the package. */
  valuesFiles: readonly WrittenPath[]
  /** `package.deploy.set_values`, applied in order to an empty map; undefined when not set. */
  setValues: Located | undefined
}

/** In the order in which Zarf looks for them. */
const names = ['zarf-config.toml', 'zarf-config.yaml', 'zarf-config.yml']

/** Configurations in the other languages that Zarf reads. */
const otherName = /^zarf-config\.(json|ini|env|dotenv|properties|props|prop|hcl|tfvars)$/

/**
 * Reads the configuration beside a package; what is not set there is empty. Of several, TOML applies.
 *
 * @throws InvalidInputError with file and line when it cannot be read.
 */
export async function readZarfConfig(
  files: PackageFiles,
  directory: string,
  findings: Finding[],
): Promise<ZarfConfig> {
  const entries = (await files.list(directory)) ?? []
  const found = names.filter((name) => entries.some((entry) => entry.name === name && !entry.isDirectory))
  const [name, other] = found
  const path = [directory, name].filter((part) => part !== '').join('/')
  if (other !== undefined) {
    findings.push({
      severity: 'warning',
      message: `${other} is not read, since there is ${path} too`,
      at: { file: path },
    })
  }
  for (const entry of entries) {
    if (entry.isDirectory || !otherName.test(entry.name)) continue
    const file = [directory, entry.name].filter((part) => part !== '').join('/')
    const message = `${entry.name} is not read: write it as zarf-config.yaml or zarf-config.toml`
    findings.push({ severity: 'warning', message, at: { file } })
  }
  const tree = name === undefined ? undefined : await readTree(files, path)
  for (const field of maps) requireMap(tree, field)
  noteUnknown(tree, findings)
  const values = partOf(tree, 'package', 'deploy', 'values')
  return {
    path: name === undefined ? [directory, 'zarf-config.yaml'].filter(Boolean).join('/') : path,
    flavor: textOf(tree, 'package', 'create', 'flavor'),
    createSet: textsBy(partOf(tree, 'package', 'create', 'set')),
    components: componentsOf(partOf(tree, 'package', 'deploy', 'components')),
    variables: textsBy(partOf(tree, 'package', 'deploy', 'set')),
    valuesFiles: values === undefined ? [] : listed(values, 'package.deploy.values'),
    setValues: settingsOf(partOf(tree, 'package', 'deploy', 'set_values'), findings),
  }
}

async function readTree(files: PackageFiles, path: string): Promise<Located> {
  const content = await readText(files, path)
  if (!path.endsWith('.toml')) {
    return readLocatedYaml(content, path)
  }
  try {
    return locatedAt(fromToml(parse(content, { integersAsBigInt: true })), { file: path })
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    const [first = ''] = cause.message.split('\n')
    throw new InvalidInputError(first, { at: { file: path, line: cause.line, column: cause.column }, cause })
  }
}

function fromToml(value: TomlValue): Value {
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value
  }
  if (typeof value === 'number') {
    return new Float(value)
  }
  if (value instanceof TomlDate) {
    return value.toISOString()
  }
  if (Array.isArray(value)) {
    return value.map(fromToml)
  }
  return typeof value === 'object'
    ? new Map(Object.entries(value).map(([key, member]) => [key, fromToml(member)]))
    : value
}

/** Returns a scalar as the text that stands for it. */
function scalarText(part: Located): string {
  const { value } = part
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (value instanceof Float) return String(value.value)
  if (typeof value === 'object') {
    fields.wrongType(part, 'this value', 'string')
    return ''
  }
  return String(value)
}

/** The parts of a configuration that hold others. */
const maps = [
  'package',
  'package.create',
  'package.create.set',
  'package.deploy',
  'package.deploy.set',
  'package.deploy.set_values',
]

const fields = locatedFields()

function requireMap(tree: Located | undefined, field: string): void {
  const part = partOf(tree, ...field.split('.'))
  if (part !== undefined && part.value !== null) fields.isObject(part, field)
}

/** The fields that Zarf itself knows, most of which do not affect hydration. */
const knownFields = {
  create: [
    'set',
    'flavor',
    'output',
    'sbom',
    'sbom_output',
    'skip_sbom',
    'max_package_size',
    'signing_key',
    'signing_key_password',
    'differential',
    'registry_override',
    'with_build_machine_info',
  ],
  deploy: [
    'set',
    'set_values',
    'values',
    'components',
    'shasum',
    'timeout',
    'namespace',
    'retries',
    'connected',
  ],
} as const

/** The most unknown keys of one object that are reported. */
const maxUnknown = 20

function noteUnknown(tree: Located | undefined, findings: Finding[]): void {
  for (const [command, known] of Object.entries(knownFields)) {
    const section = partOf(tree, 'package', command)
    if (section === undefined) continue
    const unknown: FieldFinding<Located>[] = []
    new TypedFields(locatedView, (finding) => unknown.push(finding)).known(
      section,
      known,
      `package.${command}.`,
    )
    for (const { message, node = section } of unknown.slice(0, maxUnknown)) {
      findings.push({ severity: 'warning', message, at: node.at })
    }
  }
}

function textsBy(map: Located | undefined): Map<string, SetText> {
  return new Map(
    entriesOf(map).map(([key, part]) => [key.toUpperCase(), { value: scalarText(part), at: part.at }]),
  )
}

function listed(part: Located, field: string): WrittenPath[] {
  if (isValueMap(part.value)) {
    fields.wrongType(part, field, 'list')
  }
  if (typeof part.value === 'string') {
    return part.value.split(',').map((path) => ({ path: path.trim(), at: part.at }))
  }
  return itemsOf(part).map((item) => ({ path: scalarText(item), at: item.at }))
}

function componentsOf(part: Located | undefined): SetText | undefined {
  return part === undefined
    ? undefined
    : {
        value: listed(part, 'package.deploy.components')
          .map(({ path }) => path)
          .join(','),
        at: part.at,
      }
}

/** Reads settings as Zarf does: each key is a path, whose leading dot may be left out, and scalars are texts. */
function settingsOf(map: Located | undefined, findings: Finding[]): Located | undefined {
  if (map === undefined) {
    return undefined
  }
  let tree: Located = { value: new Map(), at: map.at }
  for (const [key, part] of entriesOf(map)) {
    const isTree = isValueMap(part.value) || Array.isArray(part.value)
    const value = isTree ? part : locatedAt(inferScalar(scalarText(part)), part.at)
    tree =
      collect(findings, part.at, () =>
        setLocated(tree, parseKeyPath(key.startsWith('.') ? key : `.${key}`), value),
      ) ?? tree
  }
  return tree
}
