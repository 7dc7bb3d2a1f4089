import { statSync } from 'node:fs'

/** Directories in which systems have programs and libraries. */
const systemDirectories = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix/store',
  '/gnu/store',
]

/** The settings of a system that programs read; none is secret. */
const systemSettings = [
  'alternatives',
  'ca-certificates',
  'crypto-policies',
  'gai.conf',
  'group',
  'host.conf',
  'hosts',
  'ld.so.cache',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'passwd',
  'perl',
  'pki',
  'protocols',
  'python3',
  'resolv.conf',
  'services',
  'ssl',
  'timezone',
].map((name) => `/etc/${name}`)

/** The devices that a program with the view of the system may use. */
export const visibleDevices = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`)

/** Returns the directories and files of this machine that programs with the view of the system see. */
export function systemPlaces(programDirectories: readonly string[]): string[] {
  return [...systemDirectories, ...programDirectories, ...systemSettings].filter(isThere)
}

export function isThere(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false }) !== undefined
}

export function isBelowAny(place: string, directories: readonly string[]): boolean {
  return directories.some((directory) => place === directory || place.startsWith(`${directory}/`))
}

export function withoutNested(places: readonly string[]): string[] {
  const distinct = [...new Set(places)]
  return distinct.filter((place) => !distinct.some((other) => place.startsWith(`${other}/`)))
}
