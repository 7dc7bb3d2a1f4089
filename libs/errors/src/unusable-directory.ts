import { FailedPreconditionError } from './domain-error.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'it is not for that user to write',
  EPERM: 'it belongs to somebody else',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'it is not a directory',
}

/**
 * Returns the error of a service whose data directory cannot be used, with the user and what to do about it; an error of another
 * kind as it is.
 */
export function unusableDirectory(directory: string, cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  if (reason === undefined) return cause
  const user = process.getuid?.() ?? 0
  return new FailedPreconditionError(
    `the data directory ${directory} cannot be used by user ${user}: ${reason} (${code}); mount a volume there that user ${user} may write, or give ` +
      `it to that user (chown -R ${user} ${directory})`,
    { cause },
  )
}
