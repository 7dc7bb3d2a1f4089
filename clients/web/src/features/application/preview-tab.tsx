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
import { t } from '../../language/t.ts'

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
            label={t('Dry revision')}
            description={t('A branch, a tag or a commit of the dry repository')}
            miw={280}
            {...form.getInputProps('revision')}
          />
          <Button type="submit">{t('Preview')}</Button>
        </Group>
      </form>
      {revision !== undefined && (
        <>
          <Preview key={revision} name={name} revision={revision} />
          <PageLink to="/impact" search={{ repository: state.sources[0]?.repoUrl, revision }} size="sm">
            {t('What it would change of all Applications of the repository')}
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
        title={t('{name} cannot be rendered', { name: revision })}
        error={rendered.error}
        retry={() => void rendered.refetch()}
      />
    )
  const [before, after] = [current.data?.manifest ?? '', rendered.data.manifest]
  if (before === after)
    return (
      <Alert title={t('No changes')}>
        {t('The manifests of {revision} are those on the branch.', { revision })}
      </Alert>
    )
  return (
    <Stack gap="xs">
      <Text size="sm">
        {t('Rendered from {commit}; nothing is written.', { commit: rendered.data.drySha.slice(0, 7) })}
      </Text>
      <TextDiff
        before={before}
        after={after}
        labels={[t('On the branch now'), t('Rendered from {commit}', { commit: revision })]}
      />
    </Stack>
  )
}
