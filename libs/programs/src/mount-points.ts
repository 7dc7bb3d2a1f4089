import { readFileSync } from 'node:fs'

/** A place where a file system is mounted. */
export interface MountPoint {
  readonly point: string
  /** The part of the file system that is seen there. */
  readonly root: string
  readonly type: string
  /** Those of the place and of the file system. */
  readonly options: readonly string[]
}

/** Returns the mounts of this process; the last at a place applies. Empty without /proc. */
export function mountPoints(): MountPoint[] {
  let text: string
  try {
    text = readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return []
  }
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [before = '', after = ''] = line.split(' - ')
      const [, , , root = '', point = '', options = ''] = before.split(' ')
      const [type = '', , superOptions = ''] = after.split(' ')
      const all = [...options.split(','), ...superOptions.split(',')]
      return { point: unescaped(point), root: unescaped(root), type, options: all }
    })
}

/** The options of a place that a namespace of users may not take away. */
export function lockedOptions(mounts: readonly MountPoint[], place: string): string[] {
  const nearest = mountOf(mounts, place)
  return ['ro', 'nosuid', 'nodev', 'noexec'].filter((option) => nearest?.options.includes(option))
}

/** Returns the mount that a place belongs to; the place is an absolute path without links. */
export function mountOf(mounts: readonly MountPoint[], place: string): MountPoint | undefined {
  let nearest: MountPoint | undefined
  for (const mount of mounts) {
    const holds = mount.point === '/' || place === mount.point || place.startsWith(`${mount.point}/`)
    if (holds && mount.point.length >= (nearest?.point.length ?? 0)) nearest = mount
  }
  return nearest
}

/** A path as a line of /etc/fstab has it. */
export function escapedPath(place: string): string {
  return place.replaceAll(
    /[\s\\#]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
