import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { by } from '@wadi/order/by-name.ts'

/** A socket that is taken for a plugin's. */
export interface PluginSocket {
  /** The file's name without `.sock`. */
  readonly name: string
  readonly path: string
  /** Another one when the socket was made again, which a server does when it starts. */
  readonly generation: string
}

/** The sockets of a directory by name; none if it does not exist. Only sockets are listed, no links to others. */
export async function findPluginSockets(directory: string): Promise<PluginSocket[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(absentAs([]))
  const sockets = await Promise.all(
    entries
      .filter((entry) => entry.isSocket())
      .map(async ({ name }) => {
        const file = path.join(directory, name)
        const stat = await lstat(file, { bigint: true }).catch(absentAs(undefined))
        if (stat === undefined) return []
        return [{ name: name.replace(/\.sock$/, ''), path: file, generation: `${stat.ino}:${stat.ctimeNs}` }]
      }),
  )
  return sockets.flat().toSorted(by((socket) => socket.path))
}

function absentAs<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return value
    throw error
  }
}
