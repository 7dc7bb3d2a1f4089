import { PasswordInput, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { NewRepository } from './new-repository.ts'
import { t } from '../../../language/t.ts'

/** The fields of the chosen kind of credentials. */
export function CredentialFields({ form }: { form: UseFormReturnType<NewRepository> }) {
  if (form.values.credentials === 'none') return null
  if (form.values.credentials === 'password')
    return (
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('User')}
          autoComplete="off"
          description={t('Some servers take any for a token')}
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label={t('Password or token')}
          autoComplete="new-password"
          description={t('Stored by the server; never shown again')}
          {...form.getInputProps('password')}
        />
      </SimpleGrid>
    )
  return (
    <>
      <Textarea
        label={t('Private key')}
        description={t('As ssh-keygen writes it, without a passphrase')}
        autoComplete="off"
        spellCheck={false}
        rows={5}
        {...form.getInputProps('sshPrivateKey')}
      />
      <Textarea
        label={t('Host keys')}
        description={t('Lines of known_hosts; without them those that the server knows')}
        rows={2}
        {...form.getInputProps('sshKnownHosts')}
      />
    </>
  )
}
