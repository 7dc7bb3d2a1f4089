import type { RemoteTarget } from '../remote/remote-target.ts'
import type { Capabilities } from './advertisement.ts'
import { runCommand } from './command.ts'
import { lineText, OddAnswerError } from './pkt-line.ts'
import { contentOf } from './side-band.ts'

/** The objects that are asked for, and what the server need not send. */
export type PackRequest = {
  wants: readonly string[]
  /** Objects that are here with all that they lead to. */
  haves: readonly string[]
  /** More of them, which are offered when the server does not know `haves` well enough. */
  moreHaves: () => Promise<readonly string[]>
  /** The arguments that limit the objects, such as `filter blob:none` and `deepen 1`; none by default. */
  limits?: readonly string[]
  /** False if the pack may not build on objects that `haves` lead to, as some may be missing; true by default. */
  isThin?: boolean
}

/**
 * Asks a server for objects by protocol 2 (gitprotocol-v2, `fetch`). That is one round trip when `haves` has an ancestor of each
 * wanted object, or nothing is here; otherwise a second one, which ends in a pack whatever the server knows.
 * @param store takes the pack, of which objects that are not sent may be bases
 * @throws as `exchange` and `store`; NotFoundError for an object that the server does not have; OddAnswerError where git has
 *   to fetch
 */
export async function fetchPack(
  remote: RemoteTarget,
  capabilities: Capabilities,
  { wants, haves, moreHaves, limits = [], isThin = true }: PackRequest,
  store: (pack: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const format = capabilities.get('object-format') ?? 'sha1'
  if (!capabilities.has('fetch') || format !== 'sha1') {
    throw new OddAnswerError(`the server offers no fetch of ${format} objects`)
  }
  const form = [...(isThin ? ['thin-pack'] : []), 'no-progress', 'ofs-delta']
  const args = [...form, ...limits, ...wants.map((want) => `want ${want}`)]
  const ask = (have: readonly string[], end: readonly string[]): Promise<Round> =>
    askForPack(remote, capabilities, [...args, ...have.map((object) => `have ${object}`), ...end], store)
  const first = haves.length === 0 ? await ask([], ['done']) : await ask(haves, [])
  if (first.hasPack) return
  const { hasPack } = await ask([...new Set([...first.common, ...(await moreHaves())])], ['done'])
  if (!hasPack) throw new OddAnswerError('the answer has no pack')
}

/** True if a server offers to leave out objects and history of what it sends. */
export function offersParts(capabilities: Capabilities): boolean {
  const offered = capabilities.get('fetch')?.split(' ') ?? []
  const format = capabilities.get('object-format') ?? 'sha1'
  return format === 'sha1' && offered.includes('filter') && offered.includes('shallow')
}

const sections = ['acknowledgments', 'NAK', 'ready', 'shallow-info']

/** The result of one request: a pack, or the offered objects that the server has too. */
type Round = { hasPack: boolean; common: readonly string[] }

async function askForPack(
  remote: RemoteTarget,
  capabilities: Capabilities,
  args: readonly string[],
  store: (pack: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Round> {
  // A repository may be of any size; the disk and the time are the limits, as they are for git.
  const lines = runCommand(remote, capabilities, 'fetch', args, Number.POSITIVE_INFINITY)
  const common: string[] = []
  try {
    for (;;) {
      const { value: line } = await lines.next()
      if (line === undefined) throw new OddAnswerError('the answer has no end')
      if (line === 'flush') return { hasPack: false, common }
      if (!Buffer.isBuffer(line)) continue
      const text = lineText(line)
      if (text === 'packfile') break
      const known = /^ACK ([0-9a-f]{40})$/.exec(text)?.[1]
      if (known !== undefined) common.push(known)
      else if (!sections.includes(text) && !/^(?:un)?shallow [0-9a-f]{40}$/.test(text)) {
        throw new OddAnswerError('the answer has a section that was not asked for')
      }
    }
    await store(contentOf(lines, remote, 'fetch', () => undefined))
    // Who reads to the end keeps the connection.
    await lines.next()
    return { hasPack: true, common }
  } finally {
    await lines.return()
  }
}
