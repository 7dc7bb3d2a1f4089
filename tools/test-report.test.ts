import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { compileCache, nodeOptions } from '@wadi/testing/quick-start.ts'

/** Returns the output of the runner for a project with these test files. */
async function runTests(
  files: Readonly<Record<string, string>>,
  ...flags: string[]
): Promise<{ output: string; code: number | null }> {
  await using root = await mkdtempDisposable(path.join(tmpdir(), 'wadi-run-tests-'))
  await mkdir(path.join(root.path, 'libs'))
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(root.path, 'libs', name), `import { test } from 'node:test'\n${content}\n`)
  }
  // A runner inside of a test would run nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = [...nodeOptions, path.join(import.meta.dirname, 'run-tests.ts'), '--root', root.path, ...flags]
  const child = spawn(process.execPath, args, {
    env: { ...env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const output = await text(child.stdout)
  await closed
  return { output, code: child.exitCode }
}

const burn =
  'for (let count = 0; process.cpuUsage().user < 300_000;) count += Math.hypot(...Array(9_999).fill(count))'
/** A run in which every test passes. */
const passing = runTests({
  'a.test.ts': "test('first', () => {})\ntest('second', () => {})",
  'b.test.ts': `import { spawnSync } from 'node:child_process'
    test('burning', () => { spawnSync(process.execPath, ['-e', '${burn}']) })`,
})
/** One in which tests fail in every way but that of a process that ends. */
const failing = runTests({
  'a.test.ts': "test('wrong', () => { throw new Error('no') })",
  'b.test.ts': "import './missing.ts'",
  'c.test.ts': "test('right', () => {})",
  'd.test.ts': `test('stray', async () => {
      setTimeout(() => { throw new Error('from a timer') }, 1)
      await new Promise((resolve) => setTimeout(resolve, 50))
    })
    test('after it', () => {})`,
  'e.test.ts': `test('rejected', async () => {
      void Promise.reject(new Error('from a promise'))
      await new Promise((resolve) => setTimeout(resolve, 50))
    })`,
})

test('the closing lines count the tests of all files, after the files that take longest', async () => {
  const { output, code } = await passing
  assert.match(output, /^ {2}✔ first/m)
  assert.match(
    output,
    /^ℹ slow: +\d+\.\d s {2}libs\/[ab]\.test\.ts\n.*slow.*\n(?:ℹ busy: .*\n){2}ℹ all files: .*\nℹ tests 3\nℹ suites 2\nℹ pass 3\n/m,
  )
  assert.equal(code, 0)
})

test(
  'the processor time of a file has that of the programs which it started',
  { skip: process.platform !== 'linux' },
  async () => {
    const { output } = await passing
    const [, seconds] = /^ℹ busy: +([\d.]+) s of processors, .* in the kernel {2}libs\/b/m.exec(output) ?? []
    assert.ok(Number(seconds) >= 0.3, output)
  },
)

test('a failed test is listed at the end with its file, and a file that cannot be loaded by its name', async () => {
  const { output, code } = await failing
  const [, listed = ''] = output.split('failing tests:')
  assert.match(listed, /test at .*libs\/a\.test\.ts:2:1\n✖ wrong/)
  assert.match(listed, /✖ libs\/b\.test\.ts/)
  assert.match(output, /^ {2}✔ right/m)
  assert.match(output, /^ℹ pass 2$/m)
  assert.equal(code, 1)
})

test('an error that nobody awaits fails the test that it comes from', async () => {
  const { output } = await failing
  assert.match(output, /^ {2}✖ stray/m)
  assert.match(output, /^ {2}✔ after it/m)
  assert.match(output, /^ {2}✖ rejected/m)
  // These two, and the one that throws.
  assert.match(output, /^ℹ fail 3$/m)
  assert.match(output, /Error: from a timer/)
  assert.match(output, /Error: from a promise/)
})

test('a file that ends the process fails by its name, and those that were not run are listed', async () => {
  const { output, code } = await runTests({
    'a.test.ts': "test('right', () => {})",
    'b.test.ts': "test('last', () => process.exit(0))",
    'c.test.ts': "test('never', () => {})",
  })
  assert.match(
    output,
    /the process of libs 1 of 1 ended while it ran libs\/b\.test\.ts; without a result: .*libs\/c\.test\.ts/,
  )
  assert.equal(code, 1)
})

test('with a second try, a file that fails once passes, and one that fails twice fails the run', async () => {
  const onceFailing = `import { existsSync, writeFileSync } from 'node:fs'
    const mark = import.meta.filename + '.tried'
    test('late', () => {
      if (existsSync(mark)) return
      writeFileSync(mark, '')
      throw new Error('too late')
    })`
  const right = "test('right', () => {})"
  const late = await runTests({ 'a.test.ts': right, 'b.test.ts': onceFailing }, '--second-try')
  assert.match(
    late.output,
    /^ℹ fail 1$[^]*running again, one after the other: libs\/b\.test\.ts\n[^]*^ℹ fail 0$/m,
  )
  assert.equal(late.code, 0)
  const wrong = await runTests(
    { 'a.test.ts': right, 'b.test.ts': "test('wrong', () => { throw new Error('no') })" },
    '--second-try',
  )
  assert.match(wrong.output, /running again[^]*^ℹ fail 1$/m)
  assert.equal(wrong.code, 1)
})

test('a second try runs every file of a process that fails after its tests', async () => {
  const { output, code } = await runTests(
    {
      'a.test.ts': "test('right', () => { process.on('exit', () => { process.exitCode = 3 }) })",
      'b.test.ts': "test('fine', () => {})",
    },
    '--second-try',
  )
  assert.match(output, /running again, one after the other: libs\/a\.test\.ts, libs\/b\.test\.ts/)
  assert.equal(code, 1)
})
