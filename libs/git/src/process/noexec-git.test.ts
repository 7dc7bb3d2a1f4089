import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noexecMissing, runBesideNoexec } from '@wadi/testing/noexec-place.ts'

const skip = noexecMissing() ?? false

test('a git in a place that is mounted noexec is an error that names the place', { skip }, async () => {
  const { stdout } = await runBesideNoexec(
    `
      import { chmodSync, copyFileSync } from 'node:fs'
      import { runGit } from ${JSON.stringify(import.meta.resolve('./run-git.ts'))}
      copyFileSync('/usr/bin/git', process.env.PLACE + '/git')
      chmodSync(process.env.PLACE + '/git', 0o755)
      process.env.PATH = process.env.PLACE
      const message = await runGit({ args: ['version'] }).then(() => 'it ran', (error) => error.name + ': ' + error.message)
      console.log(message.replaceAll(process.env.PLACE, 'PLACE'))
    `,
  )
  assert.match(
    stdout,
    /^FailedPreconditionError: cannot start git version: PLACE\/git: PLACE is mounted noexec; mount it without noexec/,
  )
})
