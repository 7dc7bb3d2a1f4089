import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@connectrpc/connect-query'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { firstRight, RightFields } from './right-fields.tsx'
import { t } from '../../language/t.ts'

/** Asks the policy what the caller may do. */
export function RightsTab() {
  const ask = useMutation(AccountService.method.canI)
  const form = useForm({ initialValues: firstRight })
  const { resource, action, subresource } = ask.variables ?? {}
  const asked = `${action} ${resource} ${subresource}`
  return (
    <Stack maw={860}>
      <Text size="sm" c="dimmed">
        {t('What you may do, by the policy in argocd-rbac-cm and the roles of the projects.')}
      </Text>
      <form onSubmit={form.onSubmit(({ object, ...right }) => ask.mutate({ ...right, subresource: object }))}>
        <Group align="flex-end">
          <RightFields form={form} />
          <Button type="submit" loading={ask.isPending}>
            {t('May I?')}
          </Button>
        </Group>
      </form>
      {ask.isError && <ErrorState title={t('The policy cannot be asked')} error={ask.error} />}
      {ask.data && (
        <Alert
          color={ask.data.value === 'yes' ? 'teal' : 'orange'}
          title={ask.data.value === 'yes' ? t('Yes') : t('No')}
          role="status"
        >
          {ask.data.value === 'yes'
            ? t('You may {right}.', { right: asked })
            : t('You may not {right}.', { right: asked })}
        </Alert>
      )}
    </Stack>
  )
}
