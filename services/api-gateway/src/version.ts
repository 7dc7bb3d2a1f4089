/** Wadi's version, in `wadi version` and in the version RPC. */
export const version = 'v0.1.0'
