import { connect, createServer } from 'node:net'
import { join } from './join-sockets.ts'

// The program that `startNodeRelay` starts in the network of a node: passes connections to one address on to another. An address is
// `host:port`, or the path of a Unix socket, which is the same inside of that network and outside. It ends with its input.

const [from = '', to = ''] = process.argv.slice(2)

const server = createServer((client) => {
  const target = to.startsWith('/') ? connect(to) : connect(portOf(to), hostOf(to))
  join(client, target)
  join(target, client)
})
const listening = () => void process.stdout.write('listening\n')
if (from.startsWith('/')) server.listen(from, listening)
else server.listen(portOf(from), hostOf(from), listening)
process.stdin.once('close', () => process.exit()).resume()

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'))
}

function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1))
}
