import { Button, SegmentedControl, Stack, Group } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { CheckCircleIcon } from '@primer/octicons-react/CheckCircleIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { useState } from 'react'
import { SettingsTable } from './settings-table.tsx'

/** The stored repositories, read or written, and whether each can be reached. */
export function RepositoriesTab() {
  const [use, setUse] = useState('read')
  const [refresh, setRefresh] = useState(false)
  const answer = useQuery(RepositoryService.method.listRepositories, { write: use === 'write', refresh })
  const test = () => (refresh ? void answer.refetch() : setRefresh(true))
  return (
    <Stack>
      <Group>
        <SegmentedControl
          aria-label="Credentials"
          value={use}
          onChange={setUse}
          data={[
            { value: 'read', label: 'To read dry sources' },
            { value: 'write', label: 'To write manifests' },
          ]}
        />
        <Button variant="default" onClick={test} loading={refresh && answer.isFetching}>
          Test all
        </Button>
      </Group>
      <SettingsTable<Repository>
        what="The repositories"
        answer={answer}
        rows={answer.data?.repositories}
        keyOf={({ repoUrl, project }) => `${repoUrl} ${project}`}
        empty="None are stored; public repositories need none. Add one with: wadi repo add URL"
        columns={{
          Repository: ({ repoUrl, isPrefix }) => (isPrefix ? `${repoUrl} and all below` : repoUrl),
          Project: ({ project }) => project || 'all',
          Credentials: ({ credentials, username }) =>
            username === '' ? credentials : `${credentials} of ${username}`,
          State: reachability,
        }}
      />
    </Stack>
  )
}

function reachability({ isPrefix, reachable, message }: Repository) {
  if (isPrefix) return 'for others'
  return (
    <Group gap={6} wrap="nowrap">
      {reachable ? <CheckCircleIcon /> : <XCircleIcon />}
      {reachable ? 'reachable' : message || 'not tried yet'}
    </Group>
  )
}
