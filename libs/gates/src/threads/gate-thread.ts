import { parentPort } from 'node:worker_threads'
import { answerLongJob } from '@wadi/engines/threads/answer-job.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import { severities } from '../finding.ts'
import type { GateContext } from '../gate.ts'
import { type GateCheck, runGates } from '../run-gates.ts'
import { placeOf } from '../value-places.ts'
import type { CheckAnswer, GateJob, PlaceAnswer } from './gate-job.ts'

/** More findings help nobody. */
const maxFindings = 100

parentPort?.on('message', async (job: GateJob) => {
  parentPort?.postMessage(await answerLongJob(async () => JSON.stringify(await answer(job))), [])
})
// The first message says that jobs can come.
parentPort?.postMessage('ready', [])

async function answer(job: GateJob): Promise<CheckAnswer | PlaceAnswer> {
  if (job.kind === 'check') return checked(job.manifests, job.check)
  return job.values.map((written) => placeOf(job.texts, written) ?? null)
}

async function checked(manifests: readonly string[], settings: GateCheck): Promise<CheckAnswer> {
  const objects = manifests.map((text) => manifestFromJson(text))
  const { findings, expired } = await runGates(objects, withKnownDefinitions(settings))
  const byWeight = severities.flatMap((severity) => findings.filter((one) => one.severity === severity))
  const denied = findings.filter(({ severity }) => severity === 'deny').length
  const kept = byWeight.slice(0, maxFindings)
  return { findings: kept, expired, denied, leftOut: findings.length - kept.length }
}

let known: { readonly id: string; readonly definitions: GateContext['definitions'] } | undefined

/** Gates know definitions as the same value again, which every message has a copy of. */
function withKnownDefinitions({ definitionsId = '', context, ...settings }: GateCheck): GateCheck {
  const { definitions = [] } = context
  if (known?.id !== definitionsId) known = { id: definitionsId, definitions }
  return { ...settings, context: { ...context, definitions: known.definitions ?? definitions } }
}
