import type { Socket } from 'node:net'

/** Passes on what one connection receives to another, its end and its break too. */
export function join(source: Socket, target: Socket): void {
  source.setNoDelay(true)
  source.pipe(target)
  source.once('error', () => target.destroy())
  source.once('close', () => target.end())
}
