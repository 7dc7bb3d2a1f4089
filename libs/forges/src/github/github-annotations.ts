import { createHash } from 'node:crypto'
import { DomainError } from '@wadi/errors/domain-error.ts'
import type { ForgeApi } from '../forge-api.ts'
import { listAt, optionalTextAt, textAt } from '../forge-values.ts'
import type { AnnotatedCommit, ReviewAnnotation } from '../pull-requests/pull-request-forge.ts'

/** Annotations that GitHub takes in one request. */
const maxAnnotations = 50

/** Writes annotations as a check run, which only Apps may do; its `external_id` tells whether they are there already. */
export async function putGithubAnnotations(
  api: ForgeApi,
  repository: readonly string[],
  commit: AnnotatedCommit,
  annotations: readonly ReviewAnnotation[],
): Promise<'written' | 'unchanged' | 'unsupported'> {
  const digest = createHash('sha256').update(JSON.stringify(annotations)).digest('hex')
  if ((await newestDigest(api, repository, commit)) === digest) return 'unchanged'
  try {
    await writeRun(api, repository, commit, { annotations, digest })
    return 'written'
  } catch (error) {
    if (error instanceof DomainError && error.code === 'http-403') return 'unsupported'
    throw error
  }
}

async function newestDigest(
  api: ForgeApi,
  repository: readonly string[],
  { sha, context }: AnnotatedCommit,
): Promise<string | undefined> {
  const place = {
    path: [...repository, 'commits', sha, 'check-runs'],
    query: { check_name: context, per_page: '100' },
  }
  const runs = await api.one(place, (body) =>
    listAt(body, 'check_runs').map((run) => ({
      name: optionalTextAt(run, 'name') ?? '',
      digest: optionalTextAt(run, 'external_id') ?? '',
    })),
  )
  return runs.find(({ name }) => name === context)?.digest
}

/** The digest comes with the last part, so that a run that was cut short is written again. */
async function writeRun(
  api: ForgeApi,
  repository: readonly string[],
  { sha, context, summary }: AnnotatedCommit,
  { annotations, digest }: { annotations: readonly ReviewAnnotation[]; digest: string },
): Promise<void> {
  const marks = annotations.map(markOf)
  const output = (from: number) => ({
    title: context,
    summary: summary === '' ? context : summary,
    annotations: marks.slice(from, from + maxAnnotations),
  })
  const conclusion = annotations.some(({ level }) => level === 'error') ? 'failure' : 'neutral'
  const isWhole = marks.length <= maxAnnotations
  const path = [...repository, 'check-runs']
  const id = await api.send(
    'POST',
    { path },
    {
      name: context,
      head_sha: sha,
      status: 'completed',
      conclusion,
      output: output(0),
      ...(isWhole && { external_id: digest }),
    },
    (answer) => textAt(answer, 'id'),
  )
  if (isWhole) return
  const rest = { external_id: digest, output: output(maxAnnotations) }
  await api.send('PATCH', { path: [...path, id] }, rest, () => undefined)
}

function markOf({ path, line, level, title, message }: ReviewAnnotation) {
  return {
    path,
    start_line: Math.max(line, 1),
    end_line: Math.max(line, 1),
    annotation_level: level === 'error' ? 'failure' : level,
    ...(title !== '' && { title: title.slice(0, 255) }),
    message: message.slice(0, 60_000),
  }
}
