import { posix } from 'node:path'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { ownOverrideFile } from '@wadi/rendering/source/option-files.ts'
import { instanceName } from '@wadi/resources/application/application.ts'
import { plainSources } from '../applications/plain-sources.ts'
import { isOfRepository } from '../diff/local/local-applications.ts'
import { placedTitle } from './collisions.ts'
import type { FoundObject } from './found-objects.ts'
import type { ImportContext } from './import-context.ts'
import { setApplications } from './set-applications.ts'

/** An Application of the repository by whose name a file with options is read. */
interface OverrideReader {
  /** The object that it is or that makes it. */
  readonly owner: Manifest
  /** Its kind, name and place, for people. */
  readonly title: string
}

/** The Applications that read files with options, by the paths of these, which may not exist. */
export type OverrideReaders = ReadonlyMap<string, readonly OverrideReader[]>

/** The parts that planning needs. */
export type PlanContext = ImportContext & { readonly readers: OverrideReaders }

/** Finds the Applications of a repository that read the `.argocd-source-NAME.yaml` of their directories, also those of sets. */
export async function overrideReaders(
  known: readonly FoundObject[],
  context: Pick<ImportContext, 'sets' | 'side'>,
): Promise<OverrideReaders> {
  const readers = new Map<string, OverrideReader[]>()
  for (const found of known) {
    const { manifest: owner } = found
    const isSet = owner['kind'] === 'ApplicationSet'
    for (const one of isSet ? (await setApplications(owner, context)).applications : [owner]) {
      const reader = { owner, title: placedTitle(found, one) }
      for (const file of filesOf(one, context.side.repoUrl)) {
        readers.getOrInsertComputed(file, () => []).push(reader)
      }
    }
  }
  return readers
}

function filesOf(application: Manifest, repoUrl: string): string[] {
  const namespace = textAt(application, 'metadata', 'namespace')
  const file = ownOverrideFile(instanceName({ name: textAt(application, 'metadata', 'name'), namespace }))
  if (file === undefined) return []
  const spec = objectAt(application, 'spec')
  const { drySource, drySources } = objectAt(spec, 'sourceHydrator')
  const sources = [...plainSources(spec), ...plainSources({ source: drySource, sources: drySources })]
  return sources
    .filter((source) => isOfRepository(repoUrl, source))
    .map(({ path }) => posix.join('/', path, file).slice(1))
}
