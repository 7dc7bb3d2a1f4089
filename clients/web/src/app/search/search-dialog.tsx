import { useQuery } from '@connectrpc/connect-query'
import { Combobox, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { SearchIcon } from '@primer/octicons-react/SearchIcon'
import { keepPreviousData, skipToken } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { SearchService } from '@wadi/protocol/gen/wadi/api_gateway/v1/search_service_pb.ts'
import { useEffect, useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { t } from '../../language/t.ts'
import { foundPages, type Hit, type HitGroup, hitsOf } from './hits.ts'
import { useOfferedSettings } from './use-offered-settings.ts'

const maxTextLength = 256

/** Finds Applications, objects, branches, repositories, sets, projects, commits and pages by a text, and opens the chosen one. */
export function SearchDialog({ close }: { close: () => void }) {
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const { groups, isFetching, error, retry } = useHits(typed.trim())
  const hits = groups.flatMap((group) => group.hits)
  const combobox = useCombobox({ opened: true, onOpenedChange: close })
  const { selectFirstOption } = combobox
  const listed = hits.map(({ key }) => key).join('\n')
  useEffect(() => {
    selectFirstOption()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- other hits have another first one
  }, [listed, selectFirstOption])
  const openHit = (key: string) => {
    const hit = hits.find((one) => one.key === key)
    close()
    if (hit) void router.navigate(hit.target)
  }
  return (
    <Dialog title={t('Search everything')} size="lg" yOffset="8vh" close={close}>
      <Combobox store={combobox} onOptionSubmit={openHit}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            aria-label={t('Search everything')}
            placeholder={t('Application, object, branch, repository, set, commit or page')}
            leftSection={<SearchIcon />}
            value={typed}
            maxLength={maxTextLength}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            data-autofocus
          />
        </Combobox.EventsTarget>
        <Text size="sm" c="dimmed" my="xs" role="status">
          {statusText(isFetching, hits.length)}
        </Text>
        {error && <ErrorState title={t('Nothing can be searched')} error={error} retry={retry} />}
        <Combobox.Options mah="55vh" style={{ overflowY: 'auto' }} aria-label={t('Found')}>
          {groups.map((group) => (
            <Combobox.Group key={group.label} label={group.label}>
              {group.hits.map((hit) => (
                <Combobox.Option key={hit.key} value={hit.key}>
                  <HitText hit={hit} />
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox>
    </Dialog>
  )
}

function statusText(isFetching: boolean, count: number): string {
  if (isFetching) return t('Searching')
  if (count === 0) return t('Nothing found')
  return t('{count, plural, one {# result} other {# results}}; the arrow keys choose, Enter opens', { count })
}

function HitText({ hit: { title, text } }: { hit: Hit }) {
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {title}
      {text !== '' && (
        <Text span size="xs" ml="xs">
          {text}
        </Text>
      )}
    </div>
  )
}

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
function useHits(typed: string): Hits {
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
