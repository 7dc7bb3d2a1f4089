import { Code, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { skipToken } from '@tanstack/react-query'
import { FileDirectoryIcon } from '@primer/octicons-react/FileDirectoryIcon'
import { GitBranchIcon } from '@primer/octicons-react/GitBranchIcon'
import { RocketIcon } from '@primer/octicons-react/RocketIcon'
import { ToolsIcon } from '@primer/octicons-react/ToolsIcon'
import type { ApplicationBranches } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ReactNode } from 'react'
import { GivenText } from '../../components/given-text.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { DryCommitId } from '../../components/dry-commit-id.tsx'
import { ForgeLink } from '../../components/forge-links.tsx'
import { isolatedText } from '../../words/visible-text.ts'
import type { ApplicationState } from './application-state.ts'
import { OutsideLink } from '../../components/outside-link.tsx'
import { PageLink } from '../../components/links.tsx'
import { hydratorMetadata } from './hydrator-metadata.ts'
import classes from './hydration-drawing.module.css'
import type { ApplicationName } from './application-name.ts'
import { t } from '../../language/t.ts'

interface HydrationDrawingProps {
  name: ApplicationName
  state: ApplicationState
  branches: ApplicationBranches | undefined
}

/** Dry commit, what made manifests of it, and the commits that hold them, in the order of their making. */
export function HydrationDrawing({ name, state, branches }: HydrationDrawingProps) {
  return (
    <ol className={classes.steps} aria-label={t('From dry to hydrated')}>
      <Step icon={<FileDirectoryIcon />} title={t('Dry source')}>
        {state.sources.map((_source, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same source may be listed twice
          <Source key={index} state={state} index={index} />
        ))}
        <DryCommitId sha={state.drySha} repoUrl={state.dryRepoUrl} />
      </Step>
      <RenderedBy name={name} isHydrated={state.hydratedSha !== ''} />
      <Step icon={<GitBranchIcon />} title={state.hydrateTo === '' ? t('Hydrated to') : t('Staged on')}>
        <HydratedBranch state={state} branch={state.hydrateTo || state.syncBranch} />
        <Text size="sm" c="dimmed">
          {state.syncPath}
          <ForgeLink
            repoUrl={state.hydratedRepoUrl}
            place={{ directory: state.syncPath, sha: state.hydratedSha }}
            label={t('directory {name}', { name: state.syncPath })}
          />
        </Text>
        {state.syncRepoUrl !== '' && (
          <Text size="sm">{t('of {repository}', { repository: state.syncRepoUrl })}</Text>
        )}
        {state.hydratedSha === '' ? (
          <Text size="sm" c="dimmed">
            {t('nothing yet')}
          </Text>
        ) : (
          <CommitId sha={state.hydratedSha} label={t('hydrated commit')} repoUrl={state.hydratedRepoUrl} />
        )}
      </Step>
      {state.hydrateTo !== '' && (
        <Step icon={<RocketIcon />} title={t('Promoted to')}>
          <Group gap={2} wrap="nowrap">
            <Code>
              <GivenText text={state.syncBranch} />
            </Code>
            <BranchAtForge state={state} branch={state.syncBranch} />
          </Group>
          <Text size="sm" c="dimmed">
            {promotionText(branches)}
          </Text>
          {state.pullRequest !== '' && (
            <OutsideLink
              url={state.pullRequestUrl}
              words={t('pull request: {state}', { state: state.pullRequest })}
            />
          )}
          <DryCommitId sha={branches?.syncDrySha ?? ''} repoUrl={state.dryRepoUrl} />
        </Step>
      )}
    </ol>
  )
}

function Source({ state, index }: { state: ApplicationState; index: number }) {
  const source = state.sources[index]
  if (!source) return null
  return (
    <div>
      {source.repoUrl !== state.sources[index - 1]?.repoUrl && <Text size="sm">{source.repoUrl}</Text>}
      <Text size="sm" c="dimmed">
        {t.rich('<source></source> at <revision></revision>', {
          source: <GivenText text={source.path || t('files of {name}', { name: `$${source.ref}` })} />,
          revision: <GivenText text={source.targetRevision} />,
        })}
        <ForgeLink
          repoUrl={index === 0 ? state.dryRepoUrl : ''}
          place={{ directory: source.path, sha: state.drySha }}
          label={t('directory {name}', { name: source.path })}
        />
      </Text>
    </div>
  )
}

interface BranchProps {
  state: ApplicationState
  branch: string
}

/** A link to the page of the hydrated branch, and to that of its forge. */
function HydratedBranch({ state, branch }: BranchProps) {
  return (
    <Group gap={2} wrap="nowrap">
      <PageLink to="/branch" search={{ repository: state.hydratedRepoUrl, branch }} size="sm">
        <GivenText text={branch} />
      </PageLink>
      <BranchAtForge state={state} branch={branch} />
    </Group>
  )
}

function BranchAtForge({ state, branch }: BranchProps) {
  return (
    <ForgeLink
      repoUrl={state.hydratedRepoUrl}
      place={{ branch }}
      label={t('branch {name}', { name: branch })}
    />
  )
}

/** The tool with its version, the command that gives the same, and how many parameters decided. */
function RenderedBy({ name, isHydrated }: { name: ApplicationName; isHydrated: boolean }) {
  const parameters = useQuery(ApplicationService.method.getParameters, name)
  const manifests = useQuery(ApplicationService.method.getManifests, isHydrated ? name : skipToken)
  const { tools, commands, decided } = hydratorMetadata(manifests.data?.metadata ?? '')
  const { renderer = '', plugin = '', parameters: known = [] } = parameters.data ?? {}
  const changed = known.filter(({ value }) => value !== undefined).length
  return (
    <Step icon={<ToolsIcon />} title={t('Rendered by')}>
      <Text size="sm">
        {tools.join(', ') ||
          plugin ||
          renderer ||
          (parameters.isError ? t('not known: the source cannot be read') : '…')}
      </Text>
      {commands.map((command) => (
        <Code key={command}>
          <GivenText text={command} />
        </Code>
      ))}
      <PageLink to="/applications/$namespace/$name" params={name} search={{ tab: 'parameters' }} size="sm">
        {known.length === 0 && decided.length > 0
          ? t('{count, plural, one {# value of its files} other {# values of its files}}', {
              count: decided.length,
            })
          : changed === 0
            ? t('the defaults of the source')
            : t('{count, plural, one {# parameter set} other {# parameters set}}', { count: changed })}
      </PageLink>
    </Step>
  )
}

function promotionText(branches: ApplicationBranches | undefined): string {
  if (branches === undefined) return ''
  if (branches.error !== '') return t('cannot be read: {reason}', { reason: isolatedText(branches.error) })
  return branches.promotion === 'Promoted' ? t('holds the same manifests') : t('waits for a promotion')
}

function Step({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Paper component="li" withBorder p="md" className={classes.step ?? ''}>
      <Stack gap={6} align="flex-start">
        <Group gap="xs" c="dimmed">
          {icon}
          <Text size="sm" fw={600}>
            {title}
          </Text>
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
