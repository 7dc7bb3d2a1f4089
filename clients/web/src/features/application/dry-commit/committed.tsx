import { Alert, Anchor, Button, Group, Stack } from '@mantine/core'
import { t } from '../../../language/t.ts'

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
      <Alert color="teal" title={t('Saved')}>
        {drySha === ''
          ? t('Everything was as wanted already.')
          : t('Commit {sha} is on {branch}.', { sha: drySha.slice(0, 7), branch })}
      </Alert>
      {pullRequestUrl !== '' && (
        <Anchor href={pullRequestUrl} target="_blank" rel="noreferrer">
          {t('Open a pull request')}
        </Anchor>
      )}
      <Group justify="flex-end">
        <Button onClick={done}>{t('Done')}</Button>
      </Group>
    </Stack>
  )
}
