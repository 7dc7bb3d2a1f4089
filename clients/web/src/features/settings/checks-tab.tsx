import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { DiagnosticsService } from '@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts'
import type { Finding } from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'
import type { Protection } from '@wadi/protocol/gen/wadi/protections/v1/protections_pb.ts'
import { GivenText, serverText } from '../../components/given-text.tsx'
import { SettingsTable } from './settings-table.tsx'
import { t } from '../../language/t.ts'

/** Shows the server's own problems and the containment of renderers, with what to do about them. */
export function ChecksTab() {
  const answer = useQuery(DiagnosticsService.method.getDiagnostics, {})
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t(
            'Problems that the server finds in its own setup. wadi doctor --remote also tries the credentials of repositories.',
          )}
        </Text>
        <Button variant="default" loading={answer.isFetching} onClick={() => void answer.refetch()}>
          {t('Check again')}
        </Button>
      </Group>
      {answer.data && (
        <Findings
          findings={[...answer.data.findings, ...answer.data.services.flatMap(({ findings }) => findings)]}
        />
      )}
      {answer.data && (
        <Title order={2} size="h4">
          {t('Protections')}
        </Title>
      )}
      <SettingsTable<Protection>
        what={t('The checks')}
        answer={answer}
        rows={answer.data?.protections}
        keyOf={({ name }) => name}
        empty={t('They are not known while no repo-server answers.')}
        columns={{
          [t('Protection of')]: ({ name }) => serverText(name),
          [t('Active')]: ({ active }) => (active ? t('yes') : t('no')),
          [t('By, or why not and what to do')]: explanation,
        }}
      />
    </Stack>
  )
}

function explanation({ by, lacks, remedy }: Protection) {
  const facts = [by, lacks].filter((text) => text !== '')
  return (
    <Stack gap={2}>
      <GivenText text={facts.join('; ')} lang="en" />
      {remedy !== '' && (
        <Text size="sm" c="dimmed" lang="en">
          {remedy}
        </Text>
      )}
    </Stack>
  )
}

function AreaTitle({ title, area }: { title: string; area: string }) {
  return (
    <>
      {title}: <span lang="en">{area}</span>
    </>
  )
}

type ShownFinding = Pick<Finding, 'severity' | 'area' | 'message' | 'remedy'>

const looks: Record<string, { color: string; title: string }> = {
  error: { color: 'red', title: t('Error') },
  info: { color: 'blue', title: t('Information') },
}
const warningLook = { color: 'orange', title: t('Warning') }

function Findings({ findings }: { findings: readonly ShownFinding[] }) {
  if (findings.length === 0)
    return (
      <Alert color="teal" icon={<CheckCircleIcon />} title={t('No problems')}>
        {t('Policy, sign-in, plugins and repo-server are as they should be.')}
      </Alert>
    )
  const unique = new Map(findings.map((finding) => [`${finding.area} ${finding.message}`, finding]))
  return [...unique].map(([key, { severity, area, message, remedy }]) => {
    const { color, title } = looks[severity] ?? warningLook
    return (
      <Alert key={key} color={color} icon={<AlertIcon />} title={<AreaTitle title={title} area={area} />}>
        <Text size="sm" lang="en" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        {remedy !== '' && (
          <Text size="sm" c="dimmed" lang="en" style={{ overflowWrap: 'anywhere' }}>
            {remedy}
          </Text>
        )}
      </Alert>
    )
  })
}
