import { Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { PersonIcon } from '@primer/octicons-react/PersonIcon'
import { SignOutIcon } from '@primer/octicons-react/SignOutIcon'
import { useCaller } from '../server/caller.ts'
import { markSessionEnded } from '../server/session.ts'

/** Who is signed in, and the way out; the way in where everybody may look. */
export function AccountMenu() {
  const { data: caller } = useCaller()
  // The page is loaded afresh, so that nothing of the session stays in memory.
  const signOut = useMutation({
    mutationFn: () => fetch('/auth/logout', { method: 'POST' }),
    onSettled: () => globalThis.location.reload(),
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
        <Menu.Item leftSection={<SignOutIcon />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
