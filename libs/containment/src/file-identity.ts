import { realpathSync, statSync } from 'node:fs'

/** The identity of a file, links followed, which changes when another takes its place or its content changes; undefined when there is none. */
export function fileIdentity(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  if (stat?.isFile() !== true) return undefined
  const { dev, ino, size, mtimeNs } = stat
  return [realpathSync(file), dev, ino, size, mtimeNs].join(' ')
}
