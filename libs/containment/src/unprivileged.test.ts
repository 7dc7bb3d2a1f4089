import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const program = `
  const { startContainment } = await import(${JSON.stringify(new URL('containment-fixture.ts', import.meta.url).href)})
  await using bed = await startContainment()
  const reported = async (script, changes) => {
    try {
      const { output, errorOutput } = await bed.shell(script, changes)
      return output || errorOutput
    } catch (error) {
      return error.name + ': ' + error.message
    }
  }
  const limitsAlone = { isolation: undefined }
  const growing = "exec perl -e 'push @a, \\"x\\" x 1e6 while 1'"
  const together = "for i in 1 2 3 4 5 6 7 8 9 10; do perl -e '$a = \\"x\\" x 3e7; sleep 600' & done; wait"
  console.log(JSON.stringify({
    protections: Object.fromEntries(bed.containment.protections.map(({ name, by }) => [name, by])),
    isolatedBy: bed.containment.isolatedBy,
    user: await reported('id -u'),
    growing: await reported(growing),
    growingInLimits: await reported(growing, limitsAlone),
    together: await reported(together),
    togetherInLimits: await reported(together, limitsAlone),
  }))
`

const skip =
  process.getuid?.() === 0 && process.platform === 'linux' ? false : 'this user cannot become another'

test(
  'a user who may make no control group is kept to the memory of each process and of all together',
  { skip },
  async () => {
    await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-nobody-'))
    await chmod(scratch.path, 0o777)
    const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups', '--', process.execPath]
    const { stdout } = await promisify(execFile)(
      'setpriv',
      [...nobody, '--input-type=module', '--eval', program],
      { cwd: '/', env: { PATH: '/usr/bin:/bin', TMPDIR: scratch.path }, timeout: hangLimitMs },
    )
    const {
      protections,
      isolatedBy,
      user,
      ...memory
    }: Record<string, string> & { protections: Record<string, string> } = JSON.parse(stdout)
    assert.match(
      protections['memory'] ?? '',
      /^a limit for each process \(RLIMIT_DATA\), and their sum sampled ten times a second/,
    )
    if (isolatedBy === 'namespaces') assert.equal(user, '65534\n')
    for (const reported of Object.values(memory))
      assert.match(
        reported,
        /^ResourceExhaustedError: the program was killed because it used more than 128 MiB of memory/,
      )
  },
)
