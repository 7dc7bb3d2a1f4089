import { access, constants, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Finding } from './finding.ts'

/** The room of the disk that a directory is on. */
export interface DiskRoom {
  readonly directory: string
  readonly freeBytes: bigint
  readonly totalBytes: bigint
  /** The share of files that can still be made, from 0 to 1; 1 where the file system has no limit. */
  readonly freeFiles: number
  readonly isReadOnly: boolean
}

const mebibyte = 1024n * 1024n
/** A first hydration of a large repository writes as much. */
const fewBytes = 2048n * mebibyte
/** Git and Wadi's stores fail soon. */
const tooFewBytes = 64n * mebibyte
/** A small disk with nothing on it is no problem. */
const fewPercent = 10n
const fewFiles = 0.01

/** Returns the room of the disks of a service: that of its data, and that of temporary files where it is another one. */
export async function readDisks(dataDirectory: string): Promise<DiskRoom[]> {
  const devices = new Set<number>()
  const disks: DiskRoom[] = []
  for (const directory of [resolve(dataDirectory), tmpdir()]) {
    const device = await stat(directory).then(
      ({ dev }) => dev,
      () => undefined,
    )
    if (device === undefined || devices.has(device)) continue
    devices.add(device)
    const isReadOnly = await access(directory, constants.W_OK).then(
      () => false,
      (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EROFS',
    )
    const { bavail, bsize, blocks, files, ffree } = await statfs(directory, { bigint: true })
    disks.push({
      directory,
      freeBytes: bavail * bsize,
      totalBytes: blocks * bsize,
      freeFiles: files === 0n ? 1 : Number(ffree) / Number(files),
      isReadOnly,
    })
  }
  return disks
}

/** Finds disks that are nearly full or read-only. */
export function diskFindings(owner: string, disks: readonly DiskRoom[]): Finding[] {
  return disks.flatMap(({ directory, freeBytes, totalBytes, freeFiles, isReadOnly }): Finding[] => {
    const isNearlyFull = freeBytes < fewBytes && freeBytes * 100n < totalBytes * fewPercent
    const remedy = `du -xsh ${directory}/* shows what takes it; remove other files, or enlarge the volume`
    const findings: Finding[] = []
    if (isNearlyFull) {
      const severity = freeBytes < tooFewBytes ? 'error' : 'warning'
      const message = `${owner}: ${sizeText(freeBytes)} of ${sizeText(totalBytes)} are free at ${directory}`
      findings.push({ severity, area: 'disk', message, remedy })
    }
    if (freeFiles < fewFiles) {
      const message = `${owner}: the file system of ${directory} has hardly any room for more files (df -i)`
      findings.push({ severity: 'error', area: 'disk', message, remedy })
    }
    if (isReadOnly) {
      const message = `${owner}: the file system of ${directory} is read-only`
      const look = 'look for errors of the disk (dmesg), or mount its volume so that it may be written'
      findings.push({ severity: 'error', area: 'disk', message, remedy: look })
    }
    return findings
  })
}

function sizeText(bytes: bigint): string {
  const mebibytes = Number(bytes / mebibyte)
  return mebibytes < 10_240 ? `${mebibytes} MiB` : `${Math.round(mebibytes / 1024)} GiB`
}
