import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** Paths of PEM files. */
export type TlsFiles = {
  /** Certificate chain of this process. */
  certFile?: string | undefined
  /** Private key of `certFile`. */
  keyFile?: string | undefined
  /** On a server: who may sign client certificates. On a client: who may sign the server's; default: the system's list. */
  caFile?: string | undefined
}

/** The content of `TlsFiles`, in the names that `node:tls` gives them. */
type TlsMaterial = { cert?: Buffer; key?: Buffer; ca?: Buffer }

/** Returns what the next connection uses; the same object for as long as the files are the same. */
export type CurrentTls = () => TlsMaterial

/** Connections that come in a burst share one check of the files. */
const freshMs = 100

/**
 * Reads the files, and reads them again for new connections, so that a renewed certificate takes effect without a restart. While a file
 * is missing or does not fit the others, as it may be while they are replaced, the previous content is used.
 * @throws when they cannot be read or used the first time
 */
export function openTlsFiles(files: TlsFiles): CurrentTls {
  let current = readTlsFiles(files)
  createSecureContext(current)
  let readAt = performance.now()
  return () => {
    if (performance.now() - readAt < freshMs) return current
    readAt = performance.now()
    try {
      const found = readTlsFiles(files)
      if (isSame(found, current)) return current
      createSecureContext(found)
      current = found
    } catch {
      // The next connection looks again.
    }
    return current
  }
}

function readTlsFiles({ certFile, keyFile, caFile }: TlsFiles): TlsMaterial {
  return {
    ...(certFile !== undefined && { cert: readFileSync(certFile) }),
    ...(keyFile !== undefined && { key: readFileSync(keyFile) }),
    ...(caFile !== undefined && { ca: readFileSync(caFile) }),
  }
}

function isSame(found: TlsMaterial, current: TlsMaterial): boolean {
  const parts = ['cert', 'key', 'ca'] as const
  return parts.every((part) => found[part]?.toString() === current[part]?.toString())
}
