import { AppShell, Burger, Button, Group, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { AppsIcon } from '@primer/octicons-react/AppsIcon'
import { GearIcon } from '@primer/octicons-react/GearIcon'
import { GitBranchIcon } from '@primer/octicons-react/GitBranchIcon'
import { PersonIcon } from '@primer/octicons-react/PersonIcon'
import { ShieldIcon } from '@primer/octicons-react/ShieldIcon'
import { SignOutIcon } from '@primer/octicons-react/SignOutIcon'
import { StackIcon } from '@primer/octicons-react/StackIcon'
import { TelescopeIcon } from '@primer/octicons-react/TelescopeIcon'
import { WorkflowIcon } from '@primer/octicons-react/WorkflowIcon'
import { useMutation } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LanguageMenu } from '../components/language-menu.tsx'
import { PageNavLink } from '../components/links.tsx'
import { showError } from '../components/show-error.tsx'
import { t } from '../language/t.ts'
import { signOut, useCaller } from '../server/caller.ts'
import { markSessionEnded } from '../server/session.ts'
import { SearchButton } from './search/search-button.tsx'
import { ColorSchemeButton } from './color-scheme-button.tsx'
import classes from './console-shell.module.css'

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

/** Shows the user and the way to sign out, or to sign in where everybody may look. */
function AccountMenu() {
  const { data: caller } = useCaller()
  const leave = useMutation({
    mutationFn: signOut,
    onError: (error) => showError(t('You are still signed in'), error),
  })
  if (caller?.signedIn === false)
    return (
      <Button variant="default" onClick={markSessionEnded}>
        {t('Sign in')}
      </Button>
    )
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" px="sm" maw={180} aria-label={caller?.username}>
          <PersonIcon />
          <Text span inherit truncate ms="xs" visibleFrom="xs">
            {caller?.username}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label hiddenFrom="xs">{caller?.username}</Menu.Label>
        <Menu.Item leftSection={<SignOutIcon />} onClick={() => leave.mutate()}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const entries = [
  { to: '/applications', label: t('Applications'), Icon: AppsIcon },
  { to: '/environments', label: t('Environments'), Icon: WorkflowIcon },
  { to: '/branches', label: t('Branches'), Icon: GitBranchIcon },
  { to: '/findings', label: t('Findings'), Icon: ShieldIcon },
  { to: '/application-sets', label: t('ApplicationSets'), Icon: StackIcon },
  { to: '/impact', label: t('Impact'), Icon: TelescopeIcon },
  { to: '/settings', label: t('Settings'), Icon: GearIcon },
] as const

/** The ways to the pages. */
function Navigation() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return entries.map(({ to, label, Icon }) => {
    const isHere = path === to || path.startsWith(`${to}/`)
    return (
      <PageNavLink
        key={to}

        to={to}
        label={label}
        leftSection={<Icon />}
        active={isHere}
        aria-current={isHere ? 'page' : undefined}
      />
    )
  })
}
