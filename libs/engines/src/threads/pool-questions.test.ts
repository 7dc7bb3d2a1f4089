import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { WorkerPool } from './worker-pool.ts'

const askingThread = `
import { parentPort } from 'node:worker_threads'
import { answerLongJob } from ${JSON.stringify(import.meta.resolve('./answer-job.ts'))}
import { askPool, isReply } from ${JSON.stringify(import.meta.resolve('./pool-questions.ts'))}

parentPort.on('message', async (job) => {
  if (isReply(job)) return
  const answers = answerLongJob(async () => (await Promise.all(job.questions.map(askPool))).join())
  parentPort.postMessage(await answers, [])
})
parentPort.postMessage('ready', [])
`

test('a thread asks its pool while it works, and errors of the answers are its own', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-questions-'))
  const script = join(directory.path, 'asking-thread.mjs')
  await writeFile(script, askingThread)
  const slow = Promise.withResolvers<string>()
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const answer = async (question: string, signal: AbortSignal): Promise<string> => {
    if (question === 'wrong') throw new InvalidInputError('nobody knows')
    if (question !== 'slow') return question.toUpperCase()
    signal.addEventListener('abort', () => ended.resolve())
    begun.resolve()
    return slow.promise
  }
  const program = { script: pathToFileURL(script), tool: 'asking', load: async () => ({}), answer }
  await using pool = new WorkerPool<{ questions: string[] }>(program, () => 'asking', { threads: 1 })
  assert.equal(await pool.run({ questions: ['a', 'b'] }), 'A,B')
  await assert.rejects(pool.run({ questions: ['a', 'wrong'] }), {
    name: 'InvalidInputError',
    message: 'nobody knows',
  })
  const stop = new AbortController()
  const waiting = pool.run({ questions: ['slow'] }, { signal: stop.signal })
  await begun.promise
  stop.abort()
  await assert.rejects(waiting, { name: 'AbortError' })
  await ended.promise
  slow.resolve('')
})
