import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { PluginDefinition } from '@wadi/plugins/file/plugin.ts'
import { noPlugin } from './context.ts'
import type { CmpServerSettings } from './settings.ts'

/** Longest path of a unix socket on Linux, in bytes. */
const maxSocketPathLength = 107

/**
 * Returns the address to listen on: a directory of sockets becomes the socket in it that is named like the plugin.
 * @throws InvalidInputError for a socket that cannot be made there, or an open one that is none
 */
export async function listenAddress(
  { listen, openSocket }: Pick<CmpServerSettings, 'listen' | 'openSocket'>,
  plugin: PluginDefinition | undefined,
): Promise<string> {
  if (openSocket && !listen.startsWith('unix:')) {
    throw new InvalidInputError(`--open-socket needs a unix socket to listen on, not "${listen}"`)
  }
  if (!listen.startsWith('unix:')) return listen
  const isDirectory = listen.endsWith('/')
  if (isDirectory && plugin === undefined) {
    throw new InvalidInputError(`no plugin names the socket in "${listen}"; ${noPlugin}`)
  }
  const address = isDirectory ? `${listen}${plugin?.name}.sock` : listen
  await assertSocketFits(address.slice('unix:'.length))
  return address
}

async function assertSocketFits(socket: string): Promise<void> {
  const bytes = Buffer.byteLength(socket)
  if (bytes > maxSocketPathLength) {
    throw new InvalidInputError(
      `the path of socket "${socket}" has ${bytes} bytes, and no more than ${maxSocketPathLength} are possible; shorten the plugin's name or choose another directory`,
    )
  }
  const directory = dirname(socket)
  const isDirectory = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isDirectory) return
  throw new InvalidInputError(`there is no directory "${directory}" for socket "${socket}"; make it`)
}
