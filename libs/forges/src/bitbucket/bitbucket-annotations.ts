import { createHash } from 'node:crypto'
import { DomainError } from '@wadi/errors/domain-error.ts'
import type { ForgeApi } from '../forge-api.ts'
import { optionalTextAt } from '../forge-values.ts'
import { statusKey } from './bitbucket-answers.ts'
import { cutLine, cutText } from '../pull-requests/cut-text.ts'
import type { AnnotatedCommit, ReviewAnnotation } from '../pull-requests/pull-request-forge.ts'

const levels = { error: 'HIGH', warning: 'MEDIUM', notice: 'LOW' } as const

/** Writes annotations as a report of Code Insights; its `external_id` tells whether they are there already. */
export async function putBitbucketAnnotations(
  api: ForgeApi,
  repository: readonly string[],
  { sha, context, summary }: AnnotatedCommit,
  annotations: readonly ReviewAnnotation[],
): Promise<'written' | 'unchanged' | 'unsupported'> {
  const digest = createHash('sha256').update(JSON.stringify(annotations)).digest('hex')
  const path = [...repository, 'commit', sha, 'reports', statusKey(context)]
  try {
    const known = await api.find({ path }, (body) => optionalTextAt(body, 'external_id') ?? '')
    if (known === digest) return 'unchanged'
    if (known !== undefined) await api.send('DELETE', { path }, undefined, () => undefined)
    const result = annotations.some(({ level }) => level === 'error') ? 'FAILED' : 'PASSED'
    const report = {
      type: 'report',
      title: context,
      details: cutText(summary === '' ? context : summary, 2_000),
      reporter: 'Wadi',
      report_type: 'BUG',
      result,
    }
    await api.send('PUT', { path }, report, () => undefined)
    const marks = annotations.map((annotation, index) =>
      markOf(annotation, `${digest.slice(0, 16)}-${index}`),
    )
    await api.send('POST', { path: [...path, 'annotations'] }, marks, () => undefined)
    // Only now, so that a report that was cut short is written again.
    await api.send('PUT', { path }, { ...report, external_id: digest }, () => undefined)
    return 'written'
  } catch (error) {
    if (error instanceof DomainError && error.code === 'http-403') return 'unsupported'
    throw error
  }
}

function markOf({ path, line, level, title, message }: ReviewAnnotation, id: string) {
  return {
    type: 'report_annotation',
    external_id: id,
    annotation_type: 'BUG',
    path,
    ...(line > 0 && { line }),
    severity: levels[level],
    summary: cutLine(title === '' ? message : title, 450),
    details: cutText(message, 2_000),
  }
}
