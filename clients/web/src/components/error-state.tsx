import { Alert, Button, Stack, Text } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { ErrorText } from './error-text.tsx'
import { t } from '../language/t.ts'

interface ErrorStateProps {
  /** The failed action. */
  title: string
  error: unknown
  /** Does it once more; without it there is nothing to try again. */
  retry?: () => void
}

/** Says what failed and why, and offers to try again. */
export function ErrorState({ title, error, retry }: ErrorStateProps) {
  return (
    <Alert color="red" title={title} icon={<AlertIcon />} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <ErrorText error={error} />
        </Text>
        {retry && (
          <Button variant="default" size="xs" onClick={retry}>
            {t('Try again')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
