import { Group, Tooltip } from '@mantine/core'
import { GitCommitIcon } from '@primer/octicons-react/GitCommitIcon'
import { CommitId } from './commit-id.tsx'
import { PageLink } from './links.tsx'
import { t } from '../language/t.ts'

interface DryCommitIdProps {
  sha: string
  /** The dry repository; empty when nobody says which. */
  repoUrl: string
}

/** A dry commit id with links to what it changed and to its page of the forge; versions of charts have no page. */
export function DryCommitId({ sha, repoUrl }: DryCommitIdProps) {
  const id = <CommitId sha={sha} label={t('dry commit')} repoUrl={repoUrl} />
  if (repoUrl === '' || sha.length !== 40) return id
  return (
    <Group gap={2} wrap="nowrap" display="inline-flex">
      {id}
      <Tooltip label={t('Show what it changed')}>
        <PageLink
          to="/commit"
          search={{ repository: repoUrl, sha }}
          preload={false}
          size="sm"
          display="inline-flex"
          p={5}
          aria-label={t('dry commit {sha}: what it changed', { sha: sha.slice(0, 7) })}
        >
          <GitCommitIcon size={14} />
        </PageLink>
      </Tooltip>
    </Group>
  )
}
