import { Code, Stack, Text } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { Loading } from '../../components/loading.tsx'
import { t } from '../../language/t.ts'

/** The versions of the server. */
export function AboutTab() {
  const answer = useQuery(VersionService.method.getVersion, {})
  if (answer.isPending) return <Loading />
  if (answer.isLoadingError)
    return <ErrorState title={t('The version cannot be read')} error={answer.error} />
  const { version, nodeVersion, platform } = answer.data
  return (
    <Stack gap={4}>
      <Text>Wadi {version}</Text>
      <Text size="sm" c="dimmed">
        {t.rich('Node.js {version} on {platform}. Check the installation with: <code>wadi doctor</code>', {
          version: nodeVersion,
          platform,
          code: <Code />,
        })}
      </Text>
    </Stack>
  )
}
