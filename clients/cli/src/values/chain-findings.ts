import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { readLocatedDocuments } from '@wadi/params/yaml/located-yaml.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { cartographerRole, readCartographerObjects } from '@wadi/supply-chains/read/read-objects.ts'
import { type Finding, findingsOf } from '@wadi/zarf/lint/finding.ts'
import { readText } from '@wadi/zarf/definition/package-files.ts'
import type { PackageFiles } from '@wadi/zarf/definition/package-files.ts'

/** Most files and directories that are looked at; a link may lead around in circles. */
const maxEntries = 10_000

/**
 * Returns everything that is wrong with the chains, templates and workloads in the YAML files of a directory and those below
 * it, files that are no YAML included; undefined when there is none of these objects.
 */
export async function chainFindings(
  files: PackageFiles,
  directory: string,
): Promise<readonly Finding[] | undefined> {
  const findings: Finding[] = []
  const documents: Located[] = []
  for (const file of await yamlFiles(files, directory)) {
    const text = await readText(files, file)
    if (!text.includes('carto.run/')) continue
    try {
      documents.push(...readLocatedDocuments(text, file))
    } catch (cause) {
      if (!(cause instanceof InvalidInputError)) throw cause
      findings.push(...findingsOf(cause, { file }))
    }
  }
  const { blueprints, templates, owners } = readCartographerObjects(
    documents.filter((document) => cartographerRole(document) !== undefined),
  )
  const objects = [...blueprints, ...templates, ...owners]
  if (objects.length + findings.length === 0) return undefined
  const errors = objects.flatMap((object) => object.findings.all)
  return [...findings, ...errors.map(({ at, message }): Finding => ({ severity: 'error', message, at }))]
}

async function yamlFiles(files: PackageFiles, top: string): Promise<string[]> {
  const found: string[] = []
  let entries = 0
  const walk = async (directory: string): Promise<void> => {
    for (const { name, isDirectory } of (await files.list(directory)) ?? []) {
      entries += 1
      if (entries > maxEntries) {
        throw new ResourceExhaustedError(
          `"${top || '.'}" has more than ${maxEntries} files and directories; lint a part of it`,
        )
      }
      const path = directory === '' ? name : `${directory}/${name}`
      if (name.startsWith('.') || name === 'node_modules') continue
      if (isDirectory) await walk(path)
      else if (/\.ya?ml$/.test(name)) found.push(path)
    }
  }
  await walk(top)
  return found
}
