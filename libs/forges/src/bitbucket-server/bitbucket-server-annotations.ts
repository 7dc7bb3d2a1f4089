import { createHash } from 'node:crypto'
import { DomainError } from '@wadi/errors/domain-error.ts'
import type { ForgeApi } from '../forge-api.ts'
import { longTextAt } from '../forge-values.ts'
import { cutText } from '../pull-requests/cut-text.ts'
import type { AnnotatedCommit, ReviewAnnotation } from '../pull-requests/pull-request-forge.ts'

const severities = { error: 'HIGH', warning: 'MEDIUM', notice: 'LOW' } as const

/** Writes annotations as a report of Code Insights; the end of its details tells whether they are there already. */
export async function putServerAnnotations(
  api: ForgeApi,
  repository: readonly string[],
  { sha, context, summary }: AnnotatedCommit,
  annotations: readonly ReviewAnnotation[],
): Promise<'written' | 'unchanged' | 'unsupported'> {
  const digest = createHash('sha256').update(JSON.stringify(annotations)).digest('hex').slice(0, 16)
  const mark = `(annotations ${digest})`
  const path = ['insights', 'latest', ...repository, 'commits', sha, 'reports', context.replaceAll('/', '.')]
  try {
    const known = await api.find({ path }, (body) => longTextAt(body, 'details'))
    if (known?.endsWith(mark)) return 'unchanged'
    if (known !== undefined) await api.send('DELETE', { path }, undefined, () => undefined)
    const details = cutText(summary === '' ? context : summary, 1_900)
    const result = annotations.some(({ level }) => level === 'error') ? 'FAIL' : 'PASS'
    const report = { title: context, details, reporter: 'Wadi', result, data: [] }
    await api.send('PUT', { path }, report, () => undefined)
    const marks = annotations.map((annotation, index) => markOf(annotation, `${digest}-${index}`))
    await api.send('POST', { path: [...path, 'annotations'] }, { annotations: marks }, () => undefined)
    // Only now, so that a report that was cut short is written again.
    await api.send('PUT', { path }, { ...report, details: `${details} ${mark}` }, () => undefined)
    return 'written'
  } catch (error) {
    const code = error instanceof DomainError ? error.code : ''
    if (code === 'http-401' || code === 'http-403') return 'unsupported'
    throw error
  }
}

function markOf({ path, line, level, title, message }: ReviewAnnotation, externalId: string) {
  const text = title === '' ? message : `${title}: ${message}`
  return {
    externalId,
    path,
    line: Math.max(line, 0),
    severity: severities[level],
    message: cutText(text, 2_000),
    type: 'BUG',
  }
}
