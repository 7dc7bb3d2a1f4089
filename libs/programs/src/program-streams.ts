import { once } from 'node:events'
import { Socket } from 'node:net'
import type { ProgramEnd } from './started-program.ts'

/** The standard streams of a program. */
export interface ProgramStreams {
  readonly stdin: Socket
  readonly stdout: Socket
  readonly stderr: Socket
}

/**
 * Connects the streams of a program to the starter, and says on each whose it is.
 * @param hasInput whether there is a standard input; it is a closed socket otherwise
 * @throws the error of the system, such as EMFILE, after closing all
 */
export async function connectStreams(
  socketPath: string,
  id: string,
  hasInput: boolean,
): Promise<ProgramStreams> {
  const streams = {
    stdin: new Socket({ allowHalfOpen: true }),
    stdout: new Socket(),
    stderr: new Socket(),
  }
  // Nothing is read from a standard input, not even its end.
  streams.stdin.pause()
  if (!hasInput) streams.stdin.destroy()
  // What goes wrong with a stream shows in how the program ends.
  for (const socket of Object.values(streams)) socket.on('error', () => undefined)
  try {
    await Promise.all(
      Object.values(streams).map(async (socket, number) => {
        if (socket.destroyed) return
        socket.connect(socketPath)
        await once(socket, 'connect')
        socket.write(`${id}${number}`)
      }),
    )
  } catch (error) {
    closeStreams(streams)
    throw error
  }
  return streams
}

/** Closes all streams of a program. */
export function closeStreams(streams: ProgramStreams): void {
  for (const socket of [streams.stdin, streams.stdout, streams.stderr]) socket.destroy()
}

/** Returns the end of a program, once all output of it and its descendants was read. */
export async function whenClosed(
  exited: Promise<ProgramEnd>,
  { stdout, stderr }: ProgramStreams,
): Promise<ProgramEnd> {
  const [end] = await Promise.all([exited, isClosed(stdout), isClosed(stderr)])
  return end
}

async function isClosed(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (socket.closed) return
  socket.once('close', () => resolve())
  await promise
}
