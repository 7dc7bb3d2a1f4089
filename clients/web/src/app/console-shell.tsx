import { AppShell, Burger, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { AccountMenu } from './account-menu.tsx'
import { ColorSchemeButton } from './color-scheme-button.tsx'
import { LanguageMenu } from '../components/language-menu.tsx'
import classes from './console-shell.module.css'
import { Navigation } from './navigation.tsx'
import { SearchButton } from './search/search-button.tsx'
import { t } from '../language/t.ts'

/** The frame of every page: the name, the links to other pages and the account. */
export function ConsoleShell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(close, [path, close])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#page">
        {t('Skip to the page')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('Navigation')} />
            <Link to="/applications" className={classes.home}>
              <img src="/icon.svg" alt="" width={28} height={28} />
              <Text fw={700} size="lg">
                Wadi
              </Text>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchButton />
            <ColorSchemeButton />
            <LanguageMenu />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={t('Pages')}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}
