import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { create } from '@bufbuild/protobuf'
import {
  CommandService,
  type RunScriptRequest,
  RunScriptRequestSchema,
} from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import { createServiceClient } from '@wadi/rpc/create-client.ts'
import { createServiceIdentity, loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { serverFlags } from '../cmp-server-fixture.ts'
import { startCmpServer } from '../cmp-server.ts'
import { cmpServerSettings } from '../settings.ts'

/** Options for starting a command server in a test. */
interface CommandServerParts {
  readonly flags?: readonly string[]
  /** Beside PATH. */
  readonly environment?: Readonly<Record<string, string>>
  /** The text of a program named ytt that is the first on PATH. */
  readonly ytt?: string
  readonly path?: string
}

/** Starts a server without a plugin, and a client of its commands; disposal ends both. */
export async function startCommandServer(parts: CommandServerParts = {}) {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-commands-'))).path
  const programs = path.join(directory, 'programs')
  await mkdir(programs)
  if (parts.ytt !== undefined) {
    await writeFile(path.join(programs, 'ytt'), parts.ytt)
    await chmod(path.join(programs, 'ytt'), 0o755)
  }
  const argv = [...serverFlags(directory), '--listen', '127.0.0.1:0', ...(parts.flags ?? [])]
  const environment = { ...parts.environment, PATH: `${programs}:${parts.path ?? '/usr/bin:/bin'}` }
  const server = owned.use(
    await startCmpServer(readSettings(cmpServerSettings, { env: {}, argv }), environment),
  )
  const key = await loadServiceKey(path.join(directory, 'service.key'))
  const client = owned.use(
    await createServiceClient(CommandService, {
      endpoints: [server.address],
      identity: createServiceIdentity({ key, service: 'repo-server' }),
      audience: 'cmp-server',
    }),
  )
  const kept = owned.move()
  const runs = path.join(directory, 'cmp-server/runs')
  return { server, client, directory, runs, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** The messages of a script with an archive of its files. */
export async function* scriptRequests(
  text: string,
  archive: Buffer,
  script: {
    directory?: string
    environment?: { name: string; value: string }[]
    checksum?: string
    timeLimit?: number
  } = {},
): AsyncGenerator<RunScriptRequest> {
  const value = {
    text,
    folder: script.directory ?? '.',
    environment: script.environment ?? [],
    timeLimit: BigInt(script.timeLimit ?? 0),
    archiveSize: BigInt(archive.length),
    archiveChecksum: script.checksum ?? createHash('sha256').update(archive).digest('hex'),
  }
  yield create(RunScriptRequestSchema, { part: { case: 'script', value } })
  yield create(RunScriptRequestSchema, { part: { case: 'chunk', value: archive } })
}
