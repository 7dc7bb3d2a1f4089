import { Stack, Title } from '@mantine/core'
import type { RunEvent } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import { Age } from '../../../components/age.tsx'
import { DataTable, type DataTableProps } from '../../../components/data-table.tsx'
import { GivenText } from '../../../components/given-text.tsx'
import { t } from '../../../language/t.ts'

interface Row {
  event: RunEvent
  index: number
}

const columns: DataTableProps<Row>['columns'] = {
  [t('Event')]: ({ event }) => <GivenText text={event.reason} lang="en" />,
  [t('Type')]: ({ event }) => <GivenText text={event.type} lang="en" />,
  [t('Age')]: ({ event }) => <Age time={event.at} />,
  [t('What happened')]: ({ event }) => <GivenText text={event.note} lang="en" />,
}

/** The events of a run, as Kubernetes Events have them; nothing without events. */
export function RunEvents({ events }: { events: readonly RunEvent[] }) {
  if (events.length === 0) return null
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('Events')}
      </Title>
      <DataTable
        label={t('Events')}
        rows={events.map((event, index) => ({ event, index }))}
        keyOf={({ index }) => String(index)}
        columns={columns}
      />
    </Stack>
  )
}
