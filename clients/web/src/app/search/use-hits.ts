import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@connectrpc/connect-query'
import { keepPreviousData, skipToken } from '@tanstack/react-query'
import { SearchService } from '@wadi/protocol/gen/wadi/api_gateway/v1/search_service_pb.ts'
import { foundPages, type HitGroup, hitsOf } from './hits.ts'
import { useOfferedSettings } from './use-offered-settings.ts'
import { t } from '../../language/t.ts'

const typingPauseMs = 120

/** The things that a text finds. */
interface Hits {
  groups: readonly HitGroup[]
  /** True while the server is asked. */
  isFetching: boolean
  /** The error of asking the server; null for none. */
  error: Error | null
  retry: () => void
}

/** Finds things by a text, a moment after it was typed, and pages at once; of no text all pages. */
export function useHits(typed: string): Hits {
  const [text] = useDebouncedValue(typed, typingPauseMs)
  const isOffered = useOfferedSettings()
  const answer = useQuery(SearchService.method.search, text === '' ? skipToken : { text }, {
    placeholderData: keepPreviousData,
  })
  const pages = { label: t('Pages'), hits: foundPages(typed).filter(isOffered) }
  const found = typed === '' || !answer.data ? [] : hitsOf(answer.data)
  return {
    groups: [...found, pages].filter(({ hits }) => hits.length > 0),
    isFetching: typed !== '' && (answer.isFetching || text !== typed),
    error: typed === '' ? null : answer.error,
    retry: () => void answer.refetch(),
  }
}
