import { Drawer, Stack, Text } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { GetObjectResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { ForgeLink } from '../../../components/forge-links.tsx'
import { GivenText } from '../../../components/given-text.tsx'
import { useFocusReturn } from '../../../components/use-focus-return.ts'
import { Loading } from '../../../components/loading.tsx'
import { YamlText } from '../../../components/yaml-text.tsx'
import { visibleText } from '../../../words/visible-text.ts'
import type { ApplicationName } from '../application-name.ts'
import type { ApplicationState } from '../application-state.ts'
import { ObjectOrigin } from './object-origin.tsx'
import { objectOfKey } from './object-search.ts'
import { t } from '../../../language/t.ts'

interface ObjectDrawerProps {
  name: ApplicationName
  state: ApplicationState
  hydratedSha: string
  /** As the address names it. */
  object: string
  close: () => void
}

/** Shows one object beside the list: its text, where it is, and what made it. */
export function ObjectDrawer({ name, state, hydratedSha, object, close }: ObjectDrawerProps) {
  useFocusReturn()
  const identity = objectOfKey(object)
  const answer = useQuery(
    ApplicationService.method.getObject,
    { ...name, hydratedSha, ...(identity && { object: identity }) },
    // A commit does not change.
    { staleTime: Infinity, retry: false },
  )
  const title = [identity?.kind, identity?.name].join(' ')
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="xl"
      title={visibleText(title)}
      closeButtonProps={{ 'aria-label': t('Close the dialog') }}
    >
      {answer.isPending && <Loading />}
      {answer.isError && (
        <ErrorState
          title={t('The object cannot be shown')}
          error={answer.error}
          retry={() => void answer.refetch()}
        />
      )}
      {answer.data && (
        <Stack>
          <Shown answer={answer.data} label={title} repoUrl={state.hydratedRepoUrl} />
          {identity && <ObjectOrigin {...name} hydratedSha={hydratedSha} object={identity} />}
        </Stack>
      )}
    </Drawer>
  )
}

function Shown({ answer, label, repoUrl }: { answer: GetObjectResponse; label: string; repoUrl: string }) {
  const { object, hydratedSha, yaml, leftOut } = answer
  const { identity, file = '', line = 0, version = '' } = object ?? {}
  const group = identity?.group ? `${identity.group}/${version}` : version
  const place = `${file}:${line}`
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" component="div">
        <GivenText text={[group, identity?.namespace].filter(Boolean).join(', ')} />
      </Text>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        <GivenText text={place} />
        <ForgeLink
          repoUrl={repoUrl}
          place={{ file, sha: hydratedSha, line }}
          label={t('file {name}', { name: place })}
        />
      </Text>
      <YamlText text={yaml.trimEnd()} label={label} />
      {leftOut > 0 && (
        <Text size="sm" c="dimmed">
          {t('and {count, plural, one {# more character} other {# more characters}}', { count: leftOut })}
        </Text>
      )}
    </Stack>
  )
}
