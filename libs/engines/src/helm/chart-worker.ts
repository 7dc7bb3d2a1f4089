import { parentPort } from 'node:worker_threads'
import { answerJob } from '../threads/answer-job.ts'
import type { ChartMessage } from './chart-job.ts'
import { loadGivenProgram } from '@wadi/gotemplate/go-program.ts'

const program = await loadGivenProgram()

parentPort?.on('message', (job: ChartMessage) =>
  parentPort?.postMessage(
    answerJob(() => program.call('chart', job)),
    [],
  ),
)
// The first message says that charts can come.
parentPort?.postMessage('ready', [])
