import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { classifyGitFailure } from '../process/git-failure.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import type { Capabilities } from './advertisement.ts'
import { exchange } from './exchange.ts'
import { delimiterPkt, flushPkt, lineText, OddAnswerError, pktLine, readPktLines } from './pkt-line.ts'
import type { PktLine } from './pkt-line.ts'

/**
 * Runs one command of protocol 2 (gitprotocol-v2) at a server.
 * @param args the lines after the capabilities
 * @throws as `exchange`, also while the lines are read; NotFoundError or OddAnswerError for an error that the server reports
 */
export async function* runCommand(
  remote: RemoteTarget,
  capabilities: Capabilities,
  name: 'ls-refs' | 'fetch',
  args: readonly string[],
  maxBytes: number,
): AsyncGenerator<PktLine, void, void> {
  const format = capabilities.get('object-format')
  const head = [`command=${name}\n`, ...(format === undefined ? [] : [`object-format=${format}\n`])]
  const body = [...head.map(pktLine), delimiterPkt, ...args.map((arg) => pktLine(`${arg}\n`)), flushPkt]
  const answer = await exchange(remote, {
    path: 'git-upload-pack',
    headers: {
      'content-type': 'application/x-git-upload-pack-request',
      accept: 'application/x-git-upload-pack-result',
      'git-protocol': 'version=2',
    },
    body: Buffer.from(body.join('')),
    maxBytes,
    expects: 'application/x-git-upload-pack-result',
  })
  for await (const line of readPktLines(answer)) {
    if (Buffer.isBuffer(line) && line.subarray(0, 4).toString() === 'ERR ') {
      throw reported(remote, name, lineText(line).slice(4))
    }
    yield line
  }
}

function reported({ url, credentials }: RemoteTarget, command: string, text: string): Error {
  const operation = { command, url: url.text, credentials }
  const failure = classifyGitFailure(`fatal: remote error: ${text}`, null, operation)
  return failure instanceof NotFoundError ? failure : new OddAnswerError(text)
}
