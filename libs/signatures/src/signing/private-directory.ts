import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The name of directories with an agent of their own, which listens there as long as it lives. */
const prefix = 'wadi-sign-'

/** The name that gpg-agent gives it. */
const socketName = 'S.gpg-agent'

/** A directory is younger while its agent starts. */
const startMs = 60_000

/** A directory that only this user may enter, which goes away when it is disposed. */
interface PrivateDirectory extends AsyncDisposable {
  readonly path: string
  /** The place for the socket of its agent. */
  readonly socket: string
}

/** Makes a private directory. For one with an agent, those that killed processes left are removed: they may have a private key. */
export async function makePrivateDirectory(hasAgent: boolean): Promise<PrivateDirectory> {
  if (hasAgent) await removeAbandoned()
  // The path is short, as that of a socket must be.
  const path = await mkdtemp(join(tmpdir(), hasAgent ? prefix : 'wadi-verify-'))
  return { path, socket: join(path, socketName), [Symbol.asyncDispose]: () => remove(path) }
}

/** Returns true if something accepts connections on a unix socket. */
export async function isListening(socket: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const connection = connect(socket, () => resolve(true))
  connection.on('error', () => resolve(false))
  const answer = await promise
  connection.destroy()
  return answer
}

/** An agent ends with its process, also with one that is killed; what it has on disk stays. */
async function removeAbandoned(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix))
  for (const path of names.map((name) => join(tmpdir(), name))) {
    const directory = await stat(path).catch(() => undefined)
    if (directory?.uid !== process.getuid?.() || Date.now() - (directory?.mtimeMs ?? 0) < startMs) continue
    if (!(await isListening(join(path, socketName)))) await remove(path)
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5 })
}
