import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { Resolver } from 'node:dns/promises'

/** The answer of a name server: the host and port of each record, or that it fails. */
export type SrvAnswer = readonly { host: string; port: number }[] | 'failure'

/** A name server on this machine that answers SRV questions with what `answer` returns, and a resolver that asks it. */
export async function startNameServer(answer: (name: string) => SrvAnswer) {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, sender) => {
    const name = readName(message)
    questions.push(name)
    socket.send(reply(message, answer(name)), sender.port, sender.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  // It always answers, on a busy machine late.
  const resolver = new Resolver({ timeout: 60_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    questions,
    resolver,
    [Symbol.asyncDispose]: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

const headerBytes = 12

function readName(message: Buffer): string {
  const labels: string[] = []
  let at = headerBytes
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return labels.join('.')
}

/** RFC 1035 for the message, RFC 2782 for SRV records. */
function reply(question: Buffer, answer: SrvAnswer): Buffer {
  const records = answer === 'failure' ? [] : answer
  const nameBytes = question.indexOf(0, headerBytes) + 1 - headerBytes
  const asked = question.subarray(headerBytes, headerBytes + nameBytes + 4)
  const header = Buffer.alloc(headerBytes)
  question.copy(header, 0, 0, 2)
  const responseCode = answer === 'failure' ? 2 : records.length === 0 ? 3 : 0
  header.writeUInt16BE(0x8180 | responseCode, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, asked, ...records.map(srvRecord)])
}

function srvRecord({ host, port }: { host: string; port: number }): Buffer {
  const target = Buffer.concat([
    ...host.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ])
  const record = Buffer.alloc(18)
  // A pointer to the name of the question, type SRV, class IN, no time to live.
  record.writeUInt16BE(0xc000 | headerBytes, 0)
  record.writeUInt16BE(33, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(6 + target.length, 10)
  record.writeUInt16BE(port, 16)
  return Buffer.concat([record, target])
}
