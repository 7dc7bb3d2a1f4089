import { unreachable } from '../process/connection-failure.ts'
import { atomicUnsupported } from '../process/git-failure.ts'
import type { PushRejection } from '../process/git-failure.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { redactUrl } from '../remote/repository-url.ts'
import type { Capabilities } from './advertisement.ts'
import { exchange } from './exchange.ts'
import { flushPkt, lineText, OddAnswerError, pktLine, readPktLines } from './pkt-line.ts'
import { contentOf } from './side-band.ts'

/** One ref to move, if it still names what is expected. */
export type RefCommand = { ref: string; expected: string | undefined; source: string }

/** A server's report of a push; without rejections if everything moved. */
export type PushReport = {
  rejections: PushRejection[]
  /** The server's other output, each line after `remote: `, as git prints it. */
  remarks: string
}

const noObject = '0'.repeat(40)
/** The error of receive-pack for a push that lacks objects, as after the removal of a ref that it was expected to have. */
const lacking = /\((?:missing necessary objects|unpacker error)/
const maxReportBytes = 16 * 1024 * 1024
const maxRemarks = 64 * 1024

/**
 * Moves refs at a server and sends the objects for that (gitprotocol-pack). The server compares each ref with what is expected
 * while it has it locked.
 * @throws as `exchange`, after which the push may or may not have happened; OddAnswerError while it has not, where git has to
 *   push; AtomicUnsupportedError
 */
export async function pushPack(
  remote: RemoteTarget,
  capabilities: Capabilities,
  commands: readonly RefCommand[],
  atomic: boolean,
  pack: Buffer,
): Promise<PushReport> {
  const where = redactUrl(remote.url.text)
  if (atomic && !capabilities.has('atomic')) throw atomicUnsupported(where)
  const answer = await exchange(remote, {
    path: 'git-receive-pack',
    headers: {
      'content-type': 'application/x-git-receive-pack-request',
      accept: 'application/x-git-receive-pack-result',
    },
    body: Buffer.concat([Buffer.from(commandLines(commands, wordsFor(capabilities, atomic))), pack]),
    maxBytes: maxReportBytes,
    expects: 'application/x-git-receive-pack-result',
  })
  const report = await readReport(remote, capabilities, commands, answer).catch((error: unknown) => {
    if (!(error instanceof OddAnswerError)) throw error
    throw unreachable(where, `its report of the push cannot be read: ${error.message}`)
  })
  if (report.rejections.some(({ summary }) => lacking.test(summary))) {
    throw new OddAnswerError('the server lacks objects that the pack builds on')
  }
  return report
}

/** Returns the capabilities that the server must use. */
function wordsFor(capabilities: Capabilities, atomic: boolean): string[] {
  const format = capabilities.get('object-format') ?? 'sha1'
  const report = ['report-status-v2', 'report-status'].find((name) => capabilities.has(name))
  if (report === undefined || format !== 'sha1') {
    throw new OddAnswerError('the server reports no status, or has objects of another format')
  }
  const offered = ['side-band-64k', 'quiet'].filter((name) => capabilities.has(name))
  const named = capabilities.has('object-format') ? [`object-format=${format}`] : []
  return [report, ...offered, ...(atomic ? ['atomic'] : []), ...named]
}

function commandLines(commands: readonly RefCommand[], words: readonly string[]): string {
  const lines = commands.map(
    ({ ref, expected, source }, index) =>
      `${expected ?? noObject} ${source} ${ref}${index === 0 ? `\0 ${words.join(' ')}` : ''}`,
  )
  return lines.map(pktLine).join('') + flushPkt
}

async function readReport(
  remote: RemoteTarget,
  capabilities: Capabilities,
  commands: readonly RefCommand[],
  answer: AsyncIterable<Buffer>,
): Promise<PushReport> {
  let remarks = ''
  const note = (text: string): void => {
    remarks = (remarks + text).slice(-maxRemarks)
  }
  const lines = readPktLines(answer)
  const report = capabilities.has('side-band-64k')
    ? readPktLines(contentOf(lines, remote, 'push', note))
    : lines
  const outcomes = new Map<string, string>()
  try {
    for await (const line of report) {
      if (!Buffer.isBuffer(line)) continue
      const [, word = '', ref = '', reason = ''] = /^(ok|ng) (\S+)(?: (.*))?$/s.exec(lineText(line)) ?? []
      if (word !== '') outcomes.set(ref, word === 'ok' ? '' : reason || 'no reason given')
    }
    // Who reads to the end keeps the connection.
    await lines.next()
  } finally {
    await lines.return()
  }
  const rejections = commands.flatMap(({ ref }) => {
    const reason = outcomes.get(ref) ?? 'remote failed to report status'
    return reason === '' ? [] : [{ ref, summary: `[remote rejected] (${reason.slice(0, 500)})` }]
  })
  return { rejections, remarks: remarks.replaceAll(/^(?=.)/gm, 'remote: ') }
}
