import { readFile } from 'node:fs/promises'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { GlobalFlags } from '../command-line/global-flags.ts'
import { callToken } from '../sign-in/call-token.ts'
import type { CallToken } from '../sign-in/call-token.ts'
import { chooseServer } from './server-choice.ts'

/** A call that takes longer than this fails; streams set their own limit. */
export const callTimeoutMs = 300_000

/** The most bytes of an answer. */
export const maxAnswerBytes = 256 * 1024 * 1024

/** The address, transport and credentials for calls to a server. */
export interface ServerAccess {
  /** Base URL without a slash at its end. */
  url: string
  /** Those of `--header`, name and value. */
  headers: readonly (readonly [string, string])[]
  token: CallToken
  /** Settings of `tls.connect`; without TLS they mean nothing. */
  tls: { rejectUnauthorized: boolean; ca?: Buffer; cert?: Buffer; key?: Buffer }
}

/**
 * Finds the server from flags, environment and context file, and reads what calls to it need.
 * @throws CommandFailure with exit code 1 when the server, a header or a certificate file cannot be used.
 */
export async function findServerAccess(
  flags: GlobalFlags,
  environment: NodeJS.ProcessEnv,
): Promise<ServerAccess> {
  const server = await chooseServer(flags, environment)
  return {
    url: server.url,
    headers: (flags.header ?? []).map(parseHeader),
    token: callToken(server),
    tls: {
      rejectUnauthorized: !server.insecure,
      ...(flags.serverCrt && { ca: await readFile(flags.serverCrt) }),
      ...(flags.clientCrt && { cert: await readFile(flags.clientCrt) }),
      ...(flags.clientCrtKey && { key: await readFile(flags.clientCrtKey) }),
    },
  }
}

function parseHeader(header: string): [string, string] {
  const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(header) ?? []
  if (name === undefined || value === undefined) {
    throw new CommandFailure(
      '--header takes "Name: value"; the given text has no name and colon at its start',
      1,
    )
  }
  return [name, value]
}
