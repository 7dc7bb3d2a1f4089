import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import {
  type GrantedName,
  type GrantedVariables,
  readGrantedVariable,
} from '@wadi/plugins/variables/granted-variables.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { CheckPluginConfigurationResponse } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import type { Plugin, PluginCall } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { type Announced, readAnnounced } from './announced.ts'
import type { Archive, ArchivePacker } from './archive/archive-packer.ts'
import { leftOutWarnings } from './archive/left-out-links.ts'
import type { NamedPlugin } from './connection/plugin-failure.ts'
import type { PluginConnection, RunMethod } from './connection/plugin-connection.ts'
import { generatedObjects } from './generated-objects.ts'

/** The cached answers of plugins about files, by plugin and files. */
export interface PluginAnswers {
  readonly matches: LRUCache<string, boolean>
  readonly announced: LRUCache<string, Announced>
}

const maxCachedBytes = 32 * 1024 ** 2
const keyBytes = 100

/** Makes empty caches, bounded by roughly 32 MiB each. */
export function newPluginAnswers(): PluginAnswers {
  return {
    matches: new LRUCache({ maxSize: maxCachedBytes, sizeCalculation: () => keyBytes }),
    announced: new LRUCache({
      maxSize: maxCachedBytes,
      sizeCalculation: (value) => keyBytes + JSON.stringify(value).length,
    }),
  }
}

/** The state that all plugins share. */
export interface PluginContext {
  readonly packer: ArchivePacker
  readonly answers: PluginAnswers
  readonly maxObjects: number
  readonly counts: { runs: number }
  /** The variables of Applications and clusters that plugins get, by the plugins' names; it overrides their files. */
  readonly variables: ReadonlyMap<string, GrantedVariables>
}

/** A plugin whose configuration is known. */
export interface AnsweringPlugin extends NamedPlugin {
  readonly connection: PluginConnection
  /** Differs from that of another server at the same place, whatever either says of itself. */
  readonly generation: string
  readonly configuration: CheckPluginConfigurationResponse
}

/** The plugin that an answering cmp-server runs. */
export function connectedPlugin(context: PluginContext, server: AnsweringPlugin): Plugin {
  const { name, configuration } = server
  const discovery = discoveryOf(configuration)
  const runs = new PluginRuns(context, server)
  return {
    name,
    identity: configuration.identity,
    program: {
      version: configuration.version,
      sha256: configuration.programDigest,
      image: configuration.image,
    },
    discovery,
    isStrict: configuration.isStrict,
    variables: variablesOf(context, server),
    wantsGitCredentials: configuration.provideGitCreds && keepsSecrets(server.endpoint),
    match: async (call) => discovery !== undefined && matches(context, runs, call),
    announce: async (call) => {
      const known = await runs.cached(context.answers.announced, call, async (archive) => {
        const answer = await runs.run(archive, call, (service, requests, options) =>
          service.getParametersAnnouncement(requests, options),
        )
        const value = readAnnounced(answer.parameterAnnouncements, answer.warnings)
        return { value, identity: answer.pluginIdentity }
      })
      return { announcements: [...known.announcements], warnings: [...known.warnings] }
    },
    generate: async (call) => {
      const archive = await runs.pack(call)
      const leftOut = leftOutWarnings(archive, call)
      const {
        manifests,
        pluginIdentity: identity,
        ...answer
      } = await runs.run(archive, call, (service, requests, options) =>
        service.generateManifest(requests, options),
      )
      const warnings = [...leftOut, ...answer.warnings]
      return { manifests: await generatedObjects(manifests, name, context.maxObjects), warnings, identity }
    },
  }
}

/** Sends the files of calls to one plugin under the identity that it had when it was asked who it is. */
class PluginRuns {
  readonly #context: PluginContext
  readonly #server: AnsweringPlugin

  constructor(context: PluginContext, server: AnsweringPlugin) {
    this.#context = context
    this.#server = server
  }

  get identity(): string {
    return this.#server.configuration.identity
  }

  async pack({ tree, inputs, leftOut = [], signal }: PluginCall): Promise<Archive> {
    const takesRootLinks = isWadi(this.#server.configuration)
    return this.#context.packer.archive(tree, inputs, { signal, takesRootLinks, leftOut })
  }

  async run<T extends { pluginIdentity: string }>(
    archive: Archive,
    call: PluginCall,
    send: RunMethod<T>,
  ): Promise<T> {
    const { connection } = this.#server
    this.#context.counts.runs += 1
    const answer = await connection.run(send, this.#server, archive, call)
    // What it said of itself before does not hold any more.
    if (answer.pluginIdentity !== this.identity) connection.forgetConfiguration()
    return answer
  }

  /** Asks once for all calls with the same files, path and variables. */
  async cached<T extends {}>(
    cache: LRUCache<string, T>,
    call: PluginCall,
    ask: (archive: Archive) => Promise<{ value: T; identity: string }>,
  ): Promise<T> {
    const archive = await this.pack(call)
    const key = questionKey(this.#server, archive, call)
    const known = cache.get(key)
    if (known !== undefined) return known
    const { value, identity } = await ask(archive)
    // A plugin that was changed meanwhile is asked again under its new identity.
    if (identity === this.identity) cache.set(key, value)
    return value
  }
}

async function matches({ answers }: PluginContext, runs: PluginRuns, call: PluginCall): Promise<boolean> {
  return runs.cached(answers.matches, call, async (archive) => {
    try {
      const answer = await runs.run(archive, call, (service, requests, options) =>
        service.matchRepository(requests, options),
      )
      return { value: answer.isSupported, identity: answer.pluginIdentity }
    } catch (error) {
      if (!foundNothing(error)) throw error
      return { value: false, identity: runs.identity }
    }
  })
}

/** Of what the file asks for, names that are not known here are left out. */
function variablesOf(context: PluginContext, { name, configuration }: AnsweringPlugin): GrantedVariables {
  const asked = configuration.variables.flatMap((text): [GrantedName, string][] => {
    try {
      return [readGrantedVariable(text)]
    } catch {
      return []
    }
  })
  return new Map([...asked, ...(context.variables.get(name) ?? [])])
}

/**
 * True if a command that discovers only found nothing: those of many sidecars end in `grep` or `xargs grep`, which then
 * fail without a message. Argo CD treats every failure as a no.
 */
function foundNothing(error: unknown): boolean {
  return error instanceof InvalidInputError && / failed exit status (?:1|123):\s*$/.test(error.message)
}

/** Credentials go to this machine or through TLS. */
export function keepsSecrets(endpoint: string): boolean {
  return /^(?:unix:|https:|http:\/\/(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?:[:/]|$))/.test(endpoint)
}

/** Argo CD's server sets none of the fields that Wadi has added. */
function isWadi({ identity, pluginName }: CheckPluginConfigurationResponse): boolean {
  return identity !== '' || pluginName !== ''
}

function discoveryOf(configuration: CheckPluginConfigurationResponse): Plugin['discovery'] {
  const { isDiscoveryConfigured, discoverFileName, discoverGlob } = configuration
  if (!isDiscoveryConfigured) return undefined
  if (discoverFileName !== '') return { by: 'fileName', pattern: discoverFileName }
  if (discoverGlob !== '') return { by: 'glob', pattern: discoverGlob }
  return { by: 'remote' }
}

/** Identifies everything that an answer depends on; the commit is left out, as only its files matter. */
function questionKey(server: AnsweringPlugin, archive: Archive, { path, variables }: PluginCall): string {
  const lasting = variables.filter((variable) => !variable.name.startsWith('ARGOCD_APP_REVISION'))
  return createHash('sha256')
    .update(
      JSON.stringify([
        server.name,
        server.endpoint,
        server.generation,
        server.configuration.identity,
        archive.inputs,
        path,
        lasting.map(({ name, value }) => [name, value]),
      ]),
    )
    .digest('base64')
}
