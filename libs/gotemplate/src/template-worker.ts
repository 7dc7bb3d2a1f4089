import { parentPort } from 'node:worker_threads'
import { DomainError, errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { errorFields, type ErrorFields } from '@wadi/errors/error-fields.ts'
import { renderTexts } from './render-texts.ts'
import type { TemplateAnswer, TemplateJob } from './template-job.ts'
import { loadTemplateEngine } from './template.ts'

const engine = await loadTemplateEngine()
// The engine starts with its first template, for whose time no caller is to pay.
engine.renderPackage({ name: 'first', text: '', objects: '{}' })

parentPort?.on('message', (job: TemplateJob) => parentPort?.postMessage(answer(job), []))
// The first message says that templates can come.
parentPort?.postMessage('ready', [])

function answer(job: TemplateJob): TemplateAnswer {
  const before = process.threadCpuUsage()
  const spent = (): number => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
  try {
    const output = outputOf(job)
    return { output, milliseconds: spent() }
  } catch (error) {
    return { failure: failureOf(error), milliseconds: spent() }
  }
}

function outputOf(job: TemplateJob): string {
  if (job.kind === 'render') return engine.renderPackage(job)
  return JSON.stringify(
    job.kind === 'inspect' ? engine.inspectPackage(job.name, job.text) : renderTexts(engine, job),
  )
}

/** Where the Go program ended, its stack follows the reason in lines of its own. */
function failureOf(error: unknown): ErrorFields {
  if (error instanceof DomainError) return errorFields(error)
  const [reason = ''] = errorMessage(error).split('\n')
  return errorFields(new InvalidInputError(reason))
}
