import { Stack, Text } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading } from '../../../components/loading.tsx'
import { YamlText } from '../../../components/yaml-text.tsx'
import type { ApplicationName } from '../application-name.ts'
import { t } from '../../../language/t.ts'

/** The text of all manifests on the hydrated branch now. */
export function ManifestsText({ name }: { name: ApplicationName }) {
  const manifests = useQuery(ApplicationService.method.getManifests, name)
  if (manifests.isPending) return <Loading />
  if (manifests.isLoadingError)
    return (
      <ErrorState
        title={t('The manifests cannot be read')}
        error={manifests.error}
        retry={() => void manifests.refetch()}
      />
    )
  const { manifest, hiddenSecrets } = manifests.data
  return (
    <Stack gap="xs">
      {hiddenSecrets > 0 && (
        <Text size="sm" c="dimmed">
          {t(
            'The values of {count, plural, one {# Secret} other {# Secrets}} are hidden; equal ones have equal digits.',
            { count: hiddenSecrets },
          )}
        </Text>
      )}
      <YamlText text={manifest} label={t('Manifests')} />
    </Stack>
  )
}
