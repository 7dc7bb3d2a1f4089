import { parentPort } from 'node:worker_threads'
import { answerLongJob } from '@wadi/engines/threads/answer-job.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { maxFindings } from '../checked-objects.ts'
import { severities } from '../finding.ts'
import type { GateContext } from '../gate.ts'
import { type GateCheck, runGates } from '../run-gates.ts'
import type { CheckAnswer, GateJob, GivenObjects, PlaceAnswer } from './gate-job.ts'

const formerFile = 'manifest.yaml of the hydrated branch'

/** Bytes of the former objects: Wadi writes fewer, but people may have changed them. */
const maxFormerBytes = 64 * 1024 * 1024

parentPort?.on('message', async (job: GateJob) =>
  parentPort?.postMessage(await answerLongJob(async () => JSON.stringify(await answer(job))), []),
)
// The first message says that jobs can come.
parentPort?.postMessage('ready', [])

async function answer(job: GateJob): Promise<CheckAnswer | PlaceAnswer | boolean> {
  if (job.kind === 'check') return checked(job, job.check)
  if (job.kind === 'wantsFormer') {
    const { wantsFormer } = await import('../policies/wants-former.ts')
    return wantsFormer(job.policies)
  }
  const { findPlaces } = await import('../finding-places.ts')
  return findPlaces(job.texts, job.wanted).map((place) => place ?? null)
}

async function checked(
  { manifests, former: text = '' }: GivenObjects,
  settings: GateCheck,
): Promise<CheckAnswer> {
  const objects = manifests.map((json) => manifestFromJson(json))
  const former =
    text === '' ? [] : parseManifests(text, { file: formerFile, limits: { maxBytes: maxFormerBytes } })
  const { context, ...rest } = withKnownDefinitions(settings)
  const found = await runGates(objects, { ...rest, context: { ...context, former } })
  const { findings, covered, ...others } = found
  const byWeight = severities.flatMap((severity) => findings.filter((one) => one.severity === severity))
  const denied = findings.filter(({ severity }) => severity === 'deny').length
  const kept = byWeight.slice(0, maxFindings)
  const isUnchanged = areAmong(objects, former)
  const leftOut = findings.length - kept.length
  return { ...others, findings: kept, covered: covered.slice(0, maxFindings), denied, leftOut, isUnchanged }
}

function areAmong(objects: readonly Manifest[], former: readonly Manifest[]): boolean {
  if (former.length < objects.length) return false
  const known = new Set(former.map(canonicalJson))
  return objects.every((object) => known.has(canonicalJson(object)))
}

let known: { readonly id: string; readonly definitions: GateContext['definitions'] } | undefined

/** Gates know definitions as the same value again, which every message has a copy of. */
function withKnownDefinitions({
  definitionsId = '',
  definitionTexts = [],
  context,
  ...settings
}: GateCheck): GateCheck {
  const { definitions = [] } = context
  if (known?.id !== definitionsId) {
    const before = definitionTexts.map((text) => manifestFromJson(text))
    known = { id: definitionsId, definitions: [...before, ...definitions] }
  }
  return { ...settings, context: { ...context, definitions: known.definitions ?? definitions } }
}
