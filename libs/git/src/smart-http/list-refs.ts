import type { RemoteRefs } from '../mirror/remote-refs.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { maxRefListBytes } from './advertisement.ts'
import type { Capabilities } from './advertisement.ts'
import { runCommand } from './command.ts'
import { lineText, OddAnswerError } from './pkt-line.ts'
import { RefList } from './ref-list.ts'
import type { ServerMemory } from './server-memory.ts'

/**
 * Asks a remote for its refs: in one round trip when it is known to speak protocol 2.
 * @param prefixes how the names of refs begin that are of interest; none for all. Others may be listed too.
 * @throws as `exchange`; OddAnswerError where git has to ask
 */
export async function listRefs(
  remote: RemoteTarget,
  memory: ServerMemory,
  prefixes: readonly string[] = [],
): Promise<RemoteRefs> {
  const listed = await memory.withProtocol2(
    remote,
    (capabilities) => askForRefs(remote, capabilities, prefixes),
    ({ remoteRefs }) => remoteRefs,
  )
  if (prefixes.length === 0) memory.noteHeads(listed.refs)
  return listed
}

async function askForRefs(
  remote: RemoteTarget,
  capabilities: Capabilities,
  prefixes: readonly string[],
): Promise<RemoteRefs> {
  const list = new RefList()
  const args = ['peel', 'symrefs', ...prefixes.map((prefix) => `ref-prefix ${prefix}`)]
  let isWhole = false
  for await (const line of runCommand(remote, capabilities, 'ls-refs', args, maxRefListBytes)) {
    if (Buffer.isBuffer(line)) addLine(list, lineText(line))
    else isWhole = line === 'flush'
  }
  if (!isWhole) throw new OddAnswerError('the list of refs has no end')
  return list.result()
}

function addLine(list: RefList, line: string): void {
  const [object = '', name = '', ...attributes] = line.split(' ')
  list.add(object, name)
  for (const attribute of attributes) {
    if (attribute.startsWith('peeled:')) list.add(attribute.slice('peeled:'.length), `${name}^{}`)
    else if (name === 'HEAD' && attribute.startsWith('symref-target:')) {
      list.setHead(attribute.slice('symref-target:'.length))
    }
  }
}
