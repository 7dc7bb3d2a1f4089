import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { noexecMissing, runBesideNoexec } from '@wadi/testing/noexec-place.ts'

const skip = noexecMissing() ?? false
const main = path.join(import.meta.dirname, '../../mesh/src/main.ts')

test(
  'a mesh whose data directory is mounted noexec ends with one line that names the program, the place and what to do',
  { skip },
  async () => {
    const { exitCode, stderr } = await runBesideNoexec(
      `
        import { execFileSync } from 'node:child_process'
        import { mkdirSync, symlinkSync } from 'node:fs'
        const programs = process.env.PLACE + '/programs'
        mkdirSync(programs)
        for (const name of ['git', 'sh']) {
          symlinkSync(execFileSync('sh', ['-c', 'command -v ' + name], { encoding: 'utf8' }).trim(), programs + '/' + name)
        }
        process.env.PATH = programs
        await import(${JSON.stringify(main)})
      `,
      (place) => ({ WADI_DATA_DIR: `${place}/data`, WADI_LISTEN: '127.0.0.1:0', WADI_LOG_LEVEL: 'error' }),
    )
    assert.notEqual(exitCode, 0)
    assert.match(
      stderr,
      /\/data\/\S+\/helm cannot be executed: (\S+)\/place is mounted noexec; mount it without noexec/,
    )
    assert.doesNotMatch(stderr, /\n\s+at /)
  },
)
