import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { RenderRun } from '../../run/render-run.ts'
import { childPath, isBelow } from '@wadi/file-trees/repository-path.ts'
import { checkSchemaReferences } from './schema-references.ts'

const schemaName = 'values.schema.json'

/** Deepest nesting of packed charts within packed ones. */
const deepestArchive = 10

/**
 * Refuses schemas of values that lead out of their charts, before Helm sees them: those of the charts that the inspection
 * found, packed ones too, and of what a build of dependencies put into `builtCharts`.
 * @throws InvalidInputError for such a schema, ResourceExhaustedError for a packed chart that is too large
 */
export async function checkChartSchemas(
  { sandbox, inputs }: RenderRun,
  builtCharts: readonly string[] = [],
): Promise<void> {
  const found = [...sandbox.inputs].filter((file) => inputs.some((input) => isBelow(file, input)))
  for (const file of new Set([
    ...found,
    ...builtCharts.flatMap((chart) => packedIn(sandbox.repository, chart)),
  ])) {
    const place = path.join(sandbox.repository, file)
    if (path.posix.basename(file) === schemaName) checkSchemaReferences(readFileSync(place, 'utf8'), file)
    else if (file.endsWith('.tgz')) await checkArchive(readFileSync(place), file, 0)
  }
}

function packedIn(repository: string, chart: string): string[] {
  const directory = childPath(chart, 'charts')
  return readdirSync(path.join(repository, directory))
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => childPath(directory, name))
}

async function checkArchive(archive: Buffer, place: string, depth: number): Promise<void> {
  if (depth > deepestArchive) {
    throw new InvalidInputError(`more than ${deepestArchive} packed charts within one another`, {
      at: { file: place },
    })
  }
  const { packedFiles } = await import('@wadi/charts/packed-files.ts')
  const isWanted = (name: string): boolean =>
    path.posix.basename(name) === schemaName || name.endsWith('.tgz')
  for (const { name, content } of await packedFiles(archive, place, isWanted)) {
    const inside = `${place}!${name}`
    if (name.endsWith('.tgz')) await checkArchive(content, inside, depth + 1)
    else checkSchemaReferences(content.toString(), inside)
  }
}
