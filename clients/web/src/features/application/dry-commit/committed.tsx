import { Alert, Anchor, Button, Group, Stack } from '@mantine/core'

interface CommittedProps {
  /** Empty when there was nothing to commit. */
  drySha: string
  branch: string
  pullRequestUrl: string
  done: () => void
}

/** Says where a commit is, and leads to its pull request. */
export function Committed({ drySha, branch, pullRequestUrl, done }: CommittedProps) {
  return (
    <Stack>
      <Alert color="teal" title="Saved">
        {drySha === ''
          ? 'Everything was as wanted already.'
          : `Commit ${drySha.slice(0, 7)} is on ${branch}.`}
      </Alert>
      {pullRequestUrl !== '' && (
        <Anchor href={pullRequestUrl} target="_blank" rel="noreferrer">
          Open a pull request
        </Anchor>
      )}
      <Group justify="flex-end">
        <Button onClick={done}>Done</Button>
      </Group>
    </Stack>
  )
}
