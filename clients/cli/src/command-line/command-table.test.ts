import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { commandTable } from './command-table.ts'

test('the help lists every command, and the help of one has its flags', async () => {
  const { stdout } = await runWadi(['--help'])
  const listed = stdout.slice(stdout.indexOf('Commands:'))
  for (const { name, hidden } of commandTable) {
    assert.equal(new RegExp(`^  ${name} `, 'm').test(listed), hidden !== true, name)
  }
  assert.match(
    (await runWadi(['help', 'login'])).stdout,
    /^Usage: wadi login \[options\] <server>\n[^]*--sso/,
  )
})

test('a command loads no other command', async () => {
  const trace = `import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => { console.error(url); return next(url, context) } })`
  const { stderr } = await runWadi(['version', '--client'], {
    environment: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(trace)}` },
  })
  const loaded = stderr.split('\n').map((url) => path.basename(url))
  const commands = await readdir(path.join(import.meta.dirname, '../commands'))
  assert.deepEqual(
    commands.filter((file) => loaded.includes(file)),
    ['version.ts'],
  )
})
