import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('git-backend-process.ts', import.meta.url))

// A test may set another one for a while, and remove it.
const temporary = tmpdir()

let starting: Promise<string> | undefined

/**
 * Answers a request by git's smart HTTP protocol for the bare repositories in `root`. One small process for all servers of this one starts
 * git: to start a program costs a process of some hundred megabytes ten times as much as a small one.
 */
export async function answerByGitBackend(
  root: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  starting ??= startGitBackend()
  const socketPath = await starting
  // Its client is gone: a request whose end never comes would keep this process alive for minutes.
  if (response.destroyed) return
  const forwarded = request({
    socketPath,
    // A connection that is kept may be ended by the other side while the next request is on its way.
    agent: false,
    path: incoming.url,
    method: incoming.method,
    headers: { ...incoming.headers, 'x-git-root': encodeURIComponent(root) },
  })
  response.once('close', () => forwarded.destroy())
  // A backend may answer before it was sent everything. A pipeline would then destroy the connection to the client.
  forwarded.on('error', () => incoming.resume())
  incoming.pipe(forwarded)
  const [answer]: IncomingMessage[] = await once(forwarded, 'response')
  if (answer === undefined) throw new Error('the git backend did not answer')
  response.writeHead(answer.statusCode ?? 500, answer.rawHeaders)
  await pipeline(answer, response)
}

async function startGitBackend(): Promise<string> {
  const directory = await mkdtemp(path.join(temporary, 'wadi-git-backend-'))
  const socket = path.join(directory, 'socket')
  const child = fork(program, [socket], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error('the git backend process ended before it listened')),
  )
  await Promise.race([once(child, 'message'), ended])
  // The process lives as long as its parent, and does not keep it alive.
  child.unref()
  child.channel?.unref()
  return socket
}
