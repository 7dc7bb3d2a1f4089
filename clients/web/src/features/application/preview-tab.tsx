import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { skipToken } from '@tanstack/react-query'
import { useQuery } from '@connectrpc/connect-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { PageLink } from '../../components/links.tsx'
import { Loading } from '../../components/loading.tsx'
import { TextDiff } from '../../components/text-diff.tsx'
import type { ApplicationState } from './application-state.ts'
import type { ApplicationName } from './application-name.ts'

const route = getRouteApi('/applications/$namespace/$name')

/** Shows the changes of the manifests by another dry revision, such as the branch of a pull request; nothing is written. */
export function PreviewTab({ name, state }: { name: ApplicationName; state: ApplicationState }) {
  const { revision } = route.useSearch()
  const navigate = route.useNavigate()
  const form = useForm({ initialValues: { revision: revision ?? state.targetRevision } })
  const show = form.onSubmit((values) => {
    void navigate({ search: (before) => ({ ...before, revision: values.revision.trim() || undefined }) })
  })
  return (
    <Stack>
      <form onSubmit={show}>
        <Group align="flex-end">
          <TextInput
            label="Dry revision"
            description="A branch, a tag or a commit of the dry repository"
            miw={280}
            {...form.getInputProps('revision')}
          />
          <Button type="submit">Preview</Button>
        </Group>
      </form>
      {revision !== undefined && (
        <>
          <Preview key={revision} name={name} revision={revision} />
          <PageLink to="/impact" search={{ repository: state.sources[0]?.repoUrl, revision }} size="sm">
            What it would change of all Applications of the repository
          </PageLink>
        </>
      )}
    </Stack>
  )
}

function Preview({ name, revision }: { name: ApplicationName; revision: string }) {
  const current = useQuery(ApplicationService.method.getManifests, name, { retry: false })
  const rendered = useQuery(
    ApplicationService.method.getManifests,
    revision === '' ? skipToken : { ...name, dryRevision: revision },
  )
  if (rendered.isPending || current.isPending) return <Loading />
  if (rendered.isError)
    return (
      <ErrorState
        title={`${revision} cannot be rendered`}
        error={rendered.error}
        retry={() => void rendered.refetch()}
      />
    )
  const [before, after] = [current.data?.manifest ?? '', rendered.data.manifest]
  if (before === after)
    return <Alert title="No changes">{`The manifests of ${revision} are those on the branch.`}</Alert>
  return (
    <Stack gap="xs">
      <Text size="sm">Rendered from {rendered.data.drySha.slice(0, 7)}; nothing is written.</Text>
      <TextDiff before={before} after={after} labels={['On the branch now', `Rendered from ${revision}`]} />
    </Stack>
  )
}
