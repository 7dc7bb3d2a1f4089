import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runProgram } from '@wadi/testing/run-program.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import { RepositoryFixture } from '../repository-fixture.ts'
import { type SampleInstallation, sampleUrl } from './sample-installation.ts'

const options = { cwd: '/', env: { PATH: '/usr/bin:/bin' } }
const data = '.local/share/wadi'
const tokenFile = 'ci-token'

/** Writes what a version that has ended leaves into an archive: home directory, served repository and token. */
export async function recordInstallation(
  { home, repository }: SampleInstallation,
  token: string,
  archive: string,
): Promise<void> {
  await writeFile(path.join(home, tokenFile), token)
  const [directory, name] = [path.dirname(repository.directory), path.basename(repository.directory)]
  const reproducible = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner']
  // Each version unpacks its programs again; the command server has copies of this machine's files.
  const left = [`${data}/repo-server/tools`, `${data}/cmp-server`, 'hooks'].map((file) => `--exclude=${file}`)
  const files = ['-C', home, data, tokenFile, '-C', directory, name]
  await runProgram(
    ['tar', '--create', '--gzip', '--file', archive, ...reproducible, ...left, ...files],
    options,
  )
}

/** Unpacks an archive into an empty directory; the address of the served repository's directory is that of `root`. */
export async function unpackInstallation(
  archive: string,
  home: string,
  proxy: string,
  root: string,
): Promise<{ sample: SampleInstallation; token: string }> {
  await runProgram(['tar', '--extract', '--file', archive, '--directory', home], options)
  const directory = path.join(root, 'deploy.git')
  await runProgram(['mv', path.join(home, 'deploy.git'), directory], options)
  await rm(path.join(home, data, 'repo-server/tools'), { recursive: true, force: true })
  await shareToolCache(path.join(home, data))
  const repository = await RepositoryFixture.open({ url: sampleUrl, directory }, path.join(home, 'copies'))
  return { sample: { home, proxy, repository }, token: await readFile(path.join(home, tokenFile), 'utf8') }
}
