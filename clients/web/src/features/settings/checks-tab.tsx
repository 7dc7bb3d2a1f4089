import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { DiagnosticsService } from '@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts'
import type { Finding } from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'
import type { Protection } from '@wadi/protocol/gen/wadi/protections/v1/protections_pb.ts'
import { SettingsTable } from './settings-table.tsx'

/** Shows the server's own problems and the containment of renderers, with what to do about them. */
export function ChecksTab() {
  const answer = useQuery(DiagnosticsService.method.getDiagnostics, {})
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Problems that the server finds in its own setup. wadi doctor --remote also tries the credentials of
          repositories.
        </Text>
        <Button variant="default" loading={answer.isFetching} onClick={() => void answer.refetch()}>
          Check again
        </Button>
      </Group>
      {answer.data && (
        <Findings
          findings={[...answer.data.findings, ...answer.data.services.flatMap(({ findings }) => findings)]}
        />
      )}
      {answer.data && (
        <Title order={2} size="h4">
          Protections
        </Title>
      )}
      <SettingsTable<Protection>
        what="The checks"
        answer={answer}
        rows={answer.data?.protections}
        keyOf={({ name }) => name}
        empty="They are not known while no repo-server answers."
        columns={{
          'Protection of': ({ name }) => name,
          Active: ({ active }) => (active ? 'yes' : 'no'),
          'By, or why not and what to do': explanation,
        }}
      />
    </Stack>
  )
}

function explanation({ by, lacks, remedy }: Protection) {
  const facts = [by, lacks].filter((text) => text !== '')
  return (
    <Stack gap={2}>
      {facts.join('; ')}
      {remedy !== '' && (
        <Text size="sm" c="dimmed">
          {remedy}
        </Text>
      )}
    </Stack>
  )
}

type ShownFinding = Pick<Finding, 'severity' | 'area' | 'message' | 'remedy'>

const looks: Record<string, { color: string; title: string }> = {
  error: { color: 'red', title: 'Error' },
  info: { color: 'blue', title: 'Information' },
}
const warningLook = { color: 'orange', title: 'Warning' }

function Findings({ findings }: { findings: readonly ShownFinding[] }) {
  if (findings.length === 0)
    return (
      <Alert color="teal" icon={<CheckCircleIcon />} title="No problems">
        Policy, sign-in, plugins and repo-server are as they should be.
      </Alert>
    )
  const unique = new Map(findings.map((finding) => [`${finding.area} ${finding.message}`, finding]))
  return [...unique].map(([key, { severity, area, message, remedy }]) => {
    const { color, title } = looks[severity] ?? warningLook
    return (
      <Alert key={key} color={color} icon={<AlertIcon />} title={`${title}: ${area}`}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        {remedy !== '' && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {remedy}
          </Text>
        )}
      </Alert>
    )
  })
}
