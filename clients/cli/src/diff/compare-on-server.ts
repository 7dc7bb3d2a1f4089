import { Code, ConnectError } from '@connectrpc/connect'
import { addPortion } from '@wadi/changes/applications/portions.ts'
import type { ApplicationChanges, ChangesSummary } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { ServerConnection } from '../connection/server-connection.ts'
import { proxyAdvice } from '../connection/stream-cuts.ts'
import type { ComparedRevisions, Comparison } from './comparison.ts'
import type { ComparisonProgress } from './comparison-progress.ts'

/** The codes of a stream without an end. */
const cutCodes: ReadonlySet<Code> = new Set([Code.Aborted, Code.Internal, Code.InvalidArgument, Code.Unknown])

/** A comparison renders at most what a first hydration does, in milliseconds. */
const timeoutMs = 30 * 60_000

/** Has the server compare two dry revisions, or one with what the branches hold. */
export async function compareOnServer(
  reviews: ServerConnection<'reviews'>['reviews'],
  { applications: names, tools, ...named }: ComparedRevisions,
  progress: ComparisonProgress,
  signal: AbortSignal,
): Promise<Comparison> {
  const applications: ApplicationChanges[] = []
  let summary: ChangesSummary | undefined
  const request = { ...named, tools: { ...tools }, applications: [...names] }
  const startedAt = performance.now()
  try {
    for await (const { message } of reviews.compareRevisions(request, { signal, timeoutMs })) {
      if (message.case === 'progress') progress.show(message.value)
      if (message.case === 'application') addPortion(applications, message.value)
      // Leaving the loop would not end the call.
      if (message.case === 'summary') summary = message.value
    }
  } catch (cause) {
    const isCut = cause instanceof ConnectError && !cause.isWireError && cutCodes.has(cause.code)
    if (!isCut || signal.aborted) throw cause
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    const message = `the connection was cut ${seconds} s after the comparison began (${cause.rawMessage}); if that is always so, ${proxyAdvice}`
    throw new CommandFailure(message, undefined, { cause })
  }
  if (summary) return { applications, summary }
  throw new CommandFailure('the server ended the comparison without a summary; try again')
}
