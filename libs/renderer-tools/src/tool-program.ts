import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileIdentity } from '@wadi/containment/file-identity.ts'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import coerce from 'semver/functions/coerce.js'

/** The arguments that ask a program for its version, and the reader of the answer. */
export interface VersionQuestion {
  readonly args: readonly string[]
  readonly read: (output: string) => string | undefined
}

/** The file that a tool was found to be. */
export interface ToolProgram {
  readonly path: string
  /** Changes when another file takes its place, or its content changes. */
  readonly identity: string
  /** Set for a program that hands over to another one, which may change although its own file does not. */
  readonly launches: VersionQuestion | undefined
  /** Of its content, in hex; of one that hands over to another program that of the file which does. */
  readonly sha256: string
}

/**
 * Returns whether a program hands over to another one: a script, or a link to a program of another name, which looks up the real one by the
 * name that it is called by.
 */
export function isLauncher(file: string): boolean {
  const name = path.basename(file)
  return !path.basename(realpathSync(file)).startsWith(name) || isScript(file)
}

/** @throws UnavailableError when a program is no longer the one that its version is known of */
export function assertSameProgram({ path: file, identity }: ToolProgram): void {
  const tool = path.basename(file)
  const now = fileIdentity(file)
  if (now === identity) return
  throw new UnavailableError(
    now === undefined
      ? `${tool} at ${file} is gone; it is tried again when it is back, or restart the service to have another one found`
      : `${tool} at ${file} was replaced, as an upgrade does; it is tried again with the new one`,
  )
}

/** The version that can be compared of what a tool reports, of which parts may be missing. */
export function comparableVersion(version: string): string {
  return coerce(version)?.version ?? '0.0.0'
}

/** Returns whether programs come along for this machine. */
export function canBring(): boolean {
  return process.platform === 'linux' && process.arch === 'x64'
}

/** Returns whether a reported version names one release. */
export function isWholeVersion(version: string): boolean {
  return /^v?\d+\.\d+\.\d+/.test(version)
}

/** The version of a program; of one that does not report all of it, with the beginning of its digest, so that two builds differ. */
export function exactVersion(version: string, sha256: string): string {
  return isWholeVersion(version) ? version : `${version}+sha256.${sha256.slice(0, 12)}`
}

/** The SHA-256 of a file, in hex. */
export async function fileDigest(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

function isScript(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const start = Buffer.alloc(2)
    return readSync(descriptor, start, 0, 2, 0) === 2 && start.toString('latin1') === '#!'
  } finally {
    closeSync(descriptor)
  }
}
