import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { beginProfile, type MainThreadProfile } from './main-thread-profile.ts'
import { startChildProgram } from './child-program.ts'

/** A mesh in a process of its own. */
export interface MeshProcess extends AsyncDisposable {
  /** Address of the gateway, `http://host:port`. */
  readonly address: string
  readonly adminToken: string
  readonly pid: number
  /** Profiles its main thread from now on; the returned function ends that. */
  beginProfile(): Promise<() => Promise<MainThreadProfile>>
}

/**
 * Starts a mesh with all its files in a directory.
 * @param toolDirectory is searched for renderers first
 * @param settings of the services, by the names of their variables
 */
export async function startMeshProcess(
  directory: string,
  toolDirectory: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<MeshProcess> {
  const temporary = path.join(directory, 'tmp')
  await mkdir(temporary, { recursive: true })
  const program = new URL('mesh-child.ts', import.meta.url)
  const child = await startChildProgram(program, [path.join(directory, 'data'), JSON.stringify(settings)], {
    PATH: `${toolDirectory}${path.delimiter}${process.env['PATH'] ?? ''}`,
    TMPDIR: temporary,
  })
  const [address = '', adminToken = ''] = child.firstLine.split(' ')
  return {
    address,
    adminToken,
    pid: child.pid,
    beginProfile: () => beginProfile(child.process),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
