import { DomainError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { jsonText } from '@wadi/params/values/value-json.ts'
import type { DescribeCommandsResponse } from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import { CommandService } from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import type { CommandRunner } from '@wadi/rendering/plan/command-runner.ts'
import { PluginUnavailableError } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { createServiceClient, type ServiceClient } from '@wadi/rpc/create-client.ts'
import type { ServiceIdentity } from '@wadi/rpc/service-identity.ts'
import type { TlsFiles } from '@wadi/rpc/tls-files.ts'
import { refuseLeftOut } from './archive/left-out-links.ts'
import { ArchivePacker } from './archive/archive-packer.ts'
import { scriptRequests } from './connection/script-requests.ts'
import { untilAborted } from '@wadi/concurrency/until-aborted.ts'

/** The options of `openCommands`. */
export interface CommandsOptions {
  /** Replicas of Wadi's cmp-server, each `http://host:port`, `https://host:port` or `unix:/path`; not empty. */
  readonly endpoints: readonly string[]
  /** The identity of the caller. */
  readonly identity: ServiceIdentity
  readonly tls?: TlsFiles | undefined
  /** Deadline of a call, in milliseconds, if the caller's signal does not end it earlier. Default: 3 minutes. */
  readonly timeoutMs?: number
}

/** The way to a cmp-server that runs commands; disposal ends calls under way. */
export type ConnectedCommands = CommandRunner & AsyncDisposable

const defaultTimeoutMs = 180_000
const describeTimeoutMs = 10_000
// A server may be replaced, and ytt with it, without a sign.
const describedMs = 10_000
// Thousands of sources may ask in a row.
const failureMs = 1_000

const archiveBounds = {
  archiveEntries: 200_000,
  archiveBytes: 1024 ** 3,
  cacheBytes: 64 * 1024 ** 2,
}

/** Opens the way to the cmp-server that runs commands; nothing is connected before it is asked for. */
export async function openCommands(options: CommandsOptions): Promise<ConnectedCommands> {
  const { endpoints, identity, tls, timeoutMs = defaultTimeoutMs } = options
  const client = await createServiceClient(CommandService, {
    endpoints,
    identity,
    audience: 'cmp-server',
    tls,
    defaultTimeoutMs: timeoutMs,
    limits: { maxMessageBytes: 100 * 1024 ** 2 },
  })
  const packer = new ArchivePacker(archiveBounds, { archivesBuilt: 0, bytesPacked: 0 })
  const server = new CommandServer(client, endpoints)
  return {
    identity: async () => server.identity(),
    scriptsRefusedBecause: async (signal) => {
      const { runsScripts, scriptsRefusedBecause } = await server.named(
        untilAborted(server.describe(), signal, 'the call'),
      )
      return runsScripts ? '' : scriptsRefusedBecause
    },
    runScript: async ({ tree, directory, script, variables, timeLimitMs, signal }) => {
      const archive = await packer.archive(tree, [''], { signal })
      refuseLeftOut(archive, 'actions')
      const environment = variables.map(({ name, value }) => ({ name, value }))
      const place = { text: script, folder: directory || '.', environment }
      const requests = scriptRequests(archive, { ...place, timeLimit: BigInt(timeLimitMs) })
      return (await server.named(client.runScript(requests, { ...(signal && { signal }) }))).output
    },
    runYtt: async (template, values, signal) => {
      const texts = Object.fromEntries([...values].map(([name, value]) => [name, jsonText(value)]))
      return (await server.named(client.runYtt({ template, values: texts }, { ...(signal && { signal }) })))
        .output
    },
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]()
      packer.clear()
    },
  }
}

/** The capabilities of the command server, asked again when the answer is too old. */
class CommandServer {
  readonly #client: ServiceClient<typeof CommandService>
  readonly #endpoints: readonly string[]
  #asked: { answer: Promise<DescribeCommandsResponse>; until: number } | undefined
  #last: DescribeCommandsResponse | undefined

  constructor(client: ServiceClient<typeof CommandService>, endpoints: readonly string[]) {
    this.#client = client
    this.#endpoints = endpoints
  }

  async describe(): Promise<DescribeCommandsResponse> {
    if (this.#asked !== undefined && performance.now() <= this.#asked.until) return this.#asked.answer
    const answer = this.#client.describeCommands({}, { timeoutMs: describeTimeoutMs })
    const asked = { answer, until: Infinity }
    this.#asked = asked
    answer.then(
      (described) => {
        this.#last = described
        asked.until = performance.now() + describedMs
      },
      () => {
        asked.until = performance.now() + failureMs
      },
    )
    return answer
  }

  /** That of its last answer while it does not answer; empty when it never has. */
  async identity(): Promise<string> {
    try {
      this.#last = await this.describe()
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
    }
    return this.#last === undefined ? '' : identityOf(this.#last)
  }

  /** Adds the server's name to errors of sources that need it; other sources are unaffected. */
  async named<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      throw new PluginUnavailableError(
        `the command server does not answer at ${this.#endpoints.join(', ')}: ${error.message}; check that its cmp-server runs`,
        { cause: error },
      )
    }
  }
}

function identityOf({ runsScripts, yttVersion }: DescribeCommandsResponse): string {
  return JSON.stringify([runsScripts, yttVersion])
}
