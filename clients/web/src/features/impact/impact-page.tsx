import { Autocomplete, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@connectrpc/connect-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { ComparisonView } from './comparison-view.tsx'

const route = getRouteApi('/impact')

/** Shows the changes by a dry revision on all hydrated branches of its repository; nothing is written. */
export function ImpactPage() {
  const { repository, revision } = route.useSearch()
  const navigate = route.useNavigate()
  const choices = useQuery(ApplicationService.method.listApplicationChoices, {})
  const form = useForm({
    initialValues: { repository: repository ?? '', revision: revision ?? '' },
    validate: {
      repository: (value) => (value.trim() === '' ? 'Enter the URL of a dry repository' : null),
      revision: (value) => (value.trim() === '' ? 'Enter a branch, a tag or a commit' : null),
    },
  })
  const compare = form.onSubmit((values) => {
    void navigate({ search: { repository: values.repository.trim(), revision: values.revision.trim() } })
  })
  return (
    <Stack>
      <PageTitle title="Impact" />
      <Text size="sm" c="dimmed">
        Renders a dry revision, such as the branch of a pull request, for every Application of its repository,
        and compares the result with the hydrated branches. Nothing is written.
      </Text>
      <form onSubmit={compare} noValidate>
        <Group align="flex-start">
          <Autocomplete
            label="Dry repository"
            data={choices.data?.repositories ?? []}
            miw={280}
            flex={2}
            required
            {...form.getInputProps('repository')}
          />
          <TextInput
            label="Revision"
            placeholder="refs/pull/7/head"
            miw={200}
            flex={1}
            required
            {...form.getInputProps('revision')}
          />
          <Button type="submit" mt={25}>
            Compare
          </Button>
        </Group>
      </form>
      {repository !== undefined && revision !== undefined && (
        <ComparisonView key={`${repository} ${revision}`} repository={repository} revision={revision} />
      )}
    </Stack>
  )
}
