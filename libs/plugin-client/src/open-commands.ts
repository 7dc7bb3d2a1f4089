import { DomainError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { jsonText } from '@wadi/params/values/value-json.ts'
import type { DescribeCommandsResponse } from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import { CommandService } from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import type { CommandRunner } from '@wadi/rendering/composite/command-runner.ts'
import { PluginUnavailableError } from '@wadi/rendering/plugin/plugins.ts'
import { createServiceClient } from '@wadi/rpc/create-client.ts'
import type { ServiceIdentity } from '@wadi/rpc/service-identity.ts'
import type { TlsFiles } from '@wadi/rpc/tls-files.ts'
import { refuseLeftOut } from './archive/left-out-links.ts'
import { ArchivePacker } from './archive/archive-packer.ts'
import { scriptRequests } from './connection/script-requests.ts'
import { untilAborted } from '@wadi/concurrency/until-aborted.ts'

/** What `openCommands` needs. */
export interface CommandsOptions {
  /** Replicas of Wadi's cmp-server, each `http://host:port`, `https://host:port` or `unix:/path`; not empty. */
  readonly endpoints: readonly string[]
  /** Who calls. */
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
  let asked: { answer: Promise<DescribeCommandsResponse>; until: number } | undefined
  let last: DescribeCommandsResponse | undefined

  const describe = (): Promise<DescribeCommandsResponse> => {
    if (asked !== undefined && performance.now() <= asked.until) return asked.answer
    const asking = { answer: client.describeCommands({}, { timeoutMs: describeTimeoutMs }), until: Infinity }
    asked = asking
    asking.answer.then(
      (answer) => {
        last = answer
        asking.until = performance.now() + describedMs
      },
      () => {
        asking.until = performance.now() + failureMs
      },
    )
    return asking.answer
  }
  /** Whoever needs the server has to know which one it is; for other sources nothing is wrong. */
  const named = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      throw new PluginUnavailableError(
        `the command server does not answer at ${endpoints.join(', ')}: ${error.message}; check that its cmp-server runs`,
        { cause: error },
      )
    }
  }

  return {
    identity: async () => {
      try {
        last = await describe()
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
      }
      return last === undefined ? '' : identityOf(last)
    },
    scriptsRefusedBecause: async (signal) => {
      const { runsScripts, scriptsRefusedBecause } = await named(untilAborted(describe(), signal, 'the call'))
      return runsScripts ? '' : scriptsRefusedBecause
    },
    runScript: async ({ tree, folder, script, variables, timeLimitMs, signal }) => {
      const archive = await packer.archive(tree, [''], { signal })
      refuseLeftOut(archive, 'actions')
      const environment = variables.map(({ name, value }) => ({ name, value }))
      const place = { text: script, folder: folder || '.', environment }
      const requests = scriptRequests(archive, { ...place, timeLimit: BigInt(timeLimitMs) })
      return (await named(client.runScript(requests, { ...(signal && { signal }) }))).output
    },
    runYtt: async (template, values, signal) => {
      const texts = Object.fromEntries([...values].map(([name, value]) => [name, jsonText(value)]))
      return (await named(client.runYtt({ template, values: texts }, { ...(signal && { signal }) }))).output
    },
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]()
      packer.clear()
    },
  }
}

function identityOf({ runsScripts, yttVersion }: DescribeCommandsResponse): string {
  return JSON.stringify([runsScripts, yttVersion])
}
