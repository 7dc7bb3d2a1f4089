import packageFile from '../package.json' with { type: 'json' }

/** Wadi's version, in `wadi version` and in the version RPC. */
export const version = `v${packageFile.version}`
