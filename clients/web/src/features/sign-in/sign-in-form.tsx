import { Button, Divider, Stack } from '@mantine/core'
import { KeyIcon } from '@primer/octicons-react/KeyIcon'
import type { GetSignInMethodsResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { PasswordForm } from './password-form.tsx'
import { t } from '../../language/t.ts'

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
