import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { join } from './join-sockets.ts'

const program = path.join(import.meta.dirname, 'relay-process.ts')

/** Passes connections on between addresses in the network of a node; ends when it is disposed, or its node ends. */
export async function startNodeRelay(init: number, from: string, to: string): Promise<AsyncDisposable> {
  const network = ['--target', String(init), '--net']
  const child = spawn('nsenter', [...network, process.execPath, program, from, to], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const failed = ended.then(() => Promise.reject(new Error(`no relay from ${from} to ${to}`)))
  await Promise.race([once(child.stdout, 'data'), failed])
  failed.catch(() => undefined)
  return {
    [Symbol.asyncDispose]: async () => {
      child.stdin.destroy()
      await ended
    },
  }
}

/** Passes connections on from a port of this machine, or from a Unix socket, to the other. */
export async function passOn(from: number | string, to: number | string): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = typeof to === 'string' ? connect(to) : connect(to, '127.0.0.1')
    join(client, target)
    join(target, client)
    for (const socket of [client, target]) sockets.add(socket.once('close', () => sockets.delete(socket)))
  })
  if (typeof from === 'string') server.listen(from)
  else server.listen(from, '127.0.0.1')
  await once(server, 'listening')
  return {
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
