import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { provenanceType } from '@wadi/signatures/attestations/statement.ts'
import { cacheHome, toolCache } from '@wadi/testing/tool-cache.ts'
import { simpleGit } from 'simple-git'
import { temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { reproduceDirectories } from './reproduce-directories.ts'

const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: helm}
data: {version: "{{ .Capabilities.HelmVersion.Version }}"}
`

const session = {
  environment: {},
  signal: new AbortController().signal,
  flags: () => ({ httpRetryMax: 0, loglevel: 'info' as const }),
  connect: () => Promise.reject(new Error('there is no server')),
  warn: () => undefined,
  inform: () => undefined,
  wholeProgram: () => Promise.reject(new Error('no command is run')),
}

test('another program than the attested one is found, and so are bytes that do not come out again', async () => {
  const { XDG_CACHE_HOME: usual } = process.env
  process.env['XDG_CACHE_HOME'] = cacheHome
  try {
    await using directory = await temporaryDirectory()
    const { helm } = await findTools({ cacheDirectory: toolCache })
    const sha256 = helm.program?.sha256 ?? ''
    const git = simpleGit(directory.path)
    await git.init(['--initial-branch=main'])
    await git.addConfig('user.name', 'Test').addConfig('user.email', 'test@example.com')
    await mkdir(join(directory.path, 'web/templates'), { recursive: true })
    await writeFile(join(directory.path, 'web/Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n')
    await writeFile(join(directory.path, 'web/templates/helm.yaml'), template)
    await git.add('.').commit('Add a chart')
    const drySha = (await git.revparse('HEAD')).trim()
    await git.raw(['switch', '--quiet', '--orphan', 'env'])
    const manifest = `apiVersion: v1\ndata:\n  version: ${helm.version}\nkind: ConfigMap\nmetadata:\n  name: helm\n`
    const tools = [{ name: 'helm', version: helm.version, sha256 }]
    const record = { drySha, repoURL: directory.path, drySource: { path: 'web' }, tools }
    for (const [name, text] of [
      ['web', manifest],
      ['forged', manifest.replace('name: helm', 'name: mine')],
    ] as const) {
      await mkdir(join(directory.path, name))
      await writeFile(join(directory.path, name, 'manifest.yaml'), text)
      await writeFile(join(directory.path, name, 'hydrator.metadata'), JSON.stringify(record))
    }
    await git.add('.').commit('Hydrate')
    const head = (await git.revparse('HEAD')).trim()
    const reproduce = (directories: string[], attested: string) => {
      const statement = {
        predicateType: provenanceType,
        commit: head,
        directories: new Map(),
        repository: '',
        branch: 'env',
        syncBranch: '',
        installation: '',
        tools: new Map([[`helm ${helm.version}`, attested]]),
        result: '',
        passedTests: [],
        warnedTests: [],
      }
      const commit = { commit: head, author: '', kind: 'attested' as const, signature: '', problems: [] }
      const commits = [{ ...commit, statements: [statement], proven: [] }]
      const verification = { branch: 'env', head, commits, directories, problems: [] }
      return reproduceDirectories(directory.path, verification, undefined, {}, session)
    }
    assert.deepEqual(await reproduce(['web'], sha256), [])
    assert.deepEqual(await reproduce(['forged'], sha256), [
      'directory forged is not what its dry commit renders to here',
    ])
    const build = (digest: string) => `${helm.version} with the SHA-256 ${digest.slice(0, 12)}`
    assert.deepEqual(await reproduce(['web'], '0'.repeat(64)), [
      `directory web: helm is ${build(sha256)} here and was ${build('0'.repeat(64))} by its attestation`,
    ])
  } finally {
    if (usual === undefined) delete process.env['XDG_CACHE_HOME']
    else process.env['XDG_CACHE_HOME'] = usual
  }
})
