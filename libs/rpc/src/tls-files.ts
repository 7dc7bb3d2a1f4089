import { readFile } from 'node:fs/promises'

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
export type TlsMaterial = { cert?: Buffer; key?: Buffer; ca?: Buffer }

/** Reads the files once; a renewed certificate takes effect with the next start. */
export async function readTlsFiles(files: TlsFiles): Promise<TlsMaterial> {
  const material: TlsMaterial = {}
  if (files.certFile !== undefined) material.cert = await readFile(files.certFile)
  if (files.keyFile !== undefined) material.key = await readFile(files.keyFile)
  if (files.caFile !== undefined) material.ca = await readFile(files.caFile)
  return material
}
