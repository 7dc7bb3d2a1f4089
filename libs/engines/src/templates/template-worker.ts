import { parentPort } from 'node:worker_threads'
import { answerJob } from '../threads/answer-job.ts'
import { renderTexts } from './render-texts.ts'
import type { TemplateJob } from './template-job.ts'
import { loadTemplateEngine } from './template.ts'

const engine = await loadTemplateEngine()
// The engine starts with its first template, for whose time no caller is to pay.
engine.renderPackage({ name: 'first', text: '', objects: '{}' })

parentPort?.on('message', (job: TemplateJob) =>
  parentPort?.postMessage(
    answerJob(() => outputOf(job)),
    [],
  ),
)
// The first message says that templates can come.
parentPort?.postMessage('ready', [])

function outputOf(job: TemplateJob): string {
  if (job.kind === 'render') return engine.renderPackage(job)
  return JSON.stringify(
    job.kind === 'inspect' ? engine.inspectPackage(job.name, job.text) : renderTexts(engine, job),
  )
}
