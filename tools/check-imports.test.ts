import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { compileCache } from '@wadi/testing/quick-start.ts'

const manifest = (name: string, dependencies: readonly string[] = [], files: readonly string[] = []) =>
  JSON.stringify({
    name,
    exports: Object.fromEntries(files.map((file) => [`./${file}`, `./src/${file}`])),
    dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '1'])),
  })

async function check(files: Record<string, string>): Promise<{ status: number | null; lines: string[] }> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-imports-'))
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(scratch.path, file)), { recursive: true })
    await writeFile(path.join(scratch.path, file), content.replaceAll('ROOT', scratch.path))
  }
  const checker = path.join(import.meta.dirname, 'check-imports.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [checker, scratch.path], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    encoding: 'utf8',
  })
  return { status, lines: `${stdout}${stderr}`.replaceAll(scratch.path, 'ROOT').trim().split('\n') }
}

test('a tree that keeps the rules passes', async () => {
  const { status, lines } = await check({
    'libs/git/package.json': manifest('@wadi/git', ['pino'], ['mirror/mirror.ts']),
    'libs/git/src/mirror/mirror.ts':
      "import { readFile } from 'node:fs/promises'\nimport pino from 'pino'\nimport './refs.ts'\n",
    'libs/git/src/refs.ts': "// import './mirror.ts'\nimport type { Mirror } from './mirror.ts'\n",
    'libs/git/src/gen/long.ts': '\n'.repeat(400),
    'services/hydrator/package.json': manifest('@wadi/hydrator', ['@wadi/git'], ['main.ts']),
    'services/hydrator/src/main.ts': "import '@wadi/git/mirror/mirror.ts'\n",
    'mesh/package.json': manifest('@wadi/mesh', ['@wadi/hydrator']),
    'mesh/src/mesh.ts': "await import('@wadi/hydrator/main.ts')\n",
  })
  assert.deepEqual(lines, ['imports, names and lengths of 4 files are in order'])
  assert.equal(status, 0)
})

test('imports against the direction are refused, whatever their form', async () => {
  const { status, lines } = await check({
    'libs/git/package.json': manifest('@wadi/git', ['@wadi/hydrator'], ['up.ts']),
    'libs/git/src/up.ts': "\nexport { run } from '@wadi/hydrator/run.ts'\n",
    'libs/protocol/package.json': manifest('@wadi/protocol', ['@wadi/git']),
    'libs/protocol/src/codec.ts': "import type { Up } from '@wadi/git/up.ts'\n",
    'services/hydrator/package.json': manifest('@wadi/hydrator', ['@wadi/commit-server'], ['run.ts']),
    'services/hydrator/src/run.ts': "await import('@wadi/commit-server/push.ts')\n",
    'services/commit-server/package.json': manifest('@wadi/commit-server', [], ['push.ts']),
    'services/commit-server/src/push.ts': "import '../../hydrator/src/run.ts'\n",
    'clients/web/package.json': manifest('@wadi/web', ['@wadi/mesh']),
    'clients/web/src/page.ts': "import '@wadi/mesh/mesh.ts'\n",
    'mesh/package.json': manifest('@wadi/mesh', [], ['mesh.ts']),
    'mesh/src/mesh.ts': 'export const nodes = 6\n',
  })
  assert.equal(status, 1)
  assert.deepEqual(
    lines.filter((line) => !line.includes('cycle')),
    [
      'clients/web/src/page.ts:1: clients/web may not import mesh: clients import only libs',
      'libs/git/src/up.ts:2: libs/git may not import services/hydrator: libs import only libs',
      'libs/protocol/src/codec.ts:1: libs/protocol imports no other workspace',
      "services/commit-server/src/push.ts:1: '../../hydrator/src/run.ts' leaves services/commit-server: import another workspace by its name",
      'services/hydrator/src/run.ts:1: services/hydrator may not import services/commit-server: services import only libs',
      '6 problems',
    ],
  )
})

test('a package must be declared by the workspace that imports it', async () => {
  const { lines } = await check({
    'libs/git/package.json': JSON.stringify({ devDependencies: { '@wadi/testing': '1', sinon: '1' } }),
    'libs/git/src/mirror/mirror.ts':
      "import 'pino/file'\nimport '@wadi/errors/domain-error.ts'\nimport 'sinon'\n",
    'libs/git/src/mirror/mirror.test.ts': "import '@wadi/testing/redis.ts'\n",
  })
  assert.deepEqual(lines, [
    'libs/git/src/mirror/mirror.ts:1: pino is not declared in libs/git/package.json',
    'libs/git/src/mirror/mirror.ts:2: @wadi/errors is not declared in libs/git/package.json',
    'libs/git/src/mirror/mirror.ts:3: sinon is only among the devDependencies of libs/git/package.json',
    '3 problems',
  ])
})

test('a workspace depends on the version that another one has', async () => {
  const { lines } = await check({
    'libs/git/package.json': JSON.stringify({ name: '@wadi/git', version: '0.2.0' }),
    'libs/git/src/mirror.ts': '\n',
    'services/hydrator/package.json': '{ "dependencies": {\n"zod": "1",\n"@wadi/git": "0.1.0" } }',
    'services/hydrator/src/main.ts': '\n',
  })
  assert.deepEqual(lines, [
    'services/hydrator/package.json:3: @wadi/git has the version 0.2.0, not 0.1.0',
    '1 problem',
  ])
})

test('the exports of a workspace are the files that others import', async () => {
  const { lines } = await check({
    'libs/a/package.json': '{ "dependencies": { "@wadi/b": "1" } }',
    'libs/a/src/one.ts':
      "import '@wadi/b/listed.ts'\nimport '@wadi/b/gen/any.ts'\nimport '@wadi/b/inner.ts'\nimport.meta.resolve('@wadi/b/found.ts')\n",
    'libs/b/package.json': JSON.stringify(
      {
        exports: {
          './listed.ts': './src/listed.ts',
          './found.ts': './src/found.ts',
          './gen/*.ts': './src/gen/*.ts',
          './*.ts': './src/*.ts',
          './gone.ts': './src/gone.ts',
          './moved.ts': './src/other/moved.ts',
          './unused.ts': './src/unused.ts',
        },
      },
      null,
      2,
    ),
    'libs/b/src/listed.ts': '\n',
    'libs/b/src/found.ts': '\n',
    'libs/b/src/inner.ts': '\n',
    'libs/b/src/unused.ts': '\n',
  })
  assert.deepEqual(lines, [
    "libs/b/package.json:6: './*.ts' hides which files are public: list them",
    "libs/b/package.json:7: './src/gone.ts' does not exist",
    "libs/b/package.json:8: './moved.ts' must lead to './src/moved.ts'",
    "libs/b/package.json:9: no other workspace imports './unused.ts': remove it from the exports",
    "libs/a/src/one.ts:3: @wadi/b does not list './inner.ts' in its exports",
    '5 problems',
  ])
})

test('an import cycle across workspaces is shown file by file', async () => {
  const { lines } = await check({
    'libs/a/package.json': manifest('@wadi/a', ['@wadi/b'], ['one.ts']),
    'libs/a/src/one.ts': "import './two.ts'\n",
    'libs/a/src/two.ts': "\nimport '@wadi/b/three.ts'\n",
    'libs/b/package.json': manifest('@wadi/b', ['@wadi/a'], ['three.ts']),
    'libs/b/src/three.ts': "import '@wadi/a/one.ts'\n",
  })
  assert.deepEqual(lines, [
    'libs/b/src/three.ts:1: import cycle: libs/a/src/one.ts → libs/a/src/two.ts → libs/b/src/three.ts → libs/a/src/one.ts',
    '1 problem',
  ])
})

test("more than two files that need one another's types are a knot", async () => {
  const { lines } = await check({
    'libs/a/package.json': manifest('@wadi/a'),
    'libs/a/src/one.ts': "import type { Two } from './two.ts'\n",
    'libs/a/src/pair.ts': "import type { Half } from './half.ts'\n",
    'libs/a/src/half.ts': "import { pair } from './pair.ts'\n",
    'libs/a/src/three.ts': "import type { One } from './one.ts'\n",
    'libs/a/src/two.ts': "import { three } from './three.ts'\nimport './half.ts'\n",
  })
  assert.deepEqual(lines, [
    "libs/a/src/one.ts:1: 3 files need one another's types, 2 at the most: libs/a/src/one.ts, libs/a/src/three.ts, libs/a/src/two.ts",
    '1 problem',
  ])
})

test('long files, names without a concept and paths of this machine are refused', async () => {
  const { lines } = await check({
    'libs/git/package.json': manifest('@wadi/git'),
    'libs/git/src/long.ts': '\n'.repeat(301),
    'libs/git/src/text-utils.ts': '\n',
    'libs/git/src/utils.ts': '\n',
    'docs/guide.md': 'Open\nROOT/libs in your editor.\n',
  })
  assert.deepEqual(lines, [
    'libs/git/src/long.ts:301: 301 lines, 300 at the most',
    'libs/git/src/text-utils.ts:1: name the file after the concept it holds',
    'libs/git/src/utils.ts:1: name the file after the concept it holds',
    "docs/guide.md:2: 'ROOT' is a path of this machine",
    '4 problems',
  ])
})

test('what depends on the name of a renderer outside its directory is refused', async () => {
  const { lines } = await check({
    'libs/rendering/package.json': manifest('@wadi/rendering'),
    'libs/rendering/src/renderers/helm/helm-renderer.ts': "export const helm = {\n  name: 'helm',\n}\n",
    'libs/rendering/src/renderers/helm/own.ts': "export const isOwn = (plan) => plan.renderer === 'helm'\n",
    'libs/rendering/src/renderers/kustomize/kustomize-renderer.ts':
      "export const k = {\n  name: 'kustomize',\n}\n",
    'libs/rendering/src/renderers/kustomize/other.ts':
      "export const isOther = (renderer) => renderer !== 'helm'\n",
    'libs/rendering/src/compare.ts':
      "export const a = (plan) => 'helm' === plan.renderer\nexport const b = (renderer) => renderer?.name === 'helm'\n",
    'libs/rendering/src/table.ts':
      "const table = { helm: 1 }\nexport const c = (plan) => table[plan.renderer]\nexport const d = (plan) => 'composite' in plan\n",
    'libs/rendering/src/list.ts': "export const e = (renderer) => ['helm', 'x'].includes(renderer)\n",
    'libs/rendering/src/switch.ts':
      "export function f({ renderer }) {\n  switch (renderer) {\n    case 'helm':\n  }\n}\n",
    'libs/rendering/src/plain.ts':
      "export const g = (renderer, other, kind) => renderer.name === other.name || kind === 'helm' || renderer.noun === 'helm'\n",
    'libs/rendering/src/plan.test.ts': "export const h = (plan) => plan.renderer === 'helm'\n",
  })
  const rejection = "a renderer's name outside its directory: put it into the plan"
  assert.deepEqual(
    lines.toSorted(),
    [
      `libs/rendering/src/compare.ts:1: compares ${rejection}`,
      `libs/rendering/src/compare.ts:2: compares ${rejection}`,
      `libs/rendering/src/renderers/kustomize/other.ts:1: compares ${rejection}`,
      `libs/rendering/src/list.ts:1: lists ${rejection}`,
      `libs/rendering/src/switch.ts:2: switches by ${rejection}`,
      `libs/rendering/src/table.ts:2: looks up ${rejection}`,
      `libs/rendering/src/table.ts:3: tests for ${rejection}`,
      '7 problems',
    ].toSorted(),
  )
})

test('what depends on the name of a forge outside its directory is refused', async () => {
  const { lines } = await check({
    'libs/forges/package.json': manifest('@wadi/forges'),
    'libs/forges/src/gitlab/gitlab-forge.ts': "export const gitlab = {\n  name: 'gitlab',\n}\n",
    'libs/forges/src/gitlab/own.ts': "export const isOwn = (forge) => forge.name === 'gitlab'\n",
    'libs/forges/src/gitea/gitea-forge.ts': "export const gitea = {\n  name: 'gitea',\n}\n",
    'libs/forges/src/compare.ts':
      "export const a = ({ forge }) => forge === 'gitea'\nexport const b = (login) => login.forge?.name !== 'gitlab'\n",
    'libs/forges/src/table.ts': "export const c = { gitlab: '/api/v4', gitea: '/api/v1' }\n",
    'libs/forges/src/list.ts': "export const d = ['gitlab', 'gitea']\nexport const e = ['gitlab']\n",
    'libs/forges/src/switch.ts':
      "export function f(forge) {\n  switch (forge) {\n    case 'gitea':\n  }\n}\n",
  })
  const rejection = "a forge's name outside its directory: put it into the Forge"
  assert.deepEqual(
    lines.toSorted(),
    [
      `libs/forges/src/compare.ts:1: compares ${rejection}`,
      `libs/forges/src/compare.ts:2: compares ${rejection}`,
      `libs/forges/src/list.ts:1: lists ${rejection}`,
      `libs/forges/src/switch.ts:2: switches by ${rejection}`,
      `libs/forges/src/table.ts:1: makes a table by ${rejection}`,
      '5 problems',
    ].toSorted(),
  )
})
