import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { DataTable, type DataTableProps } from '../../../components/data-table.tsx'
import { counted } from '../../../words/counted.ts'
import type { ApplicationName } from '../application-name.ts'
import { type DecidedValue, hydratorMetadata } from '../hydrator-metadata.ts'

const maxShown = 200

const columns: DataTableProps<DecidedValue>['columns'] = {
  Value: ({ path }) => <span style={{ whiteSpace: path.length < 30 ? 'nowrap' : 'normal' }}>{path}</span>,
  Is: ({ value }) => (
    <Text ff="monospace" size="xs">
      {value}
    </Text>
  ),
  'Comes from': ({ from }) => from,
  'Instead of': ({ overrides }) => (overrides.length === 0 ? '' : <Overrides texts={overrides} />),
}

/** Where each value that decided the hydrated manifests is written, and what it won over, as the record beside them says. */
export function DecidedValues({ name }: { name: ApplicationName }) {
  const { data } = useQuery(ApplicationService.method.getManifests, name)
  const { decided } = hydratorMetadata(data?.metadata ?? '')
  if (decided.length === 0) return null
  const shown = Map.groupBy(decided.slice(0, maxShown), ({ of }) => of)
  return (
    <Stack component="section" aria-label="What decided the manifests">
      <Title order={2} size="h4">
        What decided the manifests
      </Title>
      {[...shown].map(([of, values]) => (
        <div key={of}>
          <Text size="sm" c="dimmed">
            {of}
          </Text>
          <DataTable label={of} rows={values} keyOf={({ path }) => path} columns={columns} />
        </div>
      ))}
      {decided.length > maxShown && (
        <Text size="sm" c="dimmed">
          and {counted(decided.length - maxShown, 'more value')}
        </Text>
      )}
    </Stack>
  )
}

function Overrides({ texts }: { texts: readonly string[] }) {
  return (
    <Stack gap={2}>
      {texts.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </Stack>
  )
}
