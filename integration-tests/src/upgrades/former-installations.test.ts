import { readdirSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { unpackInstallation } from './recorded-installation.ts'
import { gitUsers, tryVersion } from './sample-installation.ts'

const root = path.resolve(import.meta.dirname, '../../..')
/** The archives of what former versions left, written by `npm run upgrades -- --record`. */
const records = path.join(import.meta.dirname, 'testdata')

for (const name of readdirSync(records)) {
  test(`what ${path.basename(name, '.tar.gz')} left is read by this version, which hydrates nothing twice`, async () => {
    await using home = await mkdtempDisposable(path.join(tmpdir(), 'wadi-upgrade-'))
    await using git = await startGitHttpServer({ users: gitUsers })
    const archive = path.join(records, name)
    const { sample, token } = await unpackInstallation(archive, home.path, git.url, git.root)
    await tryVersion({ name: 'this checkout', root }, sample, { token, value: 'upgraded' })
  })
}
