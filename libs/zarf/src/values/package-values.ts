import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation, type Location } from '@wadi/errors/location.ts'
import { applySetValues, parseSetValues } from '@wadi/params/resolve/assign.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { locationAt, partAt } from '@wadi/params/values/located.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import { mergeSchemas, validate } from '@wadi/params/schema/schema.ts'
import type { NamedSchema, SchemaError } from '@wadi/params/schema/schema.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Derivation, Located, Value } from '@wadi/params/values/value.ts'
import { collect, collectLater, spend } from '../lint/finding.ts'
import type { Budget, Finding } from '../lint/finding.ts'
import { pathInRepository, readText, isUrl } from '../definition/package-files.ts'
import type { PackageFiles } from '../definition/package-files.ts'
import { readSchemaFile } from './read-schema-file.ts'
import type { ZarfConfig } from '../definition/zarf-config.ts'
import type { WrittenPath, ZarfPackage } from '../definition/zarf-package.ts'

/** Values that come with a call and not from the package. */
export interface CallValues {
  /** Values files as they are given to `--values`; the path is for messages. */
  valuesFiles?: readonly { path: string; text: string }[]
  /** Settings as they are given to `--set-values`. */
  setValues?: readonly string[]
  /** The operator's values, which override all others: a map. */
  operatorValues?: Located
}

/**
 * Returns the layers of a package's values, lowest first: files of imports and the package's own, then what the
 * configuration beside it says, then what comes with the call, then what an operator decides.
 */
export async function readValuesLayers(
  files: PackageFiles,
  zarfPackage: ZarfPackage,
  config: ZarfConfig,
  given: CallValues,
  findings: Finding[],
): Promise<Layer[]> {
  const { directory } = zarfPackage
  const bytes: Budget = { left: maxValuesBytes }
  const defaults = await readAll(files, directory, zarfPackage.valuesFiles, bytes, findings)
  const configured = await readAll(files, directory, config.valuesFiles, bytes, findings)
  const called = (given.valuesFiles ?? []).flatMap(({ path, text }) => {
    const tree = collect(findings, { file: path }, () => readValues(path, text))
    return tree === undefined ? [] : [tree]
  })
  const settings = given.setValues ?? []
  const set =
    settings.length === 0
      ? undefined
      : collect(findings, undefined, () => applySetValues(parseSetValues(settings), { file: '--set-values' }))
  const layer = (rank: Layer['rank'], label: string, tree: Located): Layer => ({
    rank,
    owner: rank === 0 ? 'tool' : rank === 3 ? 'operator' : 'developer',
    kind: rank === 0 ? 'default' : 'value',
    tree,
    label,
  })
  return [
    ...defaults.map((tree) => layer(0, 'values file', tree)),
    ...configured.map((tree) => layer(2, 'package.deploy.values', tree)),
    ...(config.setValues === undefined ? [] : [layer(2, 'package.deploy.set_values', config.setValues)]),
    ...called.map((tree) => layer(2, '--values', tree)),
    ...(set === undefined ? [] : [layer(2, '--set-values', set)]),
    ...(given.operatorValues === undefined
      ? []
      : [layer(3, 'Render spec.package.values', given.operatorValues)]),
  ]
}

/** The most bytes of all values files of a package. */
const maxValuesBytes = 8 * 1024 * 1024

async function readAll(
  files: PackageFiles,
  directory: string,
  paths: readonly WrittenPath[],
  bytes: Budget,
  findings: Finding[],
): Promise<Located[]> {
  const trees: Located[] = []
  for (const { path, at } of paths) {
    const tree = await collectLater(findings, at, () => readValuesFile(files, directory, path, bytes))
    if (tree !== undefined) trees.push(tree)
  }
  return trees
}

async function readValuesFile(
  files: PackageFiles,
  directory: string,
  path: string,
  bytes: Budget,
): Promise<Located> {
  if (isUrl(path)) {
    throw new InvalidInputError(
      `remote values files not yet supported, url=${path}: add a copy to the repository`,
    )
  }
  const place = pathInRepository(directory, path)
  requireExtension(place)
  const text = await readText(files, place)
  const tooMany = `the values files of the package have more than ${maxValuesBytes} bytes: make them smaller`
  spend(bytes, tooMany, Buffer.byteLength(text))
  return readValues(place, text)
}

function requireExtension(path: string): void {
  const [extension = ''] = /\.[^./]*$/.exec(path) ?? []
  if (!['.yaml', '.yml'].includes(extension.toLowerCase())) {
    throw new InvalidInputError(
      `invalid file extension for values file ${path}: ${extension.toLowerCase()}: write it in YAML and name it .yaml or .yml`,
    )
  }
}

function readValues(path: string, text: string): Located {
  requireExtension(path)
  return readLocatedYaml(text, path)
}

/** The schema of a package; `where` names the files that it was merged from. */
export interface PackageSchema extends NamedSchema {
  /** The package's own file. */
  file: string
}

/** Returns the schema of a package, those of its imports merged into it; undefined when there is none. */
export async function readSchema(
  files: PackageFiles,
  { directory, schemas }: ZarfPackage,
  findings: Finding[],
): Promise<PackageSchema | undefined> {
  const read = await Promise.all(
    schemas.map(({ path, at }) =>
      collectLater(findings, at, async () => requireObject(await readSchemaFile(files, directory, path))),
    ),
  )
  const named = read.filter((schema) => schema !== undefined)
  const [first] = named
  if (first === undefined) {
    return undefined
  }
  const merged = collect(findings, schemas[0]?.at, () => mergeSchemas(named))
  const where = named.map((schema) => schema.where).join(' with ')
  return merged === undefined ? undefined : { where, schema: merged, file: first.where }
}

/** Refuses the schema of a package that is a list or a scalar, which Zarf does not read. */
function requireObject(named: NamedSchema): NamedSchema {
  if (isValueMap(named.schema)) return named
  throw new InvalidInputError('the schema must be a JSON object', { at: { file: named.where } })
}

/** Adds a finding for each value that the schema does not allow. */
export function validateValues(
  schema: PackageSchema | undefined,
  resolution: Pick<Resolution, 'tree' | 'located'>,
  findings: Finding[],
): void {
  if (schema === undefined) {
    return
  }
  const located = resolution.located()
  const errors = collect(findings, { file: schema.where }, () =>
    validate(schema.schema, resolution.tree, {
      skipRequired: false,
      where: schema.where,
      locate: (path) => locationAt(located, path),
    }),
  )
  for (const error of errors ?? []) {
    findings.push(schemaFinding(schema, error, located))
  }
}

function schemaFinding(schema: PackageSchema, error: SchemaError, located: Located): Finding {
  const at: Location = error.at ?? locationAt(located, error.path)
  const failed = `values validation failed: schema validation failed for ${schema.where}:\n${error.message}`
  return {
    severity: 'error',
    message: `${failed}${originText(partAt(located, error.path)?.derivedFrom)}`,
    // Values that nobody wrote have no place of their own.
    at: at.file === '' ? { file: schema.file } : at,
  }
}

/** Returns the steps, as `explain` names them, to the place that decided a value; empty for a value that is its own origin. */
function originText(derivation: Derivation | undefined): string {
  const steps: string[] = []
  let at: Location | undefined
  for (let next = derivation; next !== undefined; next = next.why.winner.derivedFrom) {
    steps.push(next.step)
    at = next.why.winner.at
  }
  return at === undefined ? '' : `; the value is from ${[...steps, formatLocation(at)].join(' <- ')}`
}

/** True if a tree of maps has anything, null included, at a path. */
export function hasPath(tree: Value, path: readonly string[]): boolean {
  let current: Value | undefined = tree
  for (const key of path) {
    if (!(current instanceof Map) || !current.has(key)) {
      return false
    }
    current = current.get(key)
  }
  return true
}
