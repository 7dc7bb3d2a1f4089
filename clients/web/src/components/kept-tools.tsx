import { Group, Stack, Text } from '@mantine/core'
import { InfoIcon } from '@primer/octicons-react/InfoIcon'
import type { KeptTool } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { toolTitle, toolVersionsText } from '../words/tool-title.ts'
import { isolatedText } from '../words/visible-text.ts'
import { PageLink } from './links.tsx'
import { t } from '../language/t.ts'

interface DrySource {
  repoUrl: string
  targetRevision: string
  isChart: boolean
}

interface KeptToolsProps {
  tools: readonly KeptTool[]
  /** The dry sources that they render. */
  sources: readonly DrySource[]
}

/** Says which versions made manifests beside the installation's own, and leads to what these would change; nothing when there are none. */
export function KeptTools({ tools, sources }: KeptToolsProps) {
  if (tools.length === 0) return null
  const own = Object.fromEntries(tools.map(({ name, ownVersion }) => [name, ownVersion]))
  const previewed = new Map(
    // Revisions of charts are not compared.
    sources.filter(({ isChart }) => !isChart).map((source) => [JSON.stringify(source), source]),
  )
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" role="note" aria-label={t('Versions of tools')}>
      <InfoIcon />
      <Stack gap={2} align="flex-start">
        {tools.map(({ name, version, ownVersion }) => (
          <Text key={name} size="sm">
            {t('Made with {tool} {version}. The installation’s own version is {ownVersion}.', {
              tool: toolTitle(name),
              version,
              ownVersion,
            })}
          </Text>
        ))}
        {Array.from(previewed, ([key, { repoUrl, targetRevision }]) => (
          <PageLink
            key={key}
            to="/impact"
            search={{
              repository: repoUrl,
              revision: ['', 'HEAD'].includes(targetRevision) ? undefined : targetRevision,
              ...own,
            }}
            size="sm"
          >
            {previewed.size > 1
              ? t('See what {tools} would change of {repository} at {revision}', {
                  tools: toolVersionsText(own),
                  repository: isolatedText(repoUrl),
                  revision: isolatedText(targetRevision),
                })
              : t('See what {tools} would change', { tools: toolVersionsText(own) })}
          </PageLink>
        ))}
      </Stack>
    </Group>
  )
}
