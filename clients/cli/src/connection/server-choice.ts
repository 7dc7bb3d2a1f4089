import { CommandFailure } from '../command-line/command-failure.ts'
import type { GlobalFlags } from '../command-line/global-flags.ts'
import { contextFilePath, readContextFile } from './context-file.ts'
import type { ContextFile, ServerContext } from './context-file-content.ts'

/** The server that a command uses, and the settings of the connection. */
export interface ServerChoice {
  /** Base URL without a slash at its end. */
  url: string
  /** Empty when nobody is signed in. */
  token: string
  insecure: boolean
  /** The place of the token; undefined for one of `--auth-token` or `$WADI_AUTH_TOKEN`. */
  kept?: KeptToken
}

/** A token of the context file. */
export interface KeptToken {
  /** The context file. */
  path: string
  /** The name of the context. */
  context: string
  /** Empty when the token cannot be refreshed. */
  refreshToken: string
}

/**
 * Chooses the server: `--server`, else `$WADI_SERVER`, else the context named by `--wadi-context`, else the current one.
 * An address without `http://` or `https://` means TLS, on this machine itself plain HTTP.
 * `--auth-token` and `$WADI_AUTH_TOKEN` replace the stored token. A stored token goes to no other server than its own.
 * @throws CommandFailure with exit code 1 when no server or no such context is known.
 */
export async function chooseServer(
  flags: GlobalFlags,
  environment: NodeJS.ProcessEnv,
): Promise<ServerChoice> {
  const path = flags.config ?? contextFilePath(environment)
  const file = await readContextFile(path)
  const address = flags.server || environment['WADI_SERVER'] || ''
  const context = chooseContext(file, flags.wadiContext, address)
  const server = address || context?.server
  if (!server) {
    throw new CommandFailure(
      'no server is configured: start one with "wadi up", or name it with --server or WADI_SERVER',
      1,
    )
  }
  const givenToken = flags.authToken ?? environment['WADI_AUTH_TOKEN']
  const token = givenToken ?? context?.token ?? ''
  const plaintext = flags.plaintext ?? context?.plaintext ?? isLoopback(server)
  return {
    url: baseUrl(server, plaintext),
    token: token.trim(),
    insecure: flags.insecure ?? context?.insecure ?? false,
    ...(givenToken === undefined &&
      context && { kept: { path, context: context.name, refreshToken: context.refreshToken } }),
  }
}

/** Returns true if a server is configured, without which `chooseServer` fails. */
export async function hasServer(flags: GlobalFlags, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const address = flags.server || environment['WADI_SERVER'] || ''
  if (address !== '') return true
  const file = await readContextFile(flags.config ?? contextFilePath(environment))
  return chooseContext(file, flags.wadiContext, address) !== undefined
}

function chooseContext(
  file: ContextFile,
  name: string | undefined,
  address: string,
): ServerContext | undefined {
  if (name !== undefined) {
    const named = file.contexts.find((context) => context.name === name)
    if (!named)
      throw new CommandFailure(`context ${JSON.stringify(name)} does not exist; see "wadi context"`, 1)
    return address === '' || address === named.server ? named : undefined
  }
  const current = file.contexts.find((context) => context.name === file.current)
  if (address === '' || address === current?.server) return current
  return file.contexts.find((context) => context.server === address)
}

/** Returns true for an address on this machine: `wadi up` serves plain HTTP there, on which nobody can listen in. */
function isLoopback(server: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])(?::\d+)?$/.test(server)
}

function baseUrl(server: string, plaintext: boolean): string {
  const text = /^https?:\/\//.test(server) ? server : `${plaintext ? 'http' : 'https'}://${server}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username || url.password || url.search || url.hash) {
    throw new CommandFailure(
      `server ${JSON.stringify(server)} is not an address; write host:port or https://host/path`,
      1,
    )
  }
  return url.href.replace(/\/+$/, '')
}
