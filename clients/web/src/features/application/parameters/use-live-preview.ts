import { useQuery } from '@connectrpc/connect-query'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { SourceName } from '../application-name.ts'
import { changesOf, type ParameterEdits } from './parameter-edits.ts'

/** Wait after the last key, in milliseconds. */
const typingPause = 500

/** The effect of the edits so far, asked for when nothing is typed for a moment; what is typed on cancels the question. */
export function useLivePreview(name: SourceName, edits: ParameterEdits, isValid: boolean) {
  const [asked] = useDebouncedValue(edits, typingPause)
  const isAsked = asked === edits && isValid && edits.size > 0
  const answer = useQuery(
    ApplicationService.method.previewParameters,
    { ...name, changes: changesOf(asked) },
    { enabled: isAsked, gcTime: 0, retry: false, placeholderData: keepPreviousData },
  )
  return {
    answer,
    hasEdits: edits.size > 0,
    isValid,
    isCurrent: isAsked && !answer.isFetching,
  }
}

export type LivePreview = ReturnType<typeof useLivePreview>
