import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import type { RunResult } from '../testing/command-line-process-fixture.ts'

/** A temporary repository with Zarf packages in it. */
export interface PackageRepository extends AsyncDisposable {
  root: string
  /** Runs `wadi values` in the root. */
  values(...args: string[]): Promise<RunResult>
}

/** Makes a directory with some files, by their paths, and with `.git`. */
export async function startPackageRepository(
  content: Readonly<Record<string, string>>,
): Promise<PackageRepository> {
  await using owned = new AsyncDisposableStack()
  const { path: root } = owned.use(await temporaryDirectory())
  await mkdir(join(root, '.git'))
  for (const [path, text] of Object.entries(content)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const kept = owned.move()
  return {
    root,
    values: (...args) => runWadi(['values', ...args], { directory: root }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** The text of a package with one component and the values file `v.yaml`. */
export function packageText(component: string, values = ''): string {
  return `kind: ZarfPackageConfig
metadata: {name: web}
values: {files: [v.yaml]${values}}
components:
  - name: app
    required: true
${component}`
}

/** One manifest of a component, a template. */
export const templateManifest =
  '    manifests: [{name: m, namespace: web, template: true, files: [m.yaml]}]\n'
