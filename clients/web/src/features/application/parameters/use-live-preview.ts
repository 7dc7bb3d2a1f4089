import { useQuery } from '@connectrpc/connect-query'
import { keepPreviousData } from '@tanstack/react-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { SourceName } from '../application-name.ts'
import { changesOf, type ParameterEdits } from './parameter-edits.ts'

/** Edits whose effect is shown. */
export interface AskedEdits {
  edits: ParameterEdits
  /** The edits at the last pause of the typing. */
  paused: ParameterEdits
  isValid: boolean
}

/** The effect of the edits so far, asked for when nothing is typed for a moment; what is typed on cancels the question. */
export function useLivePreview(name: SourceName, { edits, paused, isValid }: AskedEdits) {
  const isAsked = paused === edits && isValid
  const answer = useQuery(
    ApplicationService.method.previewParameters,
    { ...name, changes: changesOf(paused) },
    { enabled: isAsked, gcTime: 0, retry: false, placeholderData: keepPreviousData },
  )
  return { answer, isValid, isCurrent: isAsked && !answer.isFetching }
}

export type LivePreview = ReturnType<typeof useLivePreview>
