import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { simpleGit } from 'simple-git'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'

const script = String.raw`printf 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n' "$ARGOCD_APP_NAME-$KUBE_VERSION"`

test('a plugin receives again what it received when its output was hydrated', async () => {
  await using directory = await temporaryDirectory()
  const repository = join(directory.path, 'repository')
  const plugin = join(directory.path, 'plugin.yaml')
  const spec = { generate: { command: ['sh', '-c', script] } }
  await writeFile(
    plugin,
    JSON.stringify({ kind: 'ConfigManagementPlugin', metadata: { name: 'told' }, spec }),
  )
  await mkdir(join(repository, 'web'), { recursive: true })
  const git = simpleGit(repository)
  await git.init(['--initial-branch=main'])
  await git.addConfig('user.name', 'Test').addConfig('user.email', 'test@example.com')
  await writeFile(join(repository, 'web/.argocd-source.yaml'), 'plugin: {name: told}\n')
  await git.add('.').commit('Add web')
  const drySha = (await git.revparse('HEAD')).trim()
  const environment = { XDG_CACHE_HOME: cacheHome }
  const setting = ['--plugin-variables', 'told=ARGOCD_APP_NAME,KUBE_VERSION=1.34.0']
  const rendered = await runWadi(
    ['render', join(repository, 'web'), '--plugin', plugin, '--app', 'shop', ...setting],
    { environment },
  )
  assert.deepEqual([rendered.code, rendered.stderr], [0, ''])
  assert.match(rendered.stdout, /name: shop-1\.34\.0/)

  await git.raw(['switch', '--quiet', '--orphan', 'env'])
  await mkdir(join(repository, 'shop'))
  await writeFile(join(repository, 'shop/manifest.yaml'), rendered.stdout)
  const record = {
    drySha,
    repoURL: repository,
    drySource: { path: 'web', targetRevision: 'main' },
    pluginVariables: { ARGOCD_APP_NAME: 'shop', KUBE_VERSION: '1.34.0' },
  }
  await writeFile(join(repository, 'shop/hydrator.metadata'), JSON.stringify(record))
  await git.add('.').commit('Hydrate')
  const again = ['reproduce', '--repo', repository, '--branch', 'env', '--plugin', plugin, 'shop']
  const { stdout, code } = await runWadi(again, { environment })
  assert.equal(stdout, `shop: manifest.yaml is reproduced byte for byte from ${drySha.slice(0, 7)}\n`)
  assert.equal(code, 0)

  const refused = await runWadi(['render', '.', '--plugin', plugin, '--plugin-variables', 'told=PATH'], {
    environment,
  })
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /--plugin-variables \(WADI_PLUGIN_VARIABLES\): .*PATH.* is not a variable that a plugin can receive/,
  )
})
