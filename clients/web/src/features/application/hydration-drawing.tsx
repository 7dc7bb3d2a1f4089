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
import { counted } from '../../words/counted.ts'
import type { ApplicationState } from './application-state.ts'
import { OutsideLink } from '../../components/outside-link.tsx'
import { PageLink } from '../../components/links.tsx'
import { hydratorMetadata } from './hydrator-metadata.ts'
import classes from './hydration-drawing.module.css'
import type { ApplicationName } from './application-name.ts'

interface HydrationDrawingProps {
  name: ApplicationName
  state: ApplicationState
  branches: ApplicationBranches | undefined
}

/** Dry commit, what made manifests of it, and the commits that hold them, in the order of their making. */
export function HydrationDrawing({ name, state, branches }: HydrationDrawingProps) {
  return (
    <ol className={classes.steps} aria-label="From dry to hydrated">
      <Step icon={<FileDirectoryIcon />} title="Dry source">
        {state.sources.map((source, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same source may be listed twice
          <div key={index}>
            {source.repoUrl !== state.sources[index - 1]?.repoUrl && <Text size="sm">{source.repoUrl}</Text>}
            <Text size="sm" c="dimmed">
              <GivenText text={source.path || `files of $${source.ref}`} /> at{' '}
              <GivenText text={source.targetRevision} />
              <ForgeLink
                repoUrl={index === 0 ? state.dryRepoUrl : ''}
                place={{ directory: source.path, sha: state.drySha }}
                label={`directory ${source.path}`}
              />
            </Text>
          </div>
        ))}
        <DryCommitId sha={state.drySha} repoUrl={state.dryRepoUrl} />
      </Step>
      <RenderedBy name={name} isHydrated={state.hydratedSha !== ''} />
      <Step icon={<GitBranchIcon />} title={state.hydrateTo === '' ? 'Hydrated to' : 'Staged on'}>
        <HydratedBranch state={state} branch={state.hydrateTo || state.syncBranch} />
        <Text size="sm" c="dimmed">
          {state.syncPath}
          <ForgeLink
            repoUrl={state.hydratedRepoUrl}
            place={{ directory: state.syncPath, sha: state.hydratedSha }}
            label={`directory ${state.syncPath}`}
          />
        </Text>
        {state.syncRepoUrl !== '' && <Text size="sm">of {state.syncRepoUrl}</Text>}
        {state.hydratedSha === '' ? (
          <Text size="sm" c="dimmed">
            nothing yet
          </Text>
        ) : (
          <CommitId sha={state.hydratedSha} label="hydrated commit" repoUrl={state.hydratedRepoUrl} />
        )}
      </Step>
      {state.hydrateTo !== '' && (
        <Step icon={<RocketIcon />} title="Promoted to">
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
            <OutsideLink url={state.pullRequestUrl} words={`pull request: ${state.pullRequest}`} />
          )}
          <DryCommitId sha={branches?.syncDrySha ?? ''} repoUrl={state.dryRepoUrl} />
        </Step>
      )}
    </ol>
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
  return <ForgeLink repoUrl={state.hydratedRepoUrl} place={{ branch }} label={`branch ${branch}`} />
}

/** The tool with its version, the command that gives the same, and how many parameters decided. */
function RenderedBy({ name, isHydrated }: { name: ApplicationName; isHydrated: boolean }) {
  const parameters = useQuery(ApplicationService.method.getParameters, name)
  const manifests = useQuery(ApplicationService.method.getManifests, isHydrated ? name : skipToken)
  const { tools, commands, decided } = hydratorMetadata(manifests.data?.metadata ?? '')
  const { renderer = '', plugin = '', parameters: known = [] } = parameters.data ?? {}
  const changed = known.filter(({ value }) => value !== undefined).length
  return (
    <Step icon={<ToolsIcon />} title="Rendered by">
      <Text size="sm">
        {tools.join(', ') ||
          plugin ||
          renderer ||
          (parameters.isError ? 'not known: the source cannot be read' : '…')}
      </Text>
      {commands.map((command) => (
        <Code key={command}>
          <GivenText text={command} />
        </Code>
      ))}
      <PageLink to="/applications/$namespace/$name" params={name} search={{ tab: 'parameters' }} size="sm">
        {known.length === 0 && decided.length > 0
          ? `${counted(decided.length, 'value')} of its files`
          : changed === 0
            ? 'the defaults of the source'
            : `${counted(changed, 'parameter')} set`}
      </PageLink>
    </Step>
  )
}

function promotionText(branches: ApplicationBranches | undefined): string {
  if (branches === undefined) return ''
  if (branches.error !== '') return `cannot be read: ${isolatedText(branches.error)}`
  return branches.promotion === 'Promoted' ? 'holds the same manifests' : 'waits for a promotion'
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
