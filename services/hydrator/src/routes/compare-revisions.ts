import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { portionsOf } from '@wadi/changes/applications/portions.ts'
import { Places } from '@wadi/concurrency/places.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type {
  CompareRevisionsRequest,
  CompareRevisionsResponseSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { ComparisonProgress } from '../compare/compare.ts'
import { lanesByProject } from '../lanes/lane-of.ts'
import { RunPlaces } from '../lanes/run-places.ts'
import type { RunContext } from '../run/run-context.ts'

type Response = MessageInitShape<typeof CompareRevisionsResponseSchema>

/** Comparisons at a time, and the branches that they have rendered at a time: hydrations come first. */
const maxComparisons = 4
const maxRendering = 2

const maxApplications = 20_000
const progressMs = 250

/** Compares a dry revision with its base or with what the branches hold. */
export function compareRevisions(runs: RunContext) {
  const places = new Places(maxComparisons, 'comparing')
  const context = {
    ...runs,
    rendering: new RunPlaces(maxRendering, 'rendering for a comparison', lanesByProject('')),
  }
  return async function* (request: CompareRevisionsRequest, call: HandlerContext): AsyncGenerator<Response> {
    check(request)
    const progress: ComparisonProgress = { phase: 'resolve', done: 0, total: 0 }
    const ended = new AbortController()
    const signal = AbortSignal.any([call.signal, ended.signal])
    try {
      yield { message: { case: 'progress', value: { ...progress } } }
      using _ = await places.take(signal)
      const { compare } = await import('../compare/compare.ts')
      const comparing = compare(context, request, progress, signal)
      yield* progressUntil(comparing, progress)
      const { applications, summary } = await comparing
      for (const application of applications) {
        for (const value of portionsOf(application)) yield { message: { case: 'application', value } }
      }
      yield { message: { case: 'summary', value: summary } }
    } finally {
      ended.abort()
    }
  }
}

function check({ repoUrl, revision, applications }: CompareRevisionsRequest): void {
  if (repoUrl === '') throw new InvalidInputError('repoURL is required')
  if (revision === '') throw new InvalidInputError('revision is required')
  if (applications.length > maxApplications) {
    throw new InvalidInputError(
      `${applications.length} applications; at most ${maxApplications} are accepted`,
    )
  }
}

/** Yields the progress of work whenever it changed, a few times a second at most. */
async function* progressUntil(
  work: Promise<unknown>,
  progress: ComparisonProgress,
): AsyncGenerator<Response> {
  const over = work.then(
    () => true,
    () => true,
  )
  let last = JSON.stringify(progress)
  for (;;) {
    const tick = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => tick.resolve(false), progressMs)
    const isOver = await Promise.race([over, tick.promise])
    clearTimeout(timer)
    if (isOver) return
    const now = JSON.stringify(progress)
    if (now === last) continue
    last = now
    yield { message: { case: 'progress', value: { ...progress } } }
  }
}
