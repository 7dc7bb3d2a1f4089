import { createClient } from '@connectrpc/connect'
import { useTransport } from '@connectrpc/connect-query'
import { ReviewService } from '@wadi/protocol/gen/wadi/api_gateway/v1/review_service_pb.ts'
import type {
  ApplicationChanges,
  ChangesSummary,
  Progress,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { useEffect, useState } from 'react'

/** A comparison as far as it has come. */
export interface Comparison {
  progress: Progress | undefined
  applications: readonly ApplicationChanges[]
  summary: ChangesSummary | undefined
  error: unknown
}

const nothing: Comparison = { progress: undefined, applications: [], summary: undefined, error: undefined }

/** Compares what the hydrated branches hold with what a dry revision would make of them. */
export function useComparison(repoUrl: string, revision: string): Comparison {
  const transport = useTransport()
  const [comparison, setComparison] = useState(nothing)
  useEffect(() => {
    const ended = new AbortController()
    const compare = async () => {
      setComparison(nothing)
      const parts = createClient(ReviewService, transport).compareRevisions(
        { repoUrl, revision },
        { signal: ended.signal },
      )
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
  }, [transport, repoUrl, revision])
  return comparison
}

/** A large Application comes in several parts. */
function joined(applications: readonly ApplicationChanges[], next: ApplicationChanges): ApplicationChanges[] {
  const last = applications.at(-1)
  if (last?.namespace !== next.namespace || last.name !== next.name) return [...applications, next]
  return [...applications.slice(0, -1), { ...last, objects: [...last.objects, ...next.objects] }]
}
