import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

/** The sources of the program that is etcd, kube-apiserver and kube-controller-manager. */
export const planeSources = path.resolve(import.meta.dirname, '../../../../tools/kubernetes-plane')

/** Everything that decides what is built; the version of Go is left out, so that a machine without Go finds the program. */
const sourceFiles = ['go.mod', 'go.sum', 'main.go']

/** Where `npm run build:plane` puts the program of these sources: in the cache of the user, for all clones on the machine. */
export function planeProgram(): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const name of sourceFiles) hash.update(readFileSync(path.join(planeSources, name)))
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache')
  return path.join(cache, 'wadi-test', `plane-${hash.digest('hex').slice(0, 16)}`)
}

/** Why no real API server can be started here; undefined when one can. */
export function planeMissing(): string | undefined {
  return existsSync(planeProgram()) ? undefined : "the control plane is not built; run 'npm run build:plane'"
}
