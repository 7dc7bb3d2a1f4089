import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noexecMissing, runBesideNoexec } from '@wadi/testing/noexec-place.ts'

const skip = noexecMissing() ?? false

test(
  'a program in a place that is mounted noexec is an error that names the place, in namespaces or not',
  { skip },
  async () => {
    const { stdout, stderr } = await runBesideNoexec(`
      import { chmodSync, copyFileSync } from 'node:fs'
      import { startContainment } from ${JSON.stringify(import.meta.resolve('./containment-fixture.ts'))}
      const program = process.env.PLACE + '/true'
      copyFileSync('/bin/true', program)
      chmodSync(program, 0o755)
      await using bed = await startContainment()
      const { isolation } = bed.options()
      const clean = (text) => text.replaceAll(process.env.PLACE, 'PLACE')
      for (const changes of [{ isolation }, { isolation: undefined }]) {
        const run = bed.containment.run([program], bed.options({ ...changes, clean }))
        console.log(await run.then(({ exitCode }) => exitCode, ({ name, message }) => name + ': ' + clean(message)))
      }
    `)
    const line =
      'FailedPreconditionError: cannot start the program: PLACE/true: PLACE is mounted noexec; mount it without noexec, or use a program elsewhere\n'
    assert.deepEqual([stdout, stderr], [line + line, ''])
  },
)
