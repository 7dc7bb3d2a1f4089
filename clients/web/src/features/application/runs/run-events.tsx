import { Stack, Title } from '@mantine/core'
import type { RunEvent } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import { Age } from '../../../components/age.tsx'
import { DataTable, type DataTableProps } from '../../../components/data-table.tsx'
import { GivenText } from '../../../components/given-text.tsx'

interface Row {
  event: RunEvent
  index: number
}

const columns: DataTableProps<Row>['columns'] = {
  Event: ({ event }) => <GivenText text={event.reason} />,
  Type: ({ event }) => event.type,
  Age: ({ event }) => <Age time={event.at} />,
  'What happened': ({ event }) => <GivenText text={event.note} />,
}

/** The events of a run, as Kubernetes Events have them; nothing without events. */
export function RunEvents({ events }: { events: readonly RunEvent[] }) {
  if (events.length === 0) return null
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Events
      </Title>
      <DataTable
        label="Events"
        rows={events.map((event, index) => ({ event, index }))}
        keyOf={({ index }) => String(index)}
        columns={columns}
      />
    </Stack>
  )
}
