import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createServedRepository } from './git-http-server.ts'
import type { ServedRepositoryOptions } from './git-http-server.ts'

/** A git server over a real sshd on the loopback interface. */
export type GitSshServer = AsyncDisposable & {
  /** `ssh://<user>@127.0.0.1:<port>` followed by an absolute path is a repository. */
  url: string
  /** The directory that holds the bare repositories. */
  root: string
  /** The private key that may log in. */
  privateKey: string
  /** A private key that may not. */
  foreignPrivateKey: string
  /** The server's host key in known_hosts format. */
  knownHosts: string
  /** Makes an empty bare repository whose HEAD is `main`. */
  createRepository(
    name: string,
    options?: ServedRepositoryOptions,
  ): Promise<{ url: string; directory: string }>
  close(): Promise<void>
}

const sshdPath = '/usr/sbin/sshd'
const run = promisify(execFile)

/** Tells whether this machine has an sshd to test with. */
export function sshServerAvailable(): boolean {
  return existsSync(sshdPath)
}

/**
 * Starts a throw-away SSH server for the present user on a free port: a listener that hands each connection to an
 * `sshd -i` of its own. Closing removes its keys and repositories.
 */
export async function startGitSshServer(): Promise<GitSshServer> {
  const root = await mkdtemp(path.join(tmpdir(), 'wadi-git-ssh-'))
  const file = (name: string): string => path.join(root, name)
  for (const name of ['host', 'user', 'foreign']) {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file(name)])
  }
  const userKey = await readFile(file('user.pub'), 'utf8')
  await writeFile(
    file('authorized_keys'),
    `restrict,command="git shell -c \\"$SSH_ORIGINAL_COMMAND\\"" ${userKey}`,
  )
  await writeFile(file('sshd_config'), sshdConfig(file))
  // sshd separates its privileges in this directory when it is started by root.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 })

  const sockets = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    const daemon = spawn(sshdPath, ['-i', '-f', file('sshd_config'), '-E', file('log')], {
      stdio: [socket, socket, 'ignore'],
    })
    sockets.add(socket)
    daemon.once('close', () => {
      sockets.delete(socket)
      socket.destroy()
    })
  })
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(0, '127.0.0.1', resolve)
  await listening
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const url = `ssh://${userInfo().username}@127.0.0.1:${port}`
  const hostKey = (await readFile(file('host.pub'), 'utf8')).split(' ').slice(0, 2).join(' ')
  const close = async (): Promise<void> => {
    const { promise, resolve: closed } = Promise.withResolvers<void>()
    server.close(() => closed())
    for (const socket of sockets) socket.destroy()
    await promise
    await rm(root, { recursive: true, force: true })
  }
  return {
    url,
    root,
    privateKey: await readFile(file('user'), 'utf8'),
    foreignPrivateKey: await readFile(file('foreign'), 'utf8'),
    knownHosts: `[127.0.0.1]:${port} ${hostKey}\n`,
    async createRepository(name, options) {
      await createServedRepository(file(name), options)
      return { url: `${url}${file(name)}`, directory: file(name) }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function sshdConfig(file: (name: string) => string): string {
  const lines = [
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('authorized_keys')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin forced-commands-only',
    'LogLevel VERBOSE',
  ]
  return `${lines.join('\n')}\n`
}
