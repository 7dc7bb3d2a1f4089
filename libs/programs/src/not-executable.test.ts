import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { noexecMissing, runBesideNoexec } from '@wadi/testing/noexec-place.ts'

const run = promisify(execFile)
const skip = noexecMissing() ?? false

/** Prints why `true` cannot be started. */
const startTrue = `
  const { startProgram } = await import(${JSON.stringify(import.meta.resolve('./start-program.ts'))})
  const program = { command: 'true', args: [], cwd: '/', environment: { PATH: '/usr/bin:/bin' }, hasInput: false, leadsGroup: true, label: 'true' }
  console.log(await startProgram(program).then(({ pid }) => 'started', ({ name, message }) => name + ': ' + message))
`
const script = (text: string) => ['--input-type=module', '--eval', text]

test('a program that may not be executed is an error that says what forbids it', { skip }, async () => {
  const { stdout, stderr } = await runBesideNoexec(`
      import { chmodSync, copyFileSync, writeFileSync } from 'node:fs'
      import { notExecutableBecause } from ${JSON.stringify(import.meta.resolve('./not-executable.ts'))}
      const place = process.env.PLACE
      copyFileSync('/bin/true', place + '/true')
      chmodSync(place + '/true', 0o755)
      writeFileSync(place + '/text', '', { mode: 0o644 })
      for (const file of [place + '/true', place + '/text', '/bin/true', '/nonexistent'])
        console.log(notExecutableBecause(file)?.replaceAll(place, 'PLACE'))
  `)
  assert.deepEqual(
    [stdout, stderr],
    [
      'PLACE is mounted noexec; mount it without noexec, or use a program elsewhere\n' +
        'nobody may execute it; run chmod +x on it\nundefined\nundefined\n',
      '',
    ],
  )
})

test(
  'where the process for programs cannot be executed any more, that is what every start says',
  { skip },
  async () => {
    const { stdout } = await runBesideNoexec(`
      import { chmodSync, copyFileSync } from 'node:fs'
      process.execPath = process.env.PLACE + '/node'
      copyFileSync('/bin/true', process.execPath)
      chmodSync(process.execPath, 0o755)
      ${startTrue}`)
    assert.match(
      stdout,
      /^FailedPreconditionError: no program can be started: (.*)\/node, by which Wadi runs, cannot be executed any more: \1 is mounted noexec; /,
    )
  },
)

for (const [what, directory, expected] of [
  [
    'is not there',
    'none',
    /nothing can be written to the temporary directory \S+none \(ENOENT: .*\); make it writable, .* or set TMPDIR/,
  ],
  [
    'is too long for a socket',
    'x'.repeat(100),
    /is too long for a socket; set TMPDIR to one of at most 85 bytes/,
  ],
] as const) {
  test(`a temporary directory that ${what} is named by every start`, async () => {
    await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-programs-'))
    const TMPDIR = path.join(scratch.path, directory)
    if (directory !== 'none') await mkdir(TMPDIR)
    const { stdout } = await run(process.execPath, script(startTrue), { env: { ...process.env, TMPDIR } })
    assert.match(stdout, /^FailedPreconditionError: no program can be started: /)
    assert.match(stdout, expected)
  })
}

test('a process for programs that ends before it is ready says how', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-programs-'))
  const text = `
    const childProcess = process.getBuiltinModule('node:child_process')
    const { spawn } = childProcess
    childProcess.spawn = (command, args, options) => spawn(command, ['--bad-option', ...args], options)
    ;(await import('node:module')).syncBuiltinESMExports()
    ${startTrue}`
  const { stdout } = await run(process.execPath, script(text), {
    env: { ...process.env, TMPDIR: scratch.path },
  })
  assert.match(
    stdout,
    /^UnavailableError: no program can be started: the process for it ended before it was ready \(exit code 9/,
  )
})
