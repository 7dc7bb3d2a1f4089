import { Center, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { GetSignInMethodsResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { LanguageMenu } from '../../components/language-menu.tsx'
import { t } from '../../language/t.ts'
import { SignInForm } from './sign-in-form.tsx'

/** The page of everybody who is not signed in, whatever its path; the path is shown afterwards. */
export function SignInPage({ methods }: { methods: GetSignInMethodsResponse }) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={400}>
        <Group justify="center">
          <img src="/icon.svg" alt="" width={40} height={40} />
          <Title order={1}>Wadi</Title>
        </Group>
        <Paper withBorder p="xl">
          <SignInForm username="" methods={methods} />
        </Paper>
        <Text size="sm" c="dimmed" ta="center">
          {t.rich(
            'The first account is <code>admin</code>. Where the gateway runs, <code>wadi admin initial-password</code> prints its password; add <code>--data DIRECTORY</code> when it was started with one.',
            { code: <Code /> },
          )}
        </Text>
        <Group justify="center">
          <LanguageMenu />
        </Group>
      </Stack>
    </Center>
  )
}
