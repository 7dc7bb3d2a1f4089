import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { makeTestDirectory } from './hydration-fixture.ts'
import {
  configMapText,
  renderSettings,
  sourceFiles,
  sourceDirectories,
  writeFiles,
} from './local-rendering-fixture.ts'
import { type MeshFixture, startMeshFixture } from './mesh-fixture.ts'

/** Makes a directory the root of a repository. */
const head = 'ref: refs/heads/main\n'

let owned: AsyncDisposableStack
let mesh: MeshFixture
before(async () => {
  owned = new AsyncDisposableStack()
  mesh = owned.use(await startMeshFixture({ environment: renderSettings }))
})
after(async () => {
  await owned.disposeAsync()
})

for (const source of sourceDirectories) {
  test(`local rendering is as that of a server with the same settings: ${source}`, async () => {
    const { fixture } = mesh
    const repository = await fixture.createRepository(`local-${source}`, sourceFiles)
    const branch = `environments/${source}`
    const application = {
      name: `local-${source}`,
      path: source,
      syncPath: source,
      repoURL: repository.url,
      branch,
    }
    const directory = join(await makeTestDirectory(owned), 'checkout')
    await writeFiles(directory, { ...sourceFiles, '.git/HEAD': head })
    const environment = { ...renderSettings, XDG_CACHE_HOME: cacheHome }
    const { stdout, stderr, code } = await runWadi(['render', source], { directory, environment })
    if (code === 0) {
      await fixture.applyAndWait(await repository.dry.head(), application)
      assert.equal(stdout, await repository.read(branch, `${source}/manifest.yaml`))
      return
    }
    const message = (await fixture.applyAndFail(application)).replace(/^Failed to hydrate: /, '')
    assert.match(stderr, new RegExp(RegExp.escape(message.split('\n')[0] ?? '')))
  })
}

test('the settings are those of the server also where they are wrong', async () => {
  const directory = await makeTestDirectory(owned)
  for (const [environment, expected] of [
    [{ WADI_HELM: '/nowhere/tool' }, /helm at \/nowhere\/tool does not report its version/],
    [{ WADI_KUSTOMIZE: '/nowhere/tool' }, /kustomize at \/nowhere\/tool does not report its version/],
    [{ WADI_RENDER_TIMEOUT: 'soon' }, /WADI_RENDER_TIMEOUT/],
  ] as const) {
    const { stderr, code } = await runWadi(['render', '.'], {
      directory,
      environment: { ...environment, XDG_CACHE_HOME: cacheHome },
    })
    assert.notEqual(code, 0)
    assert.match(stderr, expected)
  }
})

test('a submodule is no part of the repository that it is in, as for a server', async () => {
  const directory = await makeTestDirectory(owned)
  // As git lays them out.
  await writeFiles(directory, {
    '.git/HEAD': head,
    'sub/.git': 'gitdir: ../.git/modules/sub\n',
    'sub/a.yaml': configMapText,
    'overlay/kustomization.yaml': 'resources: [../sub/a.yaml]\n',
  })
  const environment = { XDG_CACHE_HOME: cacheHome }
  const { stderr, code } = await runWadi(['render', 'sub'], { directory, environment })
  assert.notEqual(code, 0)
  assert.match(
    stderr,
    /sub\\?" is a git submodule, whose files are not part of this repository; copy them in/,
  )
})
