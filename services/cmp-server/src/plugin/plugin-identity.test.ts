import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  chmod,
  mkdir,
  mkdtempDisposable,
  realpath,
  rename,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readPlugin } from '@wadi/plugins/file/read-plugin.ts'
import { openPluginIdentity } from './plugin-identity.ts'

const pluginText = (directory: string) => `
kind: ConfigManagementPlugin
metadata: {name: tool}
spec:
  init: {command: [${directory}/init.sh]}
  generate: {command: [sh, -c, 'wadi-generate.ts --values=${directory}/values.yaml | cat']}
`

async function identityOf(directory: string) {
  const file = path.join(directory, 'plugin.yaml')
  const { identity } = await openPluginIdentity(file, await readPlugin(file), ['/usr/bin', '/bin', directory])
  return identity
}

test('the identity follows the plugin file, what its commands name and the modules beside it', async () => {
  await using made = await mkdtempDisposable(path.join(tmpdir(), 'wadi-identity-'))
  const directory = await realpath(made.path)
  const write = async (name: string, text: string) => {
    await writeFile(path.join(directory, name), text)
    await chmod(path.join(directory, name), 0o755)
  }
  await write('plugin.yaml', pluginText(directory))
  await write('init.sh', 'init')
  await write('wadi-generate.ts', 'generate')
  await write('values.yaml', 'a: 1')
  await write('module.ts', 'export {}')
  await mkdir(path.join(directory, 'deeper'))
  const identity = await identityOf(directory)
  const first = await identity()
  assert.match(first, /^[0-9a-f]{64}$/)
  assert.equal(await identity(), first)
  assert.equal(await (await identityOf(directory))(), first, 'another process returns the same')
  await utimes(path.join(directory, 'init.sh'), 1, 1)
  await write('deeper/unnamed.ts', 'nobody names it')
  await write('up.log', 'nobody names it')
  assert.equal(await identity(), first, 'neither times nor other files count')

  const seen = new Set([first])
  for (const [name, text] of [
    ['init.sh', 'INIT'],
    ['wadi-generate.ts', 'generate more'],
    ['values.yaml', 'a: 2'],
    ['module.ts', 'export const more = 1'],
  ] as const) {
    await write(name, text)
    const changed = await identity()
    assert.ok(!seen.has(changed), name)
    seen.add(changed)
  }
  await write('plugin.yaml', `${pluginText(directory)}# more\n`)
  assert.ok(!seen.has(await (await identityOf(directory))()))
})

test('files of a mounted ConfigMap are identified by their content, wherever the mount has it now', async () => {
  await using made = await mkdtempDisposable(path.join(tmpdir(), 'wadi-identity-'))
  const directory = await realpath(made.path)
  const mount = async (version: string, module: string) => {
    await mkdir(path.join(directory, version))
    await writeFile(path.join(directory, version, 'plugin.yaml'), pluginText(directory))
    await writeFile(path.join(directory, version, 'wadi-generate.ts'), 'generate')
    await chmod(path.join(directory, version, 'wadi-generate.ts'), 0o755)
    await writeFile(path.join(directory, version, 'module.ts'), module)
    await symlink(version, path.join(directory, '..data.new'))
    await rename(path.join(directory, '..data.new'), path.join(directory, '..data'))
  }
  await mount('..2026_1', 'export {}')
  for (const name of ['plugin.yaml', 'wadi-generate.ts', 'module.ts'])
    await symlink(`..data/${name}`, path.join(directory, name))
  const identity = await identityOf(directory)
  const first = await identity()
  await mount('..2026_2', 'export {}')
  assert.equal(await identity(), first)
  await mount('..2026_3', 'export const more = 1')
  assert.notEqual(await identity(), first)
})

test('a large program is identified by its content, and one beyond all size by path and size', async () => {
  await using made = await mkdtempDisposable(path.join(tmpdir(), 'wadi-identity-'))
  const directory = await realpath(made.path)
  await writeFile(path.join(directory, 'plugin.yaml'), pluginText(directory))
  await writeFile(path.join(directory, 'large'), 'a')
  await truncate(path.join(directory, 'large'), 17 * 1024 * 1024)
  await symlink('large', path.join(directory, 'init.sh'))
  const identity = await identityOf(directory)
  const first = await identity()
  await writeFile(path.join(directory, 'large'), 'b', { flag: 'r+' })
  const second = await identity()
  assert.notEqual(second, first)
  await truncate(path.join(directory, 'large'), 2 * 1024 ** 3)
  const larger = await identity()
  assert.notEqual(larger, second)
  await writeFile(path.join(directory, 'large'), 'c', { flag: 'r+' })
  assert.equal(await identity(), larger)
})

test('the program that generates has a digest of its own, and the image of the sidecar is a part of the plugin', async () => {
  await using made = await mkdtempDisposable(path.join(tmpdir(), 'wadi-identity-'))
  const directory = await realpath(made.path)
  const file = path.join(directory, 'plugin.yaml')
  const write = async (command: string) => {
    await writeFile(
      file,
      `kind: ConfigManagementPlugin\nmetadata: {name: tool}\nspec: {version: v1.0, generate: {command: [${command}]}}\n`,
    )
    return (image = '') =>
      readPlugin(file).then((plugin) => openPluginIdentity(file, plugin, [directory], image))
  }
  await writeFile(path.join(directory, 'tool'), 'one', { mode: 0o755 })
  const open = await write('tool, --all')
  const { identity, programDigest } = await open()
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  assert.equal(await programDigest(), digest('one'))
  const before = await identity()
  assert.notEqual(await (await open('registry.example.com/tool:1')).identity(), before)
  await writeFile(path.join(directory, 'tool'), 'two')
  assert.equal(await programDigest(), digest('two'))
  assert.notEqual(await identity(), before)
  assert.equal(await (await (await write('./tool'))()).programDigest(), '')
})
