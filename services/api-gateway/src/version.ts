import packageFile from '../package.json' with { type: 'json' }

/** Wadi's version, in `wadi version` and in the version RPC. @internal */
export const version = `v${packageFile.version}`

/** Tells what the server is. */
export function getVersion() {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  return { version, nodeVersion: process.version, platform: `${process.platform}/${architecture}` }
}
