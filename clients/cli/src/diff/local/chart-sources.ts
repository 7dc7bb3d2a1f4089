import { join } from 'node:path'
import { ChartArchives } from '@wadi/charts/chart-archives.ts'
import { ChartPool } from '@wadi/charts/chart-pool.ts'
import { openChartTree } from '@wadi/charts/chart-tree.ts'
import { gitCredentials, selectSecret } from '@wadi/repositories/repository-credentials.ts'
import type { DrySource } from '@wadi/resources/application/dry-sources.ts'
import { readHelmCredentials } from './helm-credentials.ts'
import type { SourceFiles } from './source-files.ts'

const maxArchiveBytes = 512 * 1024 ** 2
const advice =
  'give helm credentials for it on this machine, with "helm repo add NAME URL --username … --password-stdin" or "helm registry login HOST"'

/** Charts at the versions that they mean now, read with helm's credentials and kept between runs. */
export class ChartSources {
  readonly #pool: ChartPool

  constructor(directory: string, environment: NodeJS.ProcessEnv) {
    const secrets = readHelmCredentials(environment)
    this.#pool = new ChartPool({
      archives: new ChartArchives(join(directory, 'charts'), maxArchiveBytes),
      policy: { allowFile: false, allowPlainHttp: 'always' },
      network: { addressesOf: () => Promise.resolve([]) },
      repositories: {
        list: async () => [...(await secrets)],
        credentialsOf: (secret, signal) => gitCredentials(secret, { signal }),
        signInAdvice: () => advice,
        identityFor: async (url, project) => selectSecret(await secrets, url, project)?.name ?? '',
      },
    })
  }

  async files(
    { repoURL, chart, targetRevision }: DrySource & { readonly chart: string },
    signal: AbortSignal,
  ): Promise<SourceFiles> {
    const request = { repoUrl: repoURL, project: '', chart }
    const found = await this.#pool.resolve(request, targetRevision, {}, signal)
    const archive = await this.#pool.archive(request, found, signal)
    const { tree } = await openChartTree(archive, `chart ${chart} ${found.version}`)
    return { tree, sha: found.version }
  }
}
