import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@connectrpc/connect-query'
import { KeyIcon } from '@primer/octicons-react/KeyIcon'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import type { GetSignInMethodsResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { useCallerChange } from '../../server/caller.ts'
import { errorText } from '../../words/error-text.ts'

interface SignInFormProps {
  username: string
  /** True to keep the page as it is while the provider is asked in another tab. */
  inOtherTab?: boolean
  methods: GetSignInMethodsResponse
}

/** Asks for name and password, or leads to the OpenID provider. */
export function SignInForm({ username, methods, inOtherTab = false }: SignInFormProps) {
  const onSuccess = useCallerChange()
  const signIn = useMutation(SessionService.method.create, { onSuccess })
  const form = useForm({
    initialValues: { username, password: '' },
    validate: {
      username: (value) => (value === '' ? 'Enter the name of your account' : null),
      password: (value) => (value === '' ? 'Enter your password' : null),
    },
  })
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
          Sign in with {providerName}
          {inOtherTab && ' in another tab'}
        </Button>
      )}
      {providerPath !== '' && password && <Divider label="or" />}
      {password && (
        <form onSubmit={form.onSubmit((values) => signIn.mutate({ ...values, token: '' }))} noValidate>
          <Stack>
            {signIn.isError && (
              <Alert color="red" title="Not signed in" role="alert">
                {errorText(signIn.error)}
              </Alert>
            )}
            <TextInput label="Account" autoComplete="username" {...form.getInputProps('username')} />
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              {...form.getInputProps('password')}
              {...(username !== '' && { 'data-autofocus': true })}
            />
            <Button type="submit" loading={signIn.isPending}>
              Sign in
            </Button>
          </Stack>
        </form>
      )}
    </Stack>
  )
}

/** Returns the address at which a browser begins the sign-in at the provider, to come back to this page, or to the first one in another tab. */
function providerAddress(path: string, inOtherTab: boolean): string {
  const { pathname, search } = globalThis.location
  return `${path}?return_url=${encodeURIComponent(inOtherTab ? '/' : pathname + search)}`
}
