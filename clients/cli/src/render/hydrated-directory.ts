import { onlyDrySource } from '../applications/dry-sources.ts'
import { hydratedFiles, pathInside } from '@wadi/hydration/hydrated-files.ts'
import { readDirectory } from '@wadi/hydration/read-directory.ts'
import { manifestGeneratePathsAnnotation } from '@wadi/hydration/source-message.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { QualifiedName } from '../applications/application-name.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { instanceName } from '@wadi/resources/application/application.ts'
import { openRepository } from './git-repository.ts'
import { sourceOptions } from './render-directory.ts'
import { type HydratedDirectory, type ReproductionSource } from './reproduce-hydration.ts'
import type { ServerConnection } from '../connection/server-connection.ts'

/** Reads what the hydrated branch of an Application holds, and the source that it was hydrated from. */
export async function readFromServer(
  applications: ServerConnection['applications'],
  name: QualifiedName,
  hydratedRevision: string,
  signal: AbortSignal,
): Promise<{ hydrated: HydratedDirectory; source: ReproductionSource }> {
  const { application } = await applications.getApplication(name, { signal })
  const request = { ...name, hydratedRevision, plainSecrets: true }
  const hydrated = await applications.getManifests(request, { signal })
  if (hydrated.hiddenSecrets > 0) {
    throw new CommandFailure(
      `the manifests of ${name.name} have Secrets, whose values need the right secrets, get to the Application; --repo reads the branch itself`,
    )
  }
  const success = objectAt(
    application,
    'status',
    'sourceHydrator',
    'lastSuccessfulOperation',
    'sourceHydrator',
  )
  const spec = objectAt(application, 'spec', 'sourceHydrator')
  const hydrator = Object.keys(success).length > 0 ? success : spec
  const drySource = onlyDrySource(
    { ...application, spec: { sourceHydrator: hydrator } },
    `the ${hydratedFiles.readme} of its directory says how to reproduce it`,
  )
  return {
    hydrated,
    source: {
      path: textAt(drySource, 'path'),
      options: sourceOptions(drySource, name.name),
      destinationNamespace: textAt(application, 'spec', 'destination', 'namespace'),
      applicationName: instanceName({
        name: textAt(application, 'metadata', 'name'),
        namespace: textAt(application, 'metadata', 'namespace'),
      }),
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
  const at = `at ${revision ?? `branch ${branch}`}`
  const content = await readDirectory(tree, path)
  const missing = content === undefined ? hydratedFiles.manifest : hydratedFiles.metadata
  if (content === undefined || content.metadata === '') {
    throw new CommandFailure(`${repository.location} has no ${pathInside(path, missing)} ${at}`)
  }
  return content
}
