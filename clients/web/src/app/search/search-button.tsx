import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { SearchIcon } from '@primer/octicons-react/SearchIcon'
import { Suspense } from 'react'
import { lazyPart } from '../../components/lazy-part.ts'
import { t } from '../../language/t.ts'

const Dialog = lazyPart(async () => (await import('./search-dialog.tsx')).SearchDialog)
const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
const keys = isApple ? '⌘ K' : 'Ctrl K'

/** Opens the search over everything, as Ctrl+K does on every page, also while something is edited. */
export function SearchButton() {
  const [isOpen, { open, close }] = useDisclosure()
  useHotkeys([['mod+K', open]], [], true)
  return (
    <>
      <Button
        variant="default"
        visibleFrom="xs"
        leftSection={<SearchIcon />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {keys}
          </Kbd>
        }
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onClick={open}
      >
        {t('Search')}
      </Button>
      <ActionIcon variant="default" size="lg" hiddenFrom="xs" aria-label={t('Search')} onClick={open}>
        <SearchIcon />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <Dialog close={close} />
        </Suspense>
      )}
    </>
  )
}
