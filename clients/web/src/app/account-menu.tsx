import { Button, Menu, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { PersonIcon } from '@primer/octicons-react/PersonIcon'
import { SignOutIcon } from '@primer/octicons-react/SignOutIcon'
import { signOut, useCaller } from '../server/caller.ts'
import { markSessionEnded } from '../server/session.ts'
import { showError } from '../components/show-error.tsx'
import { t } from '../language/t.ts'

/** Shows the user and the way to sign out, or to sign in where everybody may look. */
export function AccountMenu() {
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
