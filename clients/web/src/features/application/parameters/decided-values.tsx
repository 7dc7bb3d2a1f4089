import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { DataTable, type DataTableProps } from '../../../components/data-table.tsx'
import { counted } from '../../../words/counted.ts'
import type { ApplicationName, SourceName } from '../application-name.ts'
import { type DecidedValue, decidedValues, hydratorMetadata } from '../hydrator-metadata.ts'

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
  return <Values title="What decided the manifests" decided={decided} />
}

/** Where each value of one of several dry sources is written at its newest commit, as the record of the manifests has those of all together. */
export function ValuesOfSource({ name }: { name: SourceName }) {
  const { data } = useQuery(ApplicationService.method.getParameters, { ...name, explain: true })
  return (
    <Values
      title="Where the values of this source come from"
      decided={decidedValues(data?.explained ?? [])}
    />
  )
}

function Values({ title, decided }: { title: string; decided: readonly DecidedValue[] }) {
  if (decided.length === 0) return null
  const shown = Map.groupBy(decided.slice(0, maxShown), ({ of }) => of)
  return (
    <Stack component="section" aria-label={title}>
      <Title order={2} size="h4">
        {title}
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
