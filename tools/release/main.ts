import { execFileSync } from 'node:child_process'
import { mkdtempDisposable, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { attestRelease } from './attestations.ts'
import { imageBuilderMissing } from './build-image.ts'
import { buildRelease } from './build-release.ts'
import { checkoutVersion } from './package-manifest.ts'

// `npm run release -- VERSION [DIRECTORY]`: builds what is published of a version into a directory, dist/VERSION by default. It publishes nothing.
const root = path.resolve(import.meta.dirname, '../..')
const [version = '', place = path.join('dist', version)] = process.argv.slice(2)
try {
  await release(path.resolve(root, place))
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

/** Builds everything twice, so that what is published is known to be what anybody can build. */
async function release(directory: string): Promise<void> {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('name a version: npm run release -- 1.2.3')
  if (version !== (await checkoutVersion(root))) {
    throw new Error(`this checkout has another version: run node tools/set-version.ts ${version}`)
  }
  execFileSync(process.execPath, [path.join(root, 'tools/set-version.ts')], { stdio: 'inherit' })
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  if (changes !== '') throw new Error(`these files are not committed:\n${changes.trimEnd()}`)
  const missing = imageBuilderMissing()
  if (missing !== undefined) console.error(`release: no image is built: ${missing}`)
  await rm(directory, { recursive: true, force: true })
  await buildRelease(root, directory)
  await using again = await mkdtempDisposable(path.join(tmpdir(), 'wadi-release-'))
  await buildRelease(root, again.path)
  const [first, second] = await Promise.all([directory, again.path].map(readSums))
  if (first !== second) {
    throw new Error(`a second build gave other files; SHA256SUMS of both:\n${first}\n${second}`)
  }
  await attestRelease(root, version, directory, process.env)
  console.log(`${first}built twice with these digests: ${directory}`)
}

async function readSums(directory: string): Promise<string> {
  return await readFile(path.join(directory, 'SHA256SUMS'), 'utf8')
}
