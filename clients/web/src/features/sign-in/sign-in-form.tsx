import { useMutation } from '@connectrpc/connect-query'
import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { KeyIcon } from '@primer/octicons-react/KeyIcon'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import type { GetSignInMethodsResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { useState } from 'react'
import { ErrorText } from '../../components/error-text.tsx'
import { t } from '../../language/t.ts'
import { useCallerChange } from '../../server/caller.ts'

interface SignInFormProps {
  username: string
  /** True to keep the page as it is while the provider is asked in another tab. */
  inOtherTab?: boolean
  methods: GetSignInMethodsResponse
}

/** Asks for name and password, or leads to the OpenID provider. */
export function SignInForm({ username, methods, inOtherTab = false }: SignInFormProps) {
  const { password, providerName, providerPath } = methods
  return (
    <Stack>
      {providerPath !== '' && (
        <Button
          component="a"
          href={providerAddress(providerPath, inOtherTab)}
          {...(inOtherTab && { target: '_blank', rel: 'noreferrer' })}
          variant="default"
          leftSection={<KeyIcon />}
        >
          {inOtherTab
            ? t('Sign in with {provider} in another tab', { provider: providerName })
            : t('Sign in with {provider}', { provider: providerName })}
        </Button>
      )}
      {providerPath !== '' && password && <Divider label={t('or')} />}
      {password && <PasswordForm username={username} />}
    </Stack>
  )
}

/** Returns the address at which a browser begins the sign-in at the provider, to come back to this page, or to the first one in another tab. */
function providerAddress(path: string, inOtherTab: boolean): string {
  const { pathname, search } = globalThis.location
  return `${path}?return_url=${encodeURIComponent(inOtherTab ? '/' : pathname + search)}`
}

/** Asks for the name of an account, which may be known, and its password. */
function PasswordForm(known: { username: string }) {
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
