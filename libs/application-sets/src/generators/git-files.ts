import { posix } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import { mustBe } from '@wadi/fields/field-findings.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { DryCommit } from '../inputs/run-inputs.ts'
import { flatParameters } from '../params/flat-parameters.ts'
import type { ParameterSet, ParameterValues } from '../params/parameter-set.ts'
import { pathParameters } from '../params/path-parameters.ts'
import { yamlValues } from '../params/yaml-values.ts'
import type { GeneratorRun } from './generator-run.ts'
import type { GitSetOptions } from './git-directories.ts'
import type { GitPatterns } from './git-patterns.ts'

/** The parsed contents of files, for as long as the run that read them keeps their bytes. */
const objectsByContent = new WeakMap<Uint8Array, readonly ParameterValues[]>()

/**
 * One parameter set for each object in the files that match: a file is one object or a list of them, in YAML or JSON;
 * an empty file gives a set that has its path alone, an empty list gives none, as in Argo CD. Files in hidden directories match too, as in Argo CD.
 * @throws InvalidInputError that names the file and the line
 */
export async function* gitFileSets(
  commit: DryCommit,
  patterns: GitPatterns,
  { path, prefix, isGoTemplate }: GitSetOptions,
  { inputs, budget, pace }: Pick<GeneratorRun, 'inputs' | 'budget' | 'pace'>,
): AsyncGenerator<ParameterSet> {
  const files = await inputs.paths(commit, { kind: 'files', ...patterns, hidden: true })
  const contents = await inputs.files(commit, files, (bytes) => budget.spend(bytes, path))
  for (const [index, file] of files.entries()) {
    await pace()
    const filename = posix.basename(file)
    const found = pathParameters({ directory: posix.dirname(file), filename }, prefix, isGoTemplate)
    const objects = objectsIn(file, contents[index] ?? new Uint8Array(), commit)
    for (const [position, object] of objects.entries()) {
      const values = isGoTemplate ? object : Object.fromEntries(flatParameters(object))
      const origin = `${path}: file ${file}${objects.length === 1 ? '' : `[${position}]`}`
      yield { origin, values: { ...values, ...found } }
    }
  }
}

function objectsIn(file: string, content: Uint8Array, commit: DryCommit): readonly ParameterValues[] {
  const objects = objectsByContent.get(content) ?? parsedObjects(file, content, commit)
  objectsByContent.set(content, objects)
  return objects
}

function parsedObjects(file: string, content: Uint8Array, { repoUrl }: DryCommit): ParameterValues[] {
  const unable = `unable to process file '${file}' from repository '${redactUrl(repoUrl)}': unable to parse file`
  const [value = null] = documentsIn(file, content, unable)
  const isList = Array.isArray(value)
  const objects: unknown[] = isList ? value : [value]
  return objects.map((object, index) => {
    if (object === null) return {}
    if (isJsonObject(object)) return object
    const wanted = isList
      ? `${file}[${index}] ${mustBe('object', object)}`
      : `${file} must be an object or a list of objects`
    throw new InvalidInputError(wanted, { context: [unable] })
  })
}

function documentsIn(file: string, content: Uint8Array, unable: string): unknown[] {
  return withContext(unable, () => yamlValues(file, fileText(content, file)))
}
