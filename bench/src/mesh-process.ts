import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { newAdminToken } from '@wadi/api-gateway/authentication/admin-token.ts'

/** A mesh in a process of its own. */
export interface MeshProcess extends AsyncDisposable {
  /** Address of the gateway, `http://host:port`. */
  readonly address: string
  readonly adminToken: string
  readonly pid: number
}

const program = new URL('mesh-child.ts', import.meta.url)

/**
 * Starts a mesh with all its files in a folder. `WADI_BENCH_NODE_OPTIONS` holds options for its Node, for a profile.
 * @param toolDirectory is searched for renderers first
 */
export async function startMeshProcess(directory: string, toolDirectory: string): Promise<MeshProcess> {
  const temporary = path.join(directory, 'tmp')
  await mkdir(temporary, { recursive: true })
  const adminToken = newAdminToken()
  const nodeOptions = process.env['WADI_BENCH_NODE_OPTIONS']?.split(' ') ?? []
  const child = spawn(
    process.execPath,
    [...nodeOptions, fileURLToPath(program), path.join(directory, 'data')],
    {
      env: {
        ...process.env,
        PATH: `${toolDirectory}${path.delimiter}${process.env['PATH'] ?? ''}`,
        TMPDIR: temporary,
        WADI_ADMIN_TOKEN: adminToken,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const started = once(lines, 'line')
  const first = await Promise.race([started, exited.then(() => undefined)])
  if (first === undefined || child.pid === undefined) throw new Error('the mesh ended before it was up')
  return {
    address: String(first[0]),
    adminToken,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
