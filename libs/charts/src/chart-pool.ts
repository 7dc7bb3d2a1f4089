import { FailedPreconditionError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { NetworkPolicy } from '@wadi/git/network/network-policy.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { redactUrl, type UrlPolicy } from '@wadi/git/remote/repository-url.ts'
import { namesHost } from '@wadi/repositories/named-hosts.ts'
import { selectSecret } from '@wadi/repositories/repository-credentials.ts'
import type { RepositorySecret } from '@wadi/repositories/repository-secret.ts'
import type { RepositoryStore } from '@wadi/repositories/repository-store.ts'
import { archiveDigest, type ChartArchives } from './chart-archives.ts'
import {
  type ChartLocation,
  readArtifactLocation,
  readChartLocation,
} from '@wadi/git/remote/chart-location.ts'
import { chooseVersion, isExactVersion } from './choose-version.ts'
import { checkRepository, downloadChart, HelmIndexes } from './helm-repository.ts'
import type { OciRegistry } from './oci-registry.ts'
import type { WebAccess } from './web-request.ts'

/** A chart as an Application names it. */
export interface ChartRequest {
  readonly repoUrl: string
  readonly project: string
  /** Empty for an artifact of a registry that is none, which `repoUrl` names whole. */
  readonly chart: string
}

/** One version of a chart and its archive. */
export interface ResolvedChart {
  readonly version: string
  /** The SHA-256 of the archive, 64 hexadecimal digits. */
  readonly digest: string
  /** RFC 3339; empty where nobody says. */
  readonly created: string
  readonly description: string
}

/** A chart that was resolved before. */
export interface HeldChart {
  readonly version: string
  readonly digest: string
}

interface ChartPoolOptions {
  readonly archives: ChartArchives
  readonly policy: UrlPolicy
  readonly network: Pick<NetworkPolicy, 'addressesOf'>
  readonly repositories: Pick<RepositoryStore, 'list' | 'identityFor' | 'credentialsOf' | 'signInAdvice'> &
    Partial<Pick<RepositoryStore, 'trustFor'>>
}

/** A chart, where it is and how it is reached. */
interface OpenedChart {
  readonly location: ChartLocation
  readonly access: WebAccess
  /** Identifies the credentials. */
  readonly identity: string
  /** Names the chart in messages. */
  readonly place: string
  /** True for an artifact with files, false for a chart. */
  readonly isArtifact: boolean
}

/** The charts of Helm repositories and OCI registries, reached with the credentials of repositories. */
export class ChartPool {
  readonly #options: ChartPoolOptions
  readonly #indexes = new HelmIndexes()

  constructor(options: ChartPoolOptions) {
    this.#options = options
  }

  /** Identifies the credentials of a chart's repository; empty for none. */
  async identityFor({ repoUrl, project }: ChartRequest): Promise<string> {
    const { repositories } = this.#options
    for (const url of spellings(repoUrl)) {
      const identity = await repositories.identityFor(url, project)
      if (identity !== '') return identity
    }
    return ''
  }

  /**
   * The version and archive that a revision means now.
   * @param held what it meant before: a range keeps that version, and its archive must be the same
   * @param moves whether a range moves on to the newest version
   * @throws FailedPreconditionError when the repository has another archive for the version that is held
   */
  async resolve(
    request: ChartRequest,
    revision: string,
    { held, moves = true }: { held?: HeldChart | undefined; moves?: boolean },
    signal: AbortSignal,
  ): Promise<ResolvedChart> {
    const opened = await this.#open(request)
    const wanted = held && !moves && !isExactVersion(revision) ? held.version : revision
    const found =
      opened.location.kind === 'helm'
        ? await this.#resolveInIndex(opened, wanted, held, signal)
        : await resolveInRegistry(opened, wanted, signal)
    if (held && held.version === found.version && held.digest !== found.digest) {
      throw new FailedPreconditionError(
        `${opened.place} serves another archive for version ${found.version}: it was sha256:${held.digest} and is ` +
          `sha256:${found.digest}; publish it as another version, or accept it with "wadi app hydrate --hard"`,
      )
    }
    return found
  }

  /**
   * The archive of a version, which has this digest.
   * @throws FailedPreconditionError when the repository has another one, NotFoundError when it has none any more
   */
  async archive(request: ChartRequest, { version, digest }: HeldChart, signal: AbortSignal): Promise<Buffer> {
    const opened = await this.#open(request)
    const kept = await this.#options.archives.read(digest, ownerOf(opened))
    if (kept) return kept
    const { location, access, place } = opened
    const archive =
      location.kind === 'oci'
        ? await (await openRegistry(access, location)).archive(digest, signal)
        : await this.#download(opened, version, signal)
    if (archiveDigest(archive) !== digest) {
      throw new FailedPreconditionError(
        `${place} serves another archive for version ${version}: sha256:${archiveDigest(archive)} in place of sha256:${digest}`,
      )
    }
    await this.#options.archives.write(archive, ownerOf(opened))
    return archive
  }

  /**
   * Reaches a repository of charts with its credentials: a Helm repository for its index, a registry for what it says of them.
   * @throws what reaching it throws
   */
  async check({ repoUrl, project }: Omit<ChartRequest, 'chart'>, signal: AbortSignal): Promise<void> {
    const { access, location } = await this.#open({ repoUrl, project, chart: 'any' })
    const name = location.name.replace(/\/?any$/, '')
    if (location.kind === 'oci') {
      const registry = await openRegistry(access, { ...location, name })
      await registry.checkCredentials(signal)
    } else await checkRepository(access, location, signal)
  }

  async #resolveInIndex(
    opened: OpenedChart,
    revision: string,
    held: HeldChart | undefined,
    signal: AbortSignal,
  ): Promise<ResolvedChart> {
    const { access, location, identity, place } = opened
    const versions = await this.#indexes.versions(access, location, identity, signal)
    const texts = versions.map(({ version }) => version)
    const version = chooseVersion(texts, revision, place)
    const entry = versions.find((one) => one.version === version)
    if (!entry) throw new NotFoundError(`${place} has no version ${version}`)
    const { created, description } = entry
    const known = entry.digest || (held?.version === version ? held.digest : '')
    if (known !== '') return { version, digest: known, created, description }
    const archive = await downloadChart(access, location, entry, signal)
    return {
      version,
      digest: await this.#options.archives.write(archive, ownerOf(opened)),
      created,
      description,
    }
  }

  async #download(opened: OpenedChart, version: string, signal: AbortSignal): Promise<Buffer> {
    const { access, location, identity, place } = opened
    const versions = await this.#indexes.versions(access, location, identity, signal)
    const entry = versions.find((one) => one.version === version)
    if (!entry) throw new NotFoundError(`${place} has no version ${version} any more`)
    return downloadChart(access, location, entry, signal)
  }

  async #open({ repoUrl, project, chart }: ChartRequest): Promise<OpenedChart> {
    const { policy, network, repositories } = this.#options
    const secrets = await repositories.list()
    const secret = spellings(repoUrl)
      .map((url) => selectSecret(secrets, url, project))
      .find((found) => found !== undefined)
    const isPlain = secret?.values['insecureOCIForceHttp'] === 'true'
    const location =
      chart === ''
        ? readArtifactLocation(repoUrl, policy, isPlain)
        : readChartLocation(repoUrl, chart, policy, isPlain)
    const named = secrets.map(withScheme)
    return {
      location,
      access: {
        policy,
        advice: repositories.signInAdvice(secret),
        credentials: secret ? await repositories.credentialsOf(secret) : {},
        passesCredentials: secret?.values['passCredentials'] === 'true',
        trustOf: async (host) => (await repositories.trustFor?.(host)) ?? {},
        addressesOf: (remote) => network.addressesOf(remote, namesHost(named, remote, project)),
      },
      identity: `${secret?.name ?? ''}@${await this.identityFor({ repoUrl, project, chart })}`,
      place: chart === '' ? `artifact ${redactUrl(repoUrl)}` : `chart ${chart} of ${redactUrl(repoUrl)}`,
      isArtifact: chart === '',
    }
  }
}

async function openRegistry(access: WebAccess, location: ChartLocation): Promise<OciRegistry> {
  const { OciRegistry } = await import('./oci-registry.ts')
  return new OciRegistry(access, location)
}

async function resolveInRegistry(
  { access, location, place, isArtifact }: OpenedChart,
  revision: string,
  signal: AbortSignal,
): Promise<ResolvedChart> {
  const registry = await openRegistry(access, location)
  const version = isExactVersion(revision)
    ? revision
    : chooseVersion(await registry.versions(signal), revision, place)
  return {
    version,
    ...(await (isArtifact ? registry.artifact(version, signal) : registry.chart(version, signal))),
  }
}

/** Whose archives are kept together: credentials of a project give no other project a right to them. */
function ownerOf({ location, identity }: OpenedChart): string {
  return `${normalizeRepositoryUrl(location.baseUrl)}\n${location.name}\n${identity}`
}

/** Secrets name a registry with and without its scheme. */
function spellings(repoUrl: string): string[] {
  const bare = repoUrl.trim().replace(/^oci:\/\//i, '')
  return bare.includes('://') ? [repoUrl] : [repoUrl, bare, `oci://${bare}`]
}

/** A Secret of a registry without a scheme names a host that is reached with https, unless it says otherwise. */
function withScheme({ url, project, values }: RepositorySecret): Pick<RepositorySecret, 'url' | 'project'> {
  const bare = url.trim().replace(/^oci:\/\//i, '')
  if (bare.includes('://') || bare.includes('@')) return { url, project }
  return { url: `${values['insecureOCIForceHttp'] === 'true' ? 'http' : 'https'}://${bare}`, project }
}
