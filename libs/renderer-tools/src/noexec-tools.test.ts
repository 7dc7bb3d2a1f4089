import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noexecMissing, runBesideNoexec } from '@wadi/testing/noexec-place.ts'

const skip = noexecMissing() ?? false

test(
  'tools in a place that is mounted noexec are named with the place, and found when it is mounted otherwise',
  { skip },
  async () => {
    const { stdout, stderr } = await runBesideNoexec(`
      import { execFileSync } from 'node:child_process'
      import { findTools } from ${JSON.stringify(import.meta.resolve('./find-tools.ts'))}
      const place = process.env.PLACE
      const { PATH } = process.env
      const find = async () => {
        process.env.PATH = '/nonexistent'
        try {
          return (await findTools({ cacheDirectory: place + '/tools' })).helm.version
        } catch ({ name, message }) {
          return name + ': ' + message.replaceAll(place, 'PLACE')
        } finally {
          process.env.PATH = PATH
        }
      }
      console.log(await find())
      execFileSync('mount', ['-o', 'remount,exec', place])
      console.log(await find())
    `)
    assert.equal(stderr, '')
    assert.match(
      stdout,
      /^FailedPreconditionError: PLACE\/tools\/\S+\/helm cannot be executed: PLACE is mounted noexec; mount it without noexec, .* taken from PATH\)\nv4\.\d+\.\d+\n$/,
    )
  },
)
