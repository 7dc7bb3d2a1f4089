import { byCodeUnits, byKey, byName } from '@wadi/order/by-name.ts'
import { DomainError, FailedPreconditionError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'
import type { GrantedVariables } from '@wadi/plugins/variables/granted-variables.ts'
import {
  type Plugin,
  type Plugins,
  PluginUnavailableError,
} from '@wadi/rendering/renderers/plugin/plugins.ts'
import type { ServiceIdentity } from '@wadi/rpc/service-identity.ts'
import { type TlsFiles, openTlsFiles } from '@wadi/rpc/tls-files.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import { readAnnounced } from './announced.ts'
import { ArchivePacker, type PackingCounts } from './archive/archive-packer.ts'
import {
  type AnsweringPlugin,
  type PluginContext,
  connectedPlugin,
  keepsSecrets,
  newPluginAnswers,
} from './connected-plugin.ts'
import { type PluginPlace, PluginPlaces } from './plugin-places.ts'

/** The options of `openPlugins`. */
export interface PluginsOptions {
  /** Directory in which every socket is a plugin named like it, as Argo CD has them. It need not exist. */
  readonly socketDirectory?: string | undefined
  /** Wadi's cmp-servers elsewhere, each `http://host:port`, `https://host:port` or `unix:/path`. */
  readonly endpoints?: readonly string[]
  /**
   * Names of plugins that have to be there: while one has not been seen, `list` fails, so that no source is taken for
   * another renderer's. One that was seen is expected back for ten minutes anyway.
   */
  readonly required?: readonly string[]
  /** The variables of Applications and clusters that plugins get, by the plugins' names; none by default. */
  readonly variables?: ReadonlyMap<string, GrantedVariables>
  /** The identity of the caller; cmp-servers of Argo CD do not ask for it. */
  readonly identity?: ServiceIdentity | undefined
  readonly tls?: TlsFiles | undefined
  /** Deadline of a run, in milliseconds, if the caller's signal does not end it earlier. Default: 3 minutes. */
  readonly timeoutMs?: number
  readonly limits?: Partial<PluginLimits>
  readonly logger?: Logger | undefined
}

/** The limits of plugins' inputs and answers. */
interface PluginLimits {
  /** Most files, directories and links in an archive. Default: 200,000. */
  readonly archiveEntries: number
  /** Largest archive before compression, in bytes. Default: 1 GiB. */
  readonly archiveBytes: number
  /** Memory for what was packed, in bytes; archives share it with the directories that they consist of. Default: 256 MiB. */
  readonly cacheBytes: number
  /** Largest message, in bytes. Default: 100 MiB, which is Argo CD's. */
  readonly messageBytes: number
  /** Most objects of an answer. Default: 20,000. */
  readonly objects: number
  /** The time for which a listing of the directory of sockets is used, in milliseconds. Default: 1 second. */
  readonly lookAgainMs: number
}

/** The counts since the start. */
interface PluginStats extends PackingCounts {
  /** Calls that sent files to a plugin. */
  runs: number
}

/** A plugin as operators see it. */
export interface PluginReport {
  /** `''` for an endpoint whose name is not known yet. */
  readonly name: string
  /** `unix:/path` or a URL. */
  readonly endpoint: string
  /** Why it does not answer or cannot be used; `''` when it can. The fields below are empty otherwise. */
  readonly error: string
  readonly plugin?: Plugin
  /** True if a command announces further parameters for an application. */
  readonly hasDynamicParameters: boolean
  /** Known of Wadi's cmp-server alone. */
  readonly staticAnnouncements: readonly Announcement[]
  /** Warnings about the plugin's file. */
  readonly warnings: readonly string[]
}

/** The plugins of this process; disposal ends calls under way. */
export interface ConnectedPlugins extends Plugins, AsyncDisposable {
  /** All plugins sorted by name; one that does not answer has its error. */
  report(signal?: AbortSignal): Promise<PluginReport[]>
  readonly stats: Readonly<PluginStats>
}

const defaultTimeoutMs = 180_000
const defaultLimits: PluginLimits = {
  archiveEntries: 200_000,
  archiveBytes: 1024 ** 3,
  cacheBytes: 256 * 1024 ** 2,
  messageBytes: 100 * 1024 ** 2,
  objects: 20_000,
  lookAgainMs: 1_000,
}

/** Opens the way to config management plugins: nothing is connected before it is asked for, and plugins may come and go. */
export async function openPlugins(options: PluginsOptions): Promise<ConnectedPlugins> {
  const limits = { ...defaultLimits, ...options.limits }
  const stats: PluginStats = { archivesBuilt: 0, bytesPacked: 0, runs: 0 }
  const context: PluginContext = {
    packer: new ArchivePacker(limits, stats),
    answers: newPluginAnswers(),
    maxObjects: limits.objects,
    counts: stats,
    variables: options.variables ?? new Map(),
  }
  const { socketDirectory, endpoints = [], required = [] } = options
  const places = new PluginPlaces(
    { socketDirectory, endpoints, lookAgainMs: limits.lookAgainMs },
    {
      identity: options.identity,
      tls: options.tls === undefined ? undefined : openTlsFiles(options.tls),
      messageBytes: limits.messageBytes,
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      logger: options.logger,
    },
  )

  const list = async (signal?: AbortSignal) => {
    const answering = await Promise.all((await places.find()).map((place) => place.recall(signal)))
    assertDistinct(answering)
    assertRequired(answering, required)
    return answering.toSorted(byNameAndEndpoint).map((server) => connectedPlugin(context, server))
  }
  return {
    stats,
    list,
    get: async (name, signal) => connectedPlugin(context, await named(name, places, signal)),
    identity: async () => {
      const identities = await Promise.all((await places.find()).map(identify))
      const given = [...context.variables].map(([name, granted]) => [name, [...granted]])
      return JSON.stringify([...identities.toSorted(byKey), ...given])
    },
    report: async (signal) => {
      const found = await Promise.all((await places.find()).map((place) => describe(place, context, signal)))
      return withDoublesMarked(found).toSorted(byNameAndEndpoint)
    },
    [Symbol.asyncDispose]: async () => {
      places[Symbol.dispose]()
      context.packer.clear()
    },
  }
}

/** An endpoint that does not answer matters only when the plugin is nowhere else. */
async function named(
  name: string,
  all: PluginPlaces,
  signal: AbortSignal | undefined,
): Promise<AnsweringPlugin> {
  const isCandidate = (place: PluginPlace) => place.socketName === undefined || place.socketName === name
  let places = await all.find()
  if (!places.some(isCandidate)) places = await all.find(true)
  const answers = await Promise.allSettled(places.filter(isCandidate).map((place) => place.recall(signal)))
  const answering = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const matching = answering.filter((server) => server.name === name)
  assertDistinct(matching)
  const [server] = matching
  if (server !== undefined) return server
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason
  const names = [
    ...places.flatMap((place) => place.socketName ?? []),
    ...answering.map((other) => other.name),
  ]
  throw new NotFoundError(notFound(name, [...new Set(names)].toSorted()))
}

function notFound(name: string, names: readonly string[]): string {
  const unknown = `no plugin ${JSON.stringify(name)}`
  if (names.length === 0) return `${unknown}: no plugin can be reached`
  const versioned = names.find((other) => other.startsWith(`${name}-`))
  const hint = versioned === undefined ? '' : `; a plugin with a version is named with it: "${versioned}"`
  return `${unknown}: there are ${names.map((other) => `"${other}"`).join(', ')}${hint}`
}

function assertDistinct(servers: readonly AnsweringPlugin[]): void {
  const places = new Map<string, string>()
  for (const { name, endpoint } of servers) {
    const other = places.get(name)
    if (other !== undefined) throw new FailedPreconditionError(doubled(name, [other, endpoint]))
    places.set(name, endpoint)
  }
}

function doubled(name: string, endpoints: readonly string[]): string {
  return `${endpoints.length} plugins are named "${name}": ${endpoints.join(' and ')}; stop or rename all but one`
}

/** Returns the identity of the plugin at a place; only the place for one that never answered. */
async function identify(place: PluginPlace): Promise<readonly [string, string]> {
  try {
    const { name, configuration } = await place.recall()
    return [name, configuration.identity]
  } catch {
    return [place.endpoint, '']
  }
}

function assertRequired(servers: readonly AnsweringPlugin[], required: readonly string[]): void {
  const missing = required.filter((name) => !servers.some((server) => server.name === name))
  if (missing.length === 0) return
  throw new PluginUnavailableError(
    `plugin ${missing.map((name) => JSON.stringify(name)).join(', ')} is required but not available yet; start its cmp-server`,
  )
}

async function describe(
  place: PluginPlace,
  context: PluginContext,
  signal: AbortSignal | undefined,
): Promise<PluginReport> {
  const { endpoint } = place
  const nothing = { endpoint, hasDynamicParameters: false, staticAnnouncements: [], warnings: [] }
  try {
    const server = await place.ask(signal)
    const { hasDynamicParameters, staticParameters } = server.configuration
    const { announcements, warnings } = readAnnounced(staticParameters, server.configuration.warnings)
    return {
      name: server.name,
      endpoint,
      error: '',
      plugin: connectedPlugin(context, server),
      hasDynamicParameters,
      staticAnnouncements: announcements,
      warnings: [...warnings, ...credentialWarnings(server)],
    }
  } catch (error) {
    if (signal?.aborted === true || !(error instanceof DomainError)) throw error
    return { ...nothing, name: place.lastName, error: error.message }
  }
}

function credentialWarnings({ endpoint, configuration }: AnsweringPlugin): string[] {
  if (!configuration.provideGitCreds || keepsSecrets(endpoint)) return []
  return [`it asks for git credentials and receives none, because ${endpoint} has no TLS`]
}

function withDoublesMarked(reports: readonly PluginReport[]): PluginReport[] {
  return reports.map((report) => {
    const same = reports.filter(({ name, error }) => error === '' && name === report.name)
    if (report.error !== '' || same.length === 1) return report
    return {
      ...report,
      error: doubled(
        report.name,
        same.map(({ endpoint }) => endpoint),
      ),
    }
  })
}

type Placed = { readonly name: string; readonly endpoint: string }

function byNameAndEndpoint(one: Placed, other: Placed): number {
  return byName(one, other) || byCodeUnits(one.endpoint, other.endpoint)
}
