import { Code, ConnectError, createClient } from '@connectrpc/connect'
import { useTransport } from '@connectrpc/connect-query'
import { ReviewService } from '@wadi/protocol/gen/wadi/api_gateway/v1/review_service_pb.ts'
import type {
  ApplicationChanges,
  ChangesSummary,
  Progress,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { useEffect, useState } from 'react'
import { useSessionEnded } from '../../server/session.ts'
import type { ComparedRevision } from './impact-search.ts'

/** A comparison as far as it has come. */
interface Comparison {
  progress: Progress | undefined
  applications: readonly ApplicationChanges[]
  summary: ChangesSummary | undefined
  error: unknown
}

/** A comparison that can be stopped and made again. */
interface ControlledComparison extends Comparison {
  isCancelled: boolean
  cancel: () => void
  restart: () => void
}

const nothing: Comparison = { progress: undefined, applications: [], summary: undefined, error: undefined }

/** Compares what the hydrated branches hold with what a dry revision would make of them; once more when a session that ended is taken up again. */
export function useComparison(compared: ComparedRevision): ControlledComparison {
  const transport = useTransport()
  const [comparison, setComparison] = useState(nothing)
  // Each object is another try.
  const [attempt, setAttempt] = useState({ isWanted: true })
  useEffect(() => {
    if (!attempt.isWanted) return undefined
    const ended = new AbortController()
    const compare = async () => {
      setComparison(nothing)
      const request = { ...compared, tools: { ...compared.tools } }
      const parts = createClient(ReviewService, transport).compareRevisions(request, { signal: ended.signal })
      for await (const { message } of parts) {
        if (message.case === 'progress') setComparison((before) => ({ ...before, progress: message.value }))
        if (message.case === 'summary') setComparison((before) => ({ ...before, summary: message.value }))
        if (message.case === 'application')
          setComparison((before) => ({ ...before, applications: joined(before.applications, message.value) }))
      }
    }
    compare().catch((error: unknown) => {
      if (!ended.signal.aborted) setComparison((before) => ({ ...before, error }))
    })
    return () => ended.abort()
  }, [transport, compared, attempt])
  const { error } = comparison
  const wasCutOff = error !== undefined && ConnectError.from(error).code === Code.Unauthenticated
  const hasEnded = useSessionEnded()
  if (wasCutOff && !hasEnded) {
    setComparison(nothing)
    setAttempt({ isWanted: true })
  }
  return {
    ...comparison,
    isCancelled: !attempt.isWanted,
    cancel: () => setAttempt({ isWanted: false }),
    restart: () => setAttempt({ isWanted: true }),
  }
}

/** A large Application comes in several parts. */
function joined(applications: readonly ApplicationChanges[], next: ApplicationChanges): ApplicationChanges[] {
  const last = applications.at(-1)
  if (last?.namespace !== next.namespace || last.name !== next.name) return [...applications, next]
  return [...applications.slice(0, -1), { ...last, objects: [...last.objects, ...next.objects] }]
}
