import { Alert, Code, Text } from '@mantine/core'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import type { ChangesSummary } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { counted } from '../../words/counted.ts'
import { toolVersionsText } from '../../words/tool-title.ts'
import { isolatedText, visibleText } from '../../words/visible-text.ts'
import type { ComparedRevision } from './impact-search.ts'

/** Returns what is compared in words: `HEAD with Helm 4.3.1`. @param sha the commit; left out when it is empty */
export function comparedName({ revision, tools }: ComparedRevision, sha = ''): string {
  const commit = sha === '' || sha === revision ? revision : `${revision} (${sha.slice(0, 7)})`
  return visibleText([commit, toolVersionsText(tools)].filter(Boolean).join(' with '))
}

interface ComparisonSummaryProps {
  compared: ComparedRevision
  summary: ChangesSummary
}

/** Says how many branches and Applications would change, and with versions that were tried out how git chooses them. */
export function ComparisonSummary({ compared, summary }: ComparisonSummaryProps) {
  const { changed, added, removed, failed, unchanged, branches, hidden, elsewhere, target } = summary
  const counts = [
    `${changed} changed`,
    `${added} added`,
    `${removed} removed`,
    `${failed} failed`,
    `${unchanged} unchanged`,
  ]
  const others = [
    hidden > 0 ? `Not compared, as you may not see them: ${hidden}.` : '',
    elsewhere > 0
      ? `Not compared, as they follow another revision than ${isolatedText(target)}: ${elsewhere}.`
      : '',
  ]
  const versions = Object.entries(compared.tools).map(([name, version]) => `${name}: ${version}`)
  return (
    <Alert
      color={failed > 0 ? 'red' : 'teal'}
      icon={failed > 0 ? <XCircleIcon /> : <CheckCircleIcon />}
      title={
        branches === 0 ? 'No branch would change' : `${counted(branches, 'branch', 'branches')} would change`
      }
    >
      <Text size="sm">
        Applications: {counts.join(', ')}. {others.join(' ')}
      </Text>
      <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
        Compared with what the branches hold: {comparedName(compared, summary.revisionSha)}.
      </Text>
      {versions.length > 0 && (
        <Text size="sm" mt={4}>
          <Code>{`tools: {${versions.join(', ')}}`}</Code> in <Code>wadi.yaml</Code> at the root of the
          repository chooses {toolVersionsText(compared.tools)}.
        </Text>
      )}
    </Alert>
  )
}
