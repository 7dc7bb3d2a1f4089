import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { inputAt, runTarget } from './run-target.ts'
import { type Target, textBase } from './target.ts'
import { targets } from './targets.ts'
import { TargetWatch } from './watch-target.ts'

const seed = 7
/** So many find a reader that is broken for most inputs; `npm run fuzz` gives each thousands. */
const inputCount = 60
const directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-fuzz-'))
after(() => directory.remove())
const watch = new TargetWatch()
after(() => watch[Symbol.dispose]())
const run = (target: Target, count: number) =>
  runTarget(target, { seed, inputs: count, scratch: directory.path })

for (const target of targets) {
  test(`${target.name}: invalid inputs are rejected with a message, and soon`, async () => {
    assert.deepEqual(await watch.run(target, { seed, inputs: inputCount }), [])
  })

  test(`${target.name}: every base is valid`, async () => {
    assert.deepEqual(await watch.run(target, { seed }), [])
  })
}

test('a reader that throws what it does not promise is found, with the input', async () => {
  const target: Target = {
    name: 'throws',
    bases: [textBase('text', 'abc def')],
    read(input) {
      if (!input.includes('abc')) throw new TypeError('no abc')
    },
  }
  const [finding] = await run(target, 100)
  assert.match(finding?.problem ?? '', /^threw TypeError: no abc/)
  const { bytes } = inputAt(target, seed, finding?.index ?? 0)
  assert.equal(bytes.toString('base64'), finding?.input)
})

test('an endless message is found', async () => {
  const target: Target = {
    name: 'talks',
    bases: [textBase('text', 'abc')],
    read: () => Promise.reject(new InvalidInputError('x'.repeat(20_001))),
  }
  assert.equal((await run(target, 1))[0]?.problem, 'threw a message of 20001 characters')
})

test('the first input is the base itself, and most others differ from each other', () => {
  const [target] = targets
  assert.ok(target)
  const inputs = Array.from({ length: 50 }, (_, index) =>
    inputAt(target, seed, index).bytes.toString('latin1'),
  )
  assert.ok(target.bases.some(({ bytes }) => bytes.toString('latin1') === inputs[0]))
  assert.ok(new Set(inputs).size > 45)
})
