import assert from 'node:assert/strict'
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
  return openPluginIdentity(file, await readPlugin(file), ['/usr/bin', '/bin', directory])
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

test('a file that is too large to read is identified by path and size, and a link by its target', async () => {
  await using made = await mkdtempDisposable(path.join(tmpdir(), 'wadi-identity-'))
  const directory = await realpath(made.path)
  await writeFile(path.join(directory, 'plugin.yaml'), pluginText(directory))
  await writeFile(path.join(directory, 'large'), 'a')
  await truncate(path.join(directory, 'large'), 17 * 1024 * 1024)
  await symlink('large', path.join(directory, 'init.sh'))
  const identity = await identityOf(directory)
  const first = await identity()
  await writeFile(path.join(directory, 'large'), 'b', { flag: 'r+' })
  assert.equal(await identity(), first)
  await truncate(path.join(directory, 'large'), 18 * 1024 * 1024)
  assert.notEqual(await identity(), first)
})
