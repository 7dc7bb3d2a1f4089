import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Gathering } from './gathering.ts'

/** Answers each question with itself in capitals, and keeps what was asked together. */
function capitals(most = 10) {
  const asked: (readonly string[])[] = []
  const signals: AbortSignal[] = []
  const gate = Promise.withResolvers<void>()
  const gathering = new Gathering<string, string>({
    label: 'the call',
    milliseconds: 5,
    most,
    answer: async (questions, signal) => {
      asked.push(questions)
      signals.push(signal)
      await gate.promise
      if (questions.includes('bad')) throw new Error('broken')
      return questions.map((question) => question.toUpperCase())
    },
  })
  return { gathering, asked, signals, open: gate.resolve }
}

test('questions of one key that come together are answered together, each with its own answer', async () => {
  const { gathering, asked, open } = capitals()
  open()
  const answers = await Promise.all([
    gathering.ask('k', 'a'),
    gathering.ask('k', 'b'),
    gathering.ask('other', 'c'),
  ])
  assert.deepEqual(answers, ['A', 'B', 'C'])
  assert.deepEqual(asked, [['a', 'b'], ['c']])
})

test('a question that comes when others are being answered is answered by what begins after it', async () => {
  const { gathering, asked, open } = capitals()
  const first = gathering.ask('k', 'a')
  while (asked.length === 0) await nextTurn()
  const second = gathering.ask('k', 'b')
  while (asked.length === 1) await nextTurn()
  open()
  assert.deepEqual(await Promise.all([first, second]), ['A', 'B'])
  assert.deepEqual(asked, [['a'], ['b']])
})

test('no more questions than may be are answered together', async () => {
  const { gathering, asked, open } = capitals(2)
  open()
  await Promise.all(['a', 'b', 'c'].map((question) => gathering.ask('k', question)))
  assert.deepEqual(asked, [['a', 'b'], ['c']])
})

test('an error is the answer of all who asked together', async () => {
  const { gathering, open } = capitals()
  open()
  const settled = await Promise.allSettled(['a', 'bad'].map((question) => gathering.ask('k', question)))
  assert.deepEqual(
    settled.map((one) => one.status === 'rejected' && one.reason.message),
    ['broken', 'broken'],
  )
})

test('who goes away leaves the others their answers, and the last one ends the work', async () => {
  const { gathering, asked, signals, open } = capitals()
  const [first, second] = [new AbortController(), new AbortController()]
  const leaving = gathering.ask('k', 'a', first.signal)
  const staying = gathering.ask('k', 'b', second.signal)
  while (asked.length === 0) await nextTurn()
  first.abort()
  await assert.rejects(leaving, { name: 'CanceledError' })
  assert.equal(signals[0]?.aborted, false)
  second.abort()
  await assert.rejects(staying, { name: 'CanceledError' })
  assert.equal(signals[0]?.aborted, true)
  open()
  await assert.rejects(gathering.ask('k', 'c', AbortSignal.abort()), { name: 'CanceledError' })
})
