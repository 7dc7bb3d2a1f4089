import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { machineCache } from '../machine-cache.ts'

/** The directory of the `package.json` and the `package-lock.json` that name Verdaccio and all that it needs. */
export const npmRegistrySources = path.resolve(import.meta.dirname, '../../../../tools/npm-registry')

/** Returns the directory where `npm run build:npm-registry` installs them: in the cache of the user, for all clones on the machine. */
export function npmRegistryDirectory(): string {
  const hash = createHash('sha256')
  for (const name of ['package.json', 'package-lock.json']) {
    hash.update(readFileSync(path.join(npmRegistrySources, name)))
  }
  return machineCache(`verdaccio-${hash.digest('hex').slice(0, 16)}`)
}

/** Why the npm registry cannot be started here; undefined when it can. */
export function npmRegistryMissing(): string | undefined {
  return existsSync(npmRegistryDirectory())
    ? undefined
    : "the npm registry is not installed; run 'npm run build:npm-registry'"
}
