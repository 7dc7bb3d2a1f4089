import { filesFolder, maxFilesBytes } from '@wadi/hydration/files-folder.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import { manifestGeneratePathsAnnotation } from '@wadi/hydration/source-message.ts'
import { objectAt, textAt } from '../objects/json-fields.ts'
import type { QualifiedName } from '../applications/application-name.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { openRepository } from './git-repository.ts'
import { sourceOptions } from './render-folder.ts'
import { type HydratedDirectory, type ReproductionSource } from './reproduce-hydration.ts'
import type { ServerConnection } from '../connection/server-connection.ts'

const maxFileBytes = 64 * 1024 * 1024

/** Reads what the hydrated branch of an Application holds, and the source that it was hydrated from. */
export async function readFromServer(
  applications: ServerConnection['applications'],
  name: QualifiedName,
  hydratedRevision: string,
  signal: AbortSignal,
): Promise<{ hydrated: HydratedDirectory; source: ReproductionSource }> {
  const { application } = await applications.getApplication(name, { signal })
  const hydrated = await applications.getManifests({ ...name, hydratedRevision }, { signal })
  const success = objectAt(
    application,
    'status',
    'sourceHydrator',
    'lastSuccessfulOperation',
    'sourceHydrator',
  )
  const spec = objectAt(application, 'spec', 'sourceHydrator')
  const drySource = objectAt(Object.keys(success).length > 0 ? success : spec, 'drySource')
  return {
    hydrated,
    source: {
      path: textAt(drySource, 'path'),
      options: sourceOptions(drySource, name.name),
      destinationNamespace: textAt(application, 'spec', 'destination', 'namespace'),
      applicationName: textAt(application, 'metadata', 'name'),
      targetRevision: textAt(drySource, 'targetRevision'),
      manifestGeneratePaths: textAt(application, 'metadata', 'annotations', manifestGeneratePathsAnnotation),
    },
  }
}

/** Reads a hydrated directory from a repository, a local one or a URL. */
export async function readFromRepository(
  location: string,
  branch: string,
  revision: string | undefined,
  path: string,
  signal: AbortSignal,
): Promise<HydratedDirectory> {
  await using repository = await openRepository(location, signal)
  const tree =
    revision === undefined
      ? await repository.openCommit(`refs/heads/${branch}`, `refs/remotes/origin/${branch}`)
      : await repository.openCommit(revision)
  const readText = async (name: string): Promise<string> => {
    const file = pathInside(path, name)
    if ((await tree.entry(file)) === undefined) {
      throw new CommandFailure(`${repository.location} has no ${file} at ${revision ?? `branch ${branch}`}`)
    }
    return (await tree.read(file, maxFileBytes)).toString('utf8')
  }
  const manifest = await readText(hydratedFiles.manifest)
  const metadata = await readText(hydratedFiles.metadata)
  const files: HydratedDirectory['files'][number][] = []
  let left = maxFilesBytes
  for (const listed of readHydratorMetadata(metadata).files) {
    const file = pathInside(pathInside(path, filesFolder), listed)
    const entry = await tree.entry(file)
    if (entry?.kind !== 'file' && entry?.kind !== 'executable') continue
    const content = (await tree.read(file, left)).toString('utf8')
    left -= Buffer.byteLength(content)
    files.push({ path: listed, content })
  }
  return { manifest, metadata, files }
}
