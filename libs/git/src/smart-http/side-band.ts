import { unreachable } from '../process/connection-failure.ts'
import { classifyGitFailure } from '../process/git-failure.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { redactUrl } from '../remote/repository-url.ts'
import { lineText } from './pkt-line.ts'
import type { PktLine } from './pkt-line.ts'

/** Yields the answer of a server, on channel 1 of the lines that it shares with progress messages (gitprotocol-pack). */
export async function* contentOf(
  lines: AsyncGenerator<PktLine, void, void>,
  { url, credentials }: RemoteTarget,
  command: 'fetch' | 'push',
  onRemark: (text: string) => void,
): AsyncGenerator<Buffer, void, void> {
  const where = redactUrl(url.text)
  for (;;) {
    const { value: line } = await lines.next()
    if (line === undefined) throw unreachable(where, `its answer to the ${command} has no end`)
    if (line === 'flush') return
    const channel = Buffer.isBuffer(line) ? line[0] : undefined
    if (!Buffer.isBuffer(line) || channel === undefined || channel < 1 || channel > 3) {
      throw unreachable(where, `its answer to the ${command} is out of order`)
    }
    const content = line.subarray(1)
    if (channel === 1) yield content
    if (channel === 2) onRemark(content.toString())
    if (channel === 3) {
      const text = `remote: ${lineText(content)}\nfatal: the remote end hung up`
      throw classifyGitFailure(text, null, { command, url: url.text, credentials })
    }
  }
}
