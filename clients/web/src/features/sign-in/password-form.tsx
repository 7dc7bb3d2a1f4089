import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@connectrpc/connect-query'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { useState } from 'react'
import { useCallerChange } from '../../server/caller.ts'
import { ErrorText } from '../../components/error-text.tsx'
import { t } from '../../language/t.ts'

/** Asks for the name of an account, which may be known, and its password. */
export function PasswordForm(known: { username: string }) {
  const onSuccess = useCallerChange()
  const signIn = useMutation(SessionService.method.create, { onSuccess })
  const [username, setUsername] = useState(known.username)
  const [password, setPassword] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate({ username, password, token: '' })
      }}
    >
      <Stack>
        {signIn.isError && (
          <Alert color="red" title={t('Not signed in')} role="alert">
            <ErrorText error={signIn.error} />
          </Alert>
        )}
        <TextInput
          label={t('Account')}
          autoComplete="username"
          required
          withAsterisk={false}
          value={username}
          onChange={({ currentTarget }) => setUsername(currentTarget.value)}
        />
        <PasswordInput
          label={t('Password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          {...(known.username !== '' && { 'data-autofocus': true })}
        />
        <Button type="submit" loading={signIn.isPending}>
          {t('Sign in')}
        </Button>
      </Stack>
    </form>
  )
}
