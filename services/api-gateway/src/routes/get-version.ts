import { version } from '../version.ts'

/** Tells what the server is. */
export function getVersion() {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  return { version, nodeVersion: process.version, platform: `${process.platform}/${architecture}` }
}
