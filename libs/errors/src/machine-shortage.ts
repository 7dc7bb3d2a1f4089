import { UnavailableError } from './domain-error.ts'

/** The machine of a service is short of something; the same call succeeds once there is more. */
export class MachineShortageError extends UnavailableError {}

/** There is no space left on the disk of a service. */
export class DiskFullError extends MachineShortageError {}

const shortOfProcesses = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE'])
const shortOfDisk = new Set(['ENOSPC', 'EDQUOT'])

/** The advice to a user whose disk is full. */
const roomAdvice =
  'make room in its data directory and its temporary directory, and it continues automatically'

/**
 * The error of a service whose disk is full.
 * @param wanted what the space was for
 */
export function diskFull(wanted: string, options?: ErrorOptions): DiskFullError {
  return new DiskFullError(`no space left on disk for ${wanted}; ${roomAdvice}`, options)
}

/**
 * The error of a service whose disk takes no more writes, as the kernel has it after errors of the disk.
 * @param wanted what was to be written
 */
export function readOnlyDisk(wanted: string, options?: ErrorOptions): MachineShortageError {
  return new MachineShortageError(
    `the file system is read-only and takes nothing for ${wanted}; look for errors of the disk (dmesg), or mount its volume so that it may be written, and it continues automatically`,
    options,
  )
}

/**
 * The error of a service that may start no process or open no file more.
 * @param failed what it could not do, and the system's own words
 */
export function tooManyProcesses(failed: string, options?: ErrorOptions): MachineShortageError {
  return new MachineShortageError(
    `${failed}; the machine or the user of this service has too many processes or open files, raise the limit or end some`,
    options,
  )
}

/** The error for a failed system call that found the disk full or read-only, or a limit of the machine reached; undefined for any other. */
export function shortageOf(error: unknown): MachineShortageError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (shortOfDisk.has(code)) return diskFull('its work', { cause: error })
  if (code === 'EROFS') return readOnlyDisk('its work', { cause: error })
  if (shortOfProcesses.has(code))
    return tooManyProcesses(`a system call failed with ${code}`, { cause: error })
  return undefined
}

/** True if the code of a failed start of a process says that there are too many. */
export function isShortOfProcesses(error: unknown): boolean {
  return error instanceof Error && 'code' in error && shortOfProcesses.has(String(error.code))
}
