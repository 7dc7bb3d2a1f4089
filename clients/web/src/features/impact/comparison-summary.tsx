import { Alert, Code, Text } from '@mantine/core'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import type { ChangesSummary } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { toolVersionsText } from '../../words/tool-title.ts'
import { isolatedText, visibleText } from '../../words/visible-text.ts'
import type { ComparedRevision } from './impact-search.ts'
import { t } from '../../language/t.ts'

/** Returns what is compared in words: `HEAD with Helm 4.3.1`. @param sha the commit; left out when it is empty */
export function comparedName({ revision, tools }: ComparedRevision, sha = ''): string {
  const commit = sha === '' || sha === revision ? revision : `${revision} (${sha.slice(0, 7)})`
  const versions = toolVersionsText(tools)
  return visibleText(versions === '' ? commit : t('{commit} with {tools}', { commit, tools: versions }))
}

interface ComparisonSummaryProps {
  compared: ComparedRevision
  summary: ChangesSummary
}

/** Says how many branches and Applications would change, and with versions that were tried out how git chooses them. */
export function ComparisonSummary({ compared, summary }: ComparisonSummaryProps) {
  const { changed, added, removed, failed, unchanged, branches, hidden, elsewhere, target } = summary
  const counts = [
    t('{count, number} changed', { count: changed }),
    t('{count, number} added', { count: added }),
    t('{count, number} removed', { count: removed }),
    t('{count, number} failed', { count: failed }),
    t('{count, number} unchanged', { count: unchanged }),
  ]
  const others = [
    hidden > 0 ? t('Not compared, as you may not see them: {count, number}.', { count: hidden }) : '',
    elsewhere > 0
      ? t('Not compared, as they follow another revision than {revision}: {count, number}.', {
          revision: isolatedText(target),
          count: elsewhere,
        })
      : '',
  ]
  const versions = Object.entries(compared.tools).map(([name, version]) => `${name}: ${version}`)
  return (
    <Alert
      color={failed > 0 ? 'red' : 'teal'}
      icon={failed > 0 ? <XCircleIcon /> : <CheckCircleIcon />}
      title={
        branches === 0
          ? t('No branch would change')
          : t('{count, plural, one {# branch would change} other {# branches would change}}', {
              count: branches,
            })
      }
    >
      <Text size="sm">
        {t('Applications: {counts}.', { counts: counts.join(', ') })} {others.join(' ')}
      </Text>
      <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {t('Compared with what the branches hold: {commit}.', {
          commit: comparedName(compared, summary.revisionSha),
        })}
      </Text>
      {versions.length > 0 && (
        <Text size="sm" mt={4}>
          {t.rich(
            '<code>{setting}</code> in <code>wadi.yaml</code> at the root of the repository chooses {tools}.',
            {
              setting: `tools: {${versions.join(', ')}}`,
              tools: toolVersionsText(compared.tools),
              code: <Code />,
            },
          )}
        </Text>
      )}
    </Alert>
  )
}
