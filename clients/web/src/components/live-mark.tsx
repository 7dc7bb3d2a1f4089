import { Group, Text } from '@mantine/core'
import { BroadcastIcon } from '@primer/octicons-react/BroadcastIcon'
import { SyncIcon } from '@primer/octicons-react/SyncIcon'
import type { StreamState } from '../server/live-stream.ts'
import { t } from '../language/t.ts'

const words: Record<StreamState, string> = {
  connecting: t('Connecting'),
  live: t('Live'),
  broken: t('Reconnecting'),
  cut: t('A proxy cuts the connection: raise its time limit (proxy-read-timeout)'),
}

/** Says whether the page follows the server. */
export function LiveMark({ state }: { state: StreamState }) {
  return (
    <Group gap={6} c="dimmed" role="status" wrap="nowrap" data-screen-only>
      {state === 'live' ? <BroadcastIcon /> : <SyncIcon />}
      <Text size="sm">{words[state]}</Text>
    </Group>
  )
}
