import { Combobox, Text, TextInput, useCombobox } from '@mantine/core'
import { SearchIcon } from '@primer/octicons-react/SearchIcon'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import type { Hit } from './hits.ts'
import { useHits } from './use-hits.ts'
import { t } from '../../language/t.ts'

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
