import { Button, Group, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@connectrpc/connect-query'
import { PolicyService } from '@wadi/protocol/gen/wadi/api_gateway/v1/policy_service_pb.ts'
import { useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { firstRight, type Right, RightFields } from './right-fields.tsx'
import { Verdict } from './verdict.tsx'
import { t } from '../../language/t.ts'

interface Question extends Right {
  subject: string
  groups: string[]
}

/** Asks the policy what somebody else may do, and by which rule. */
export function PolicyTab() {
  const ask = useMutation(PolicyService.method.explainAccess)
  const [asked, setAsked] = useState<Question>()
  const form = useForm<Question>({
    initialValues: { subject: '', groups: [], ...firstRight },
    validate: { subject: (text) => (text.trim() === '' ? t('Who is required') : null) },
  })
  const send = (question: Question) => {
    const { subject, groups, resource, action, object } = question
    setAsked(question)
    ask.mutate({ subject: subject.trim(), groups, checks: [{ resource, action, object }] })
  }
  const [verdict] = ask.data?.verdicts ?? []
  return (
    <Stack maw={860}>
      <Text size="sm" c="dimmed">
        {t(
          'What anybody may do, by the policy in argocd-rbac-cm and the roles of the projects, and which rule decides.',
        )}
      </Text>
      <form onSubmit={form.onSubmit(send)} noValidate>
        <Stack gap="sm">
          <Group align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
            <TextInput
              label={t('Who')}
              description={t('A user, a role or a project role')}
              placeholder={t('ann, role:readonly or proj:web:ci')}
              miw={240}
              {...form.getInputProps('subject')}
            />
            <TagsInput
              label={t('Groups')}
              description={t('The groups of the user; Enter adds one')}
              miw={240}
              {...form.getInputProps('groups')}
            />
          </Group>
          <Group align="flex-end">
            <RightFields form={form} />
            <Button type="submit" loading={ask.isPending}>
              {t('Ask')}
            </Button>
          </Group>
        </Stack>
      </form>
      {ask.isError && <ErrorState title={t('The policy cannot be asked')} error={ask.error} />}
      {asked && verdict && <Verdict subject={asked.subject.trim()} right={asked} verdict={verdict} />}
    </Stack>
  )
}
