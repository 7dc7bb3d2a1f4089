import { execFile } from 'node:child_process'
import { mkdir, mkdtempDisposable, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { archiveDirectory } from './archive.ts'
import { writeChecksums } from './checksums.ts'
import { writeNpmPackage, writeRenderersPackage } from './npm-package.ts'
import { checkoutVersion } from './package-manifest.ts'
import { releaseNotes } from './release-notes.ts'

const run = promisify(execFile)

/** Builds the files that are published of a checkout's version into a directory. */
export async function buildRelease(root: string, directory: string): Promise<void> {
  const version = await checkoutVersion(root)
  const notes = releaseNotes(await readFile(path.join(root, 'CHANGELOG.md'), 'utf8'), version)
  await mkdir(directory, { recursive: true })
  await writeFile(path.join(directory, 'NOTES.md'), notes)
  await packNpmPackages(root, version, directory)
  await writeChecksums(directory)
}

/** Builds the npm packages of a checkout into a directory, with a console that is built again. */
export async function packNpmPackages(root: string, version: string, directory: string): Promise<void> {
  await rm(path.join(root, 'clients/web/dist'), { recursive: true, force: true })
  await run(process.execPath, [path.join(root, 'clients/web/build/build-console.ts')])
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-package-'))
  const own = path.join(scratch.path, 'wadi')
  await writeNpmPackage(root, own)
  await archiveDirectory(own, 'package', path.join(directory, `wadi-${version}.tgz`))
  const renderers = path.join(scratch.path, 'renderers')
  await writeRenderersPackage(root, renderers)
  await archiveDirectory(renderers, 'package', path.join(directory, `wadi-renderers-${version}.tgz`))
}
