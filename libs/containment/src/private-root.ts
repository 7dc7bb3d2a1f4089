import {
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { type MountPoint, escapedPath, lockedOptions } from '@wadi/programs/mount-points.ts'
import type { View } from './isolation.ts'
import { isBelowAny, isThere, systemPlaces, visibleDevices, withoutNested } from './visible-places.ts'

/** A directory that becomes the root of contained programs, and how each finds its files in it. */
export interface PrivateRoot {
  readonly directory: string
  /** The lines for `mount`, without that of the private directory. */
  readonly mounts: string
}

/** The parts of the machine in private roots. */
export interface RootParts {
  /** Directory of the service in which roots are made. */
  readonly directory: string
  readonly mounts: readonly MountPoint[]
  /** Programs of the service beside those of the system. */
  readonly programDirectories: readonly string[]
  /** Places that are covered although they are in a visible directory. */
  readonly hidden: readonly string[]
}

/**
 * Makes a root for a program, with a place to mount each file of it.
 * @param files those of the programs and others that they read
 */
export function makePrivateRoot(
  parts: RootParts,
  name: string,
  view: View,
  files: readonly string[],
): PrivateRoot {
  const root = path.join(parts.directory, name)
  mkdirSync(root, { recursive: true, mode: 0o755 })
  const lines = [mountLine(parts, root, root, ['ro', 'nosuid', 'nodev'])]
  const show = (place: string, options: readonly string[]): void => {
    makeMountPoint(path.join(root, place), statSync(place).isDirectory())
    lines.push(mountLine(parts, realpathSync(place), path.join(root, place), options))
  }
  if (view === 'system') {
    const shown = systemPlaces(parts.programDirectories)
    for (const place of withoutNested(shown)) {
      if (isLinkBetween(place, shown)) makeLink(readlinkSync(place), path.join(root, place))
      else show(place, ['ro', 'nosuid', 'nodev'])
    }
    const covered = withoutNested(parts.hidden).filter((place) => isBelowAny(place, shown) && isThere(place))
    for (const place of covered) {
      lines.push(coverLine(parts, place, path.join(root, place)))
    }
    for (const device of visibleDevices) show(device, ['nosuid', 'noexec'])
    makeDeviceLinks(root)
    mkdirSync(path.join(root, 'proc'), { recursive: true })
    mkdirSync(path.join(root, 'tmp'), { recursive: true })
    lines.push(`proc ${escapedPath(path.join(root, 'proc'))} proc ro,nosuid,nodev,noexec 0 0\n`)
    for (const file of files) {
      if (isBelowAny(file, covered)) lines.push(uncoverLine(parts, root, path.dirname(file)))
      else if (!isBelowAny(file, shown)) show(file, ['ro', 'nosuid', 'nodev'])
    }
  } else {
    // A program in Go opens it to start another one.
    show('/dev/null', ['nosuid', 'noexec'])
    for (const file of files) show(file, ['ro', 'nosuid', 'nodev'])
  }
  return { directory: root, mounts: lines.join('') }
}

/** A line of a table for `mount` by which a file or directory is seen at another place. */
export function mountLine(
  { mounts }: Pick<RootParts, 'mounts'>,
  source: string,
  target: string,
  options: readonly string[],
): string {
  const all = new Set(['bind', ...options, ...lockedOptions(mounts, source)])
  return `${escapedPath(source)} ${escapedPath(target)} none ${[...all].join(',')} 0 0\n`
}

/** Makes the directory of a place in a root, and removes it after use unless others use it too. */
export function makeTemporaryPoint(root: string, place: string): Disposable {
  const point = path.join(root, place)
  mkdirSync(point, { recursive: true })
  return {
    [Symbol.dispose]: () => {
      try {
        rmdirSync(point)
      } catch {
        // Another run has it, or made it a place for its own.
      }
    },
  }
}

function coverLine(parts: RootParts, place: string, target: string): string {
  return statSync(place).isDirectory()
    ? `hidden ${escapedPath(target)} tmpfs size=4k,mode=755,nosuid,nodev,noexec 0 0\n`
    : mountLine(parts, '/dev/null', target, ['ro', 'nosuid', 'noexec'])
}

/** For a program in a directory that is covered. */
function uncoverLine(parts: RootParts, root: string, directory: string): string {
  return mountLine(parts, directory, path.join(root, directory), ['ro', 'nosuid', 'nodev', 'X-mount.mkdir'])
}

function makeMountPoint(point: string, isDirectory: boolean): void {
  mkdirSync(isDirectory ? point : path.dirname(point), { recursive: true })
  if (!isDirectory) writeFileSync(point, '', { flag: 'a' })
}

function makeDeviceLinks(root: string): void {
  // Relative, so that they lead nowhere for whoever looks at the root from outside.
  makeLink('../proc/self/fd', path.join(root, 'dev/fd'))
  for (const [index, name] of ['stdin', 'stdout', 'stderr'].entries()) {
    makeLink(`../proc/self/fd/${index}`, path.join(root, 'dev', name))
  }
}

function makeLink(target: string, link: string): void {
  mkdirSync(path.dirname(link), { recursive: true })
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(target, link)
}

/** True if a directory is only a link into another visible one, as /bin is on most systems. */
function isLinkBetween(place: string, shown: readonly string[]): boolean {
  return lstatSync(place).isSymbolicLink() && isBelowAny(realpathSync(place), shown)
}
