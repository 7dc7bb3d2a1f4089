import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'

const root = join(import.meta.dirname, '../../..')
const cacheHome = join(root, 'node_modules/.cache')

interface Step {
  /** Lines for a shell. */
  commands: string
  /** Beginnings of lines that the commands print, in this order; the width of columns is ignored. */
  prints: string[]
}

/** The blocks of commands of a page, each with the block of output behind it. */
function stepsOf(page: string): Step[] {
  const blocks = page.matchAll(/^```sh\n(?<commands>.*?)^```\n\n(?:```\n(?<output>.*?)^```$)?/gms)
  return Array.from(blocks, ({ groups }) => ({
    commands: groups?.['commands'] ?? '',
    prints: (groups?.['output'] ?? '').split('\n').filter((line) => line !== '' && line !== '…'),
  }))
}

const steps = stepsOf(readFileSync(join(root, 'examples/README.md'), 'utf8'))

// Where the command line looks for them, so that they are unpacked once.
await findTools({ cacheDirectory: join(cacheHome, 'wadi/tools') })

for (const { commands, prints } of steps) {
  test(`the examples' page prints what comes of ${commands.trim().replaceAll('\n', ' and ')}`, async () => {
    assert.ok(prints.length > 0, 'there is output behind the commands')
    const options = { cwd: root, env: { ...process.env, XDG_CACHE_HOME: cacheHome } }
    const { stdout } = await promisify(execFile)('sh', ['-euc', commands], options)
    let rest = narrow(stdout).split('\n')
    for (const line of prints) {
      const index = rest.findIndex((printed) => printed.startsWith(narrow(line)))
      assert.ok(index >= 0, `"${line}" is not in the rest of the output:\n${rest.join('\n')}`)
      rest = rest.slice(index + 1)
    }
  })
}

function narrow(text: string): string {
  return text.replaceAll(/ +/g, ' ')
}

test('every command of the page is run', () => {
  const page = readFileSync(join(root, 'examples/README.md'), 'utf8')
  const written = page.match(/^\.\/wadi /gm) ?? []
  const run = steps.flatMap(({ commands }) => commands.match(/^\.\/wadi /gm) ?? [])
  assert.equal(run.length, written.length)
  assert.ok(run.length > 0)
})
