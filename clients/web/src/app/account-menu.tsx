import { Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { PersonIcon } from '@primer/octicons-react/PersonIcon'
import { SignOutIcon } from '@primer/octicons-react/SignOutIcon'
import { notifications } from '@mantine/notifications'
import { signOut, useCaller } from '../server/caller.ts'
import { markSessionEnded } from '../server/session.ts'
import { errorText } from '../words/error-text.ts'

/** Shows the user and the way to sign out, or to sign in where everybody may look. */
export function AccountMenu() {
  const { data: caller } = useCaller()
  const leave = useMutation({
    mutationFn: signOut,
    onError: (error) =>
      notifications.show({ title: 'You are still signed in', message: errorText(error), color: 'red' }),
  })
  if (caller?.signedIn === false)
    return (
      <Button variant="default" onClick={markSessionEnded}>
        Sign in
      </Button>
    )
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<PersonIcon />} maw={180}>
          {caller?.username}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<SignOutIcon />} onClick={() => leave.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
