import { cp, mkdir, mkdtempDisposable, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { archiveDirectory } from './archive.ts'
import { buildImage, imageBuilderMissing } from './build-image.ts'
import { writeChecksums } from './checksums.ts'
import { buildKustomization } from '../kustomization.ts'
import { packNpmPackages } from './npm-package.ts'
import { packChart } from './pack-chart.ts'
import { checkoutVersion, layerPackage } from './package-manifest.ts'
import { releaseNotes } from './release-notes.ts'
import { billOfMaterials } from './sbom.ts'

/** The largest npm package that is published, in bytes. */
const maxPackedBytes = 25_000_000

/** Builds the files that are published of a checkout's version into a directory. */
export async function buildRelease(root: string, directory: string): Promise<void> {
  const version = await checkoutVersion(root)
  const notes = releaseNotes(await readFile(path.join(root, 'CHANGELOG.md'), 'utf8'), version)
  await mkdir(directory, { recursive: true })
  const write = (name: string, text: string) => writeFile(path.join(directory, name), text)
  await write('NOTES.md', notes)
  // Nothing of an earlier build is used.
  await rm(path.join(root, 'clients/web/dist'), { recursive: true, force: true })
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-package-'))
  const { own, renderers, packages } = await packNpmPackages(
    root,
    version,
    directory,
    scratch.path,
    'smaller',
  )
  const { size } = await stat(path.join(directory, `wadi-${version}.tgz`))
  if (size > maxPackedBytes) {
    throw new Error(`the npm package has ${size} bytes; at most ${maxPackedBytes} may be published`)
  }
  await addPrograms(root, own, renderers)
  const platform = `wadi-${version}-${process.platform}-${process.arch}`
  await archiveDirectory(own, platform, path.join(directory, `${platform}.tar.gz`))
  await packChart(root, version, directory)
  await write('install.yaml', await buildKustomization('kubernetes/overlays/small'))
  if (imageBuilderMissing() === undefined) {
    await buildImage(root, path.join(directory, `wadi-image-${version}.tar`))
  }
  const materials = await billOfMaterials(root, version, packages)
  await write(`wadi-${version}.cdx.json`, `${JSON.stringify(materials, null, 2)}\n`)
  await writeChecksums(directory)
}

/** Adds to an unpacked npm package what npm would install beside it on this platform. */
async function addPrograms(root: string, own: string, renderers: string): Promise<void> {
  const program = await realpath(path.join(root, 'node_modules/.bin/node'))
  const [node = ''] = path.relative(path.join(root, 'node_modules'), program).split(path.sep)
  const licenses = /^(?:bin|LICENSE|package\.json)/
  const installed = path.join(root, 'node_modules', node)
  await cp(installed, path.join(own, 'node_modules', node), {
    recursive: true,
    filter: (file) => file === installed || licenses.test(path.relative(installed, file)),
  })
  if (process.arch === 'x64') {
    await cp(renderers, path.join(own, 'node_modules', layerPackage), { recursive: true })
  }
}
