import { Stack, Text } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { Loading } from '../../components/loading.tsx'

/** The versions of the server. */
export function AboutTab() {
  const answer = useQuery(VersionService.method.getVersion, {})
  if (answer.isPending) return <Loading />
  if (answer.isLoadingError) return <ErrorState title="The version cannot be read" error={answer.error} />
  const { version, nodeVersion, platform } = answer.data
  return (
    <Stack gap={4}>
      <Text>Wadi {version}</Text>
      <Text size="sm" c="dimmed">
        Node.js {nodeVersion} on {platform}. Check the installation with: wadi doctor
      </Text>
    </Stack>
  )
}
