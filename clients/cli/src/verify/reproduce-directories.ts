import { errorMessage } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { listAt, textAt } from '@wadi/fields/json-fields.ts'
import { provenanceType } from '@wadi/signatures/attestations/statement.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import type { PluginFlags } from '../plugins/plugin-flags.ts'
import { readFromRepository } from '../render/hydrated-directory.ts'
import { openRepository } from '../render/git-repository.ts'
import { parseRecord, reproduceHydration } from '../render/reproduce-hydration.ts'
import type { Verification } from './verify-history.ts'

/**
 * Renders each hydrated directory at the head again, and returns which differ, and which tools are others than the attested ones.
 * @param dryRepository a directory or URL; undefined for those that the directories name
 */
export async function reproduceDirectories(
  repository: string,
  { head, directories, commits }: Verification,
  dryRepository: string | undefined,
  flags: PluginFlags,
  session: CommandSession,
): Promise<string[]> {
  const { signal } = session
  const { openLocalPlugins } = await import('../plugins/local-plugins.ts')
  await using plugins = await openLocalPlugins(flags, session)
  const attested = new Map(
    commits
      .toReversed()
      .flatMap(({ statements }) =>
        statements.flatMap(({ predicateType, tools }) =>
          predicateType === provenanceType ? [...tools] : [],
        ),
      ),
  )
  const problems: string[] = []
  for (const directory of directories) {
    const path = directory === '.' ? '' : directory
    try {
      const found = await readFromRepository(repository, '', head, path, signal)
      const hydrated = { ...found, metadata: withAttestedTools(found.metadata, attested) }
      await using dry = await openRepository(dryRepository ?? parseRecord(found.metadata).repoURL, signal)
      const source = {
        path,
        options: {},
        destinationNamespace: '',
        applicationName: '',
        targetRevision: 'HEAD',
        manifestGeneratePaths: '',
      }
      const { equal, toolDifferences } = await reproduceHydration(hydrated, source, dry, plugins, signal)
      if (!equal) problems.push(`directory ${directory} is not what its dry commit renders to here`)
      for (const { name, local, recorded } of toolDifferences) {
        problems.push(
          `directory ${directory}: ${name} is ${local} here and was ${recorded} by its attestation`,
        )
      }
    } catch (error) {
      problems.push(`directory ${directory} cannot be rendered again: ${errorMessage(error)}`)
    }
  }
  return problems
}

/** Puts the attested digests of tools into a `hydrator.metadata`. */
function withAttestedTools(metadata: string, attested: ReadonlyMap<string, string>): string {
  const record: unknown = JSON.parse(metadata)
  if (!isJsonObject(record)) return metadata
  const tools = listAt(record, 'tools').map((tool) => {
    const sha256 = attested.get(`${textAt(tool, 'name')} ${textAt(tool, 'version')}`)
    return isJsonObject(tool) && sha256 !== undefined ? { ...tool, sha256 } : tool
  })
  return JSON.stringify({ ...record, tools })
}
