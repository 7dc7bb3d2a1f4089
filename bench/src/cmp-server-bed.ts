import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startChildProgram } from './child-program.ts'

/** A cmp-server with a plugin, on a socket that asks for no identity. */
export interface CmpServerBed extends AsyncDisposable {
  readonly pid: number
  /** The directory with the socket. */
  readonly sockets: string
  readonly socket: string
}

/** Starts a cmp-server; `spec` is the `spec` of its plugin. */
export async function openCmpServerBed(
  directory: string,
  name: string,
  spec: Readonly<Record<string, unknown>>,
): Promise<CmpServerBed> {
  const sockets = path.join(directory, 'sockets')
  await mkdir(sockets, { recursive: true })
  const plugin = path.join(directory, `${name}.yaml`)
  const apiVersion = 'argoproj.io/v1alpha1'
  // JSON is YAML.
  await writeFile(
    plugin,
    JSON.stringify({ apiVersion, kind: 'ConfigManagementPlugin', metadata: { name }, spec }),
  )
  const child = await startChildProgram(new URL('cmp-server-child.ts', import.meta.url), [], {
    WADI_LISTEN: `unix:${sockets}/`,
    WADI_OPEN_SOCKET: 'true',
    WADI_PLUGIN: plugin,
    WADI_DATA_DIR: path.join(directory, `data-${name}`),
    WADI_SERVICE_KEY_FILE: path.join(directory, 'service.key'),
    WADI_LOG_LEVEL: 'error',
  })
  return {
    pid: child.pid,
    sockets,
    socket: child.firstLine.slice('unix:'.length),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
