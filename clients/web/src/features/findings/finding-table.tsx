import { Text } from '@mantine/core'
import type { ApplicationFinding } from '@wadi/protocol/gen/wadi/api_gateway/v1/findings_pb.ts'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { ForgeLink } from '../../components/forge-links.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { PageLink } from '../../components/links.tsx'
import { SeverityBadge } from '../../components/severity-badge.tsx'
import { t } from '../../language/t.ts'

interface Row {
  finding: ApplicationFinding
  index: number
}

const columns: DataTableProps<Row>['columns'] = {
  [t('Finding')]: ({ finding }) => <Found finding={finding} />,
  [t('Severity')]: ({ finding }) => <SeverityBadge severity={finding.waiver ? 'waived' : finding.severity} />,
  [t('Application')]: ({ finding: { namespace, name, project } }) => (
    <>
      <PageLink to="/applications/$namespace/$name" params={{ namespace, name }} size="sm">
        {name}
      </PageLink>
      <Text size="xs" c="dimmed">
        {project}
      </Text>
    </>
  ),
  [t('Object')]: ({ finding: { object, field } }) =>
    object === '' && field === '' ? (
      ''
    ) : (
      <>
        <GivenText text={object} />
        <Text size="xs" c="dimmed" component="div">
          <GivenText text={field} />
        </Text>
      </>
    ),
  [t('Place')]: ({ finding }) => <Place finding={finding} />,
}

/** A page of findings. */
export function FindingTable({ findings }: { findings: readonly ApplicationFinding[] }) {
  return (
    <DataTable
      label={t('Findings')}
      rows={findings.map((finding, index) => ({ finding, index }))}
      // One object may have a finding twice, so that only its place in the list is its own.
      keyOf={({ index }) => String(index)}
      columns={columns}
    />
  )
}

function Found({ finding: { rule, message, waiver } }: { finding: ApplicationFinding }) {
  return (
    <>
      <Text size="sm" fw={600} component="div">
        <GivenText text={rule} />
      </Text>
      <Text size="sm" fw={400} component="div">
        <GivenText text={message} lang="en" />
      </Text>
      {waiver && (
        <Text size="xs" c="dimmed" fw={400} component="div">
          <GivenText
            text={t('waived by {owner} until {date}: {reason}', {
              owner: waiver.owner,
              date: waiver.expires,
              reason: waiver.reason,
            })}
          />
        </Text>
      )}
    </>
  )
}

/** Shows the file and line, else the directory, with a link to the forge. */
function Place({ finding: { file, line, path, repoUrl, drySha } }: { finding: ApplicationFinding }) {
  if (file === '')
    return (
      <>
        <GivenText text={path} />
        {path !== '' && (
          <ForgeLink
            repoUrl={repoUrl}
            place={{ directory: path, sha: drySha }}
            label={t('directory {name}', { name: path })}
          />
        )}
      </>
    )
  const shown = line > 0 ? `${file}:${line}` : file
  return (
    <>
      <GivenText text={shown} />
      <ForgeLink
        repoUrl={repoUrl}
        place={{ file, sha: drySha, line }}
        label={t('file {name}', { name: shown })}
      />
    </>
  )
}
