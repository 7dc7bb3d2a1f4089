import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { RepositoryFixture } from '../repository-fixture.ts'
import type { InstalledVersion } from './installed-version.ts'
import {
  gitUsers,
  makeInstallation,
  type SampleInstallation,
  sampleUrl,
  tryVersion,
} from './sample-installation.ts'
import { recordInstallation } from './recorded-installation.ts'

// `npm run upgrades -- [--record DIRECTORY] REVISION...`: makes an installation with the first revision of this repository, upgrades it to the
// others and then to this checkout, and goes back the same way. Each version has to keep the data, and what is hydrated already. With
// `--record` it writes what each revision leaves, as `former-installations.test.ts` reads it. In place of a revision it takes the directory of a
// checkout of it; for others it installs their packages, which takes 2 minutes and half a gigabyte each.
const root = path.resolve(import.meta.dirname, '../../..')
const { values, positionals } = parseArgs({
  options: { record: { type: 'string' } },
  allowPositionals: true,
})
await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-upgrades-'))
const former = positionals.map((given) =>
  existsSync(given) ? checkedOut(path.resolve(given)) : checkOut(given),
)
const [first] = former
if (first === undefined) throw new Error('name the revisions to upgrade from, the oldest first')

await using git = await startGitHttpServer({ users: gitUsers })
const { directory } = await git.createRepository('deploy.git')
const repository = await RepositoryFixture.open(
  { url: sampleUrl, directory },
  path.join(scratch.path, 'copies'),
)
const sample: SampleInstallation = { home: path.join(scratch.path, 'home'), proxy: git.url, repository }
await mkdir(sample.home)

const token = await makeInstallation(first, sample)
console.log(`${first.name}: made`)
const current: InstalledVersion = { name: 'this checkout', root }
const way = [...former, current, ...former.toReversed(), current]
for (const [index, version] of way.entries()) {
  await tryVersion(version, sample, { token, value: `step-${index}` })
  console.log(`${version.name}: all is there, nothing is hydrated twice`)
  if (values.record !== undefined && index < former.length) {
    const file = path.resolve(values.record, `${version.name}.tar.gz`)
    await recordInstallation(sample, token, file)
    console.log(file)
  }
}

/** Checks a revision out beside this checkout, and installs its packages. */
function checkOut(revision: string): InstalledVersion {
  const place = path.join(scratch.path, revision.replaceAll(/\W/g, '-'))
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', root, place])
  execFileSync('git', ['checkout', '--quiet', '--detach', commitOf(root, revision)], { cwd: place })
  execFileSync('sh', ['tools/install.sh'], { cwd: place, stdio: 'inherit' })
  return checkedOut(place)
}

function checkedOut(place: string): InstalledVersion {
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'))
  return { name: `${version}-${commitOf(place, 'HEAD').slice(0, 8)}`, root: place }
}

function commitOf(cwd: string, revision: string): string {
  const args = ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`]
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
}
