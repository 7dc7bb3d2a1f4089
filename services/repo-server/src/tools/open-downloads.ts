import path from 'node:path'
import { releaseRequest } from '@wadi/charts/release-request.ts'
import type { NetworkPolicy } from '@wadi/git/network/network-policy.ts'
import { sweepLeftovers } from '@wadi/renderer-tools/releases/installed-release.ts'
import { readReleaseList } from '@wadi/renderer-tools/releases/release-list.ts'
import { maxArchiveBytes, ToolDownloads } from '@wadi/renderer-tools/releases/tool-downloads.ts'
import { checkProgram } from '@wadi/renderer-tools/check-program.ts'
import type { RepositoryStore } from '@wadi/repositories/repository-store.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { RepoServerSettings } from '../settings.ts'

/** The means of a repo-server for downloads. */
interface Opened {
  readonly settings: Pick<RepoServerSettings, 'toolList' | 'helmReleases' | 'kustomizeReleases'>
  readonly repositories: Pick<RepositoryStore, 'wayFor'>
  readonly network: Pick<NetworkPolicy, 'addressesOf'>
  /** The directory of unpacked renderers and their versions. */
  readonly cacheDirectory: string
  readonly logger: Logger
  /** Time limit for one archive. */
  readonly maxMs?: number
}

/**
 * Opens the releases that hydrations may download, which are reached with the proxy and the authorities of repositories there.
 * @throws InvalidInputError for a list or an address that cannot be used
 */
export async function openDownloads({
  settings,
  repositories,
  network,
  cacheDirectory,
  logger,
  ...bounds
}: Opened): Promise<ToolDownloads> {
  const { toolList, helmReleases, kustomizeReleases } = settings
  const directory = path.join(cacheDirectory, 'releases')
  await sweepLeftovers(directory)
  return new ToolDownloads({
    directory,
    list: await readReleaseList(toolList),
    addresses: { helm: helmReleases, kustomize: kustomizeReleases },
    get: releaseRequest({
      addresses: [helmReleases, kustomizeReleases],
      network,
      wayTo: async (url) => repositories.wayFor(url, url, ''),
      maxBytes: maxArchiveBytes,
      ...bounds,
    }),
    check: async (tool, version, program) => checkProgram(tool, version, program, cacheDirectory),
    downloaded: ({ tool, version, sha256 }, url) =>
      logger.info({ url, sha256 }, `downloaded ${tool} ${version}`),
  })
}
