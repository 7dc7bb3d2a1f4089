import type { RemoteRefs } from '../mirror/remote-refs.ts'
import { exchange } from './exchange.ts'
import { objectFormatUnsupported } from '../process/git-failure.ts'
import { redactUrl } from '../remote/repository-url.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { lineText, OddAnswerError, readPktLines } from './pkt-line.ts'
import { RefList } from './ref-list.ts'

/** The program that answers at the server. */
export type Service = 'git-upload-pack' | 'git-receive-pack'

/** The capabilities of a server: names, each with the text after `=`, or an empty string. */
export type Capabilities = ReadonlyMap<string, string>

/** The advertisement of a server: with protocol 2 without its refs, else with them. */
export type Advertisement =
  | { version: 2; capabilities: Capabilities }
  | { version: 0; capabilities: Capabilities; remoteRefs: RemoteRefs }

/** As many bytes as a list of refs may have. */
export const maxRefListBytes = 256 * 1024 * 1024

/**
 * Asks a server what it can do (gitprotocol-http, gitprotocol-v2), by protocol 2 where it knows that.
 * @throws as `exchange`; OddAnswerError for one that does not speak the smart protocol, FailedPreconditionError for a SHA-256 repository
 */
export async function readAdvertisement(remote: RemoteTarget, service: Service): Promise<Advertisement> {
  const advertisement = await askForAdvertisement(remote, service)
  if (advertisement.capabilities.get('object-format') === 'sha256') {
    throw objectFormatUnsupported(redactUrl(remote.url.text))
  }
  return advertisement
}

async function askForAdvertisement(remote: RemoteTarget, service: Service): Promise<Advertisement> {
  const answer = await exchange(remote, {
    path: `info/refs?service=${service}`,
    // Pushing has no protocol 2.
    headers: service === 'git-upload-pack' ? { 'git-protocol': 'version=2' } : {},
    maxBytes: maxRefListBytes,
    expects: `application/x-${service}-advertisement`,
  })
  const lines = await textLines(answer, service)
  const [first] = lines
  if (first === 'version 2') {
    return { version: 2, capabilities: capabilitiesOf(lines.slice(1)) }
  }
  return readRefAdvertisement(first === 'version 1' ? lines.slice(1) : lines)
}

/** The lines without the announcement of the service, which servers leave out before protocol 2. */
async function textLines(answer: AsyncIterable<Buffer>, service: Service): Promise<string[]> {
  const lines: string[] = []
  let isWhole = false
  for await (const line of readPktLines(answer)) {
    isWhole = line === 'flush'
    if (Buffer.isBuffer(line)) lines.push(lineText(line))
  }
  if (!isWhole) throw new OddAnswerError('the answer has no end')
  return lines[0] === `# service=${service}` ? lines.slice(1) : lines
}

function readRefAdvertisement(lines: readonly string[]): Advertisement {
  const list = new RefList()
  let capabilities: Capabilities = new Map()
  for (const [index, text] of lines.entries()) {
    const [line = '', words] = index === 0 ? text.split('\0', 2) : [text]
    if (words !== undefined) {
      const names = words.split(' ').filter(Boolean)
      capabilities = capabilitiesOf(names)
      for (const name of names) if (name.startsWith('symref=HEAD:')) list.setHead(name.slice(12))
    }
    const space = line.indexOf(' ')
    const name = line.slice(space + 1)
    // Not refs: that there are none, where history was cut off, and what a server has of others.
    if (name === 'capabilities^{}' || name === '.have' || line.startsWith('shallow ')) continue
    list.add(line.slice(0, space), name)
  }
  return { version: 0, capabilities, remoteRefs: list.result() }
}

function capabilitiesOf(words: readonly string[]): Capabilities {
  return new Map(
    words.map((word) => {
      const equals = word.indexOf('=')
      return equals < 0 ? [word, ''] : [word.slice(0, equals), word.slice(equals + 1)]
    }),
  )
}
