import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { useDisclosure } from '@mantine/hooks'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { PlusIcon } from '@primer/octicons-react/PlusIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { useState } from 'react'
import { useProjectsWith } from '../../../server/project-rights.ts'
import { useRight } from '../../../server/rights.ts'
import { ChosenRepository } from './chosen-repository.tsx'
import type { AllowedProjects } from './new-repository.ts'
import { RepositoryDialog } from './repository-dialog.tsx'
import { type RepositoryAction, RepositoryMenu } from './repository-menu.tsx'
import { GivenText } from '../../../components/given-text.tsx'
import { SettingsTable } from '../settings-table.tsx'
import { t } from '../../../language/t.ts'

/** The stored repositories, read or written, whether each can be reached, and a form for another one. */
export function RepositoriesTab() {
  const [use, setUse] = useState('read')
  const [refresh, setRefresh] = useState(false)
  const maySeeAll = useRight(use === 'read' ? 'repositories' : 'write-repositories', 'get', '*')
  const answer = useQuery(RepositoryService.method.listRepositories, { write: use === 'write', refresh })
  const allowed = {
    read: useStorableProjects('repositories'),
    write: useStorableProjects('write-repositories'),
  }
  const [asked, ask] = useState<AskedAction>()
  const isWrite = use === 'write'
  const ofAsked = answer.data?.repositories.find((known) => asked && keyOf(known) === keyOf(asked.repository))
  const test = () => (refresh ? void answer.refetch() : setRefresh(true))
  return (
    <Stack>
      <Group>
        <SegmentedControl
          aria-label={t('Credentials')}
          value={use}
          onChange={setUse}
          data={[
            { value: 'read', label: t('To read dry sources') },
            { value: 'write', label: t('To write manifests') },
          ]}
        />
        <Button variant="default" onClick={test} loading={refresh && answer.isFetching}>
          {t('Test all')}
        </Button>
        <AddRepository allowed={allowed} stored={() => void answer.refetch()} />
      </Group>
      <SettingsTable<Repository>
        what={t('The repositories')}
        answer={answer}
        rows={answer.data?.repositories}
        keyOf={keyOf}
        empty={emptyText(use, maySeeAll)}
        columns={{
          [t('Repository')]: ({ repoUrl, isPrefix }) =>
            isPrefix ? t('{repository} and all below', { repository: repoUrl }) : repoUrl,
          [t('Project')]: ({ project }) => project || t('all'),
          [t('Credentials')]: credentialsText,
          [t('State')]: reachability,
          [t('Actions')]: (repository) => actionsCell(repository, isWrite, ask),
        }}
      />
      {asked && (
        <ChosenRepository
          repository={asked.repository}
          listed={ofAsked}
          write={isWrite}
          action={asked.action}
          allowed={allowed}
          refetch={answer.refetch}
          close={() => ask(undefined)}
        />
      )}
    </Stack>
  )
}

/** Stored credentials as they were chosen, and what is done to them. */
interface AskedAction {
  repository: Repository
  action: RepositoryAction
}

function keyOf({ repoUrl, project, isPrefix }: Repository): string {
  return `${repoUrl} ${project} ${isPrefix}`
}

function actionsCell(repository: Repository, write: boolean, ask: (asked: AskedAction) => void) {
  const choose = (action: RepositoryAction) => ask({ repository, action })
  return <RepositoryMenu repository={repository} write={write} choose={choose} />
}

function emptyText(use: string, maySeeAll: boolean): string {
  if (!maySeeAll) return t('There are none that you may see.')
  return use === 'read'
    ? t('None are stored; public repositories need none.')
    : t('None are stored, so no manifests can be pushed yet.')
}

/** The way to the form, for those who may store credentials. */
function AddRepository({ allowed, stored }: { allowed: AllowedProjects; stored: () => void }) {
  const [isOpen, { open, close }] = useDisclosure()
  if (allowed.read.length + allowed.write.length === 0) return null
  return (
    <>
      <Button leftSection={<PlusIcon />} onClick={open}>
        {t('Add a repository')}
      </Button>
      {isOpen && <RepositoryDialog allowed={allowed} stored={stored} close={close} />}
    </>
  )
}

/** The projects for which the caller may store credentials; an empty name stands for all projects. */
function useStorableProjects(resource: string): readonly string[] {
  const mayForAll = useRight(resource, 'create', '*')
  const projects = useProjectsWith(resource, 'create')
  return mayForAll ? ['', ...projects] : projects
}

function credentialsText({ credentials, username }: Repository): string {
  const kind = credentialWord(credentials)
  return username === '' ? kind : t('{credentials} of {user}', { credentials: kind, user: username })
}

/** A kind of credentials that the page does not know has the word of the server. */
function credentialWord(kind: string): string {
  const words: Readonly<Record<string, string>> = {
    none: t('none'),
    password: t('password'),
    'ssh-key': t('SSH key'),
  }
  return words[kind] ?? kind
}

function reachability({ isPrefix, reachable, message }: Repository) {
  if (isPrefix) return t('not tried by itself')
  return (
    <Group gap={6} wrap="nowrap">
      {reachable ? <CheckCircleIcon /> : <XCircleIcon />}
      {reachable ? (
        t('reachable')
      ) : message === '' ? (
        t('not tried yet')
      ) : (
        <GivenText text={message} lang="en" />
      )}
    </Group>
  )
}
