import packageFile from '../../package.json' with { type: 'json' }

/** The version of this command line, `v1.2.3`. */
export const programVersion = `v${packageFile.version}`
