import { Group, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import { ErrorState } from '../../../components/error-state.tsx'
import { Effect } from './effect.tsx'
import classes from './parameters-form.module.css'
import type { LivePreview } from './use-live-preview.ts'
import { t } from '../../../language/t.ts'

/** Shows what the edits so far would write and change; while something newer is asked, the former answer stays, dimmed. */
export function LiveEffect({ live }: { live: LivePreview }) {
  const { answer, isValid, isCurrent } = live
  return (
    <Paper
      component="section"
      aria-label={t('What the changes do')}
      withBorder
      p="md"
      className={classes.effect ?? ''}
      // The region scrolls, also for those who use the keyboard.
      tabIndex={0}
    >
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t('What the changes do')}
          </Title>
          {!isCurrent && isValid && <Loader size="xs" aria-label={t('Asking the server')} />}
        </Group>
        {!isValid && (
          <Text size="sm">
            {t('Correct the values first; then this shows what becomes of the manifests.')}
          </Text>
        )}
        {isValid && answer.isError && !answer.isFetching && (
          <ErrorState
            title={t('The change cannot be made')}
            error={answer.error}
            retry={() => void answer.refetch()}
          />
        )}
        {isValid && answer.data && (
          <Stack style={{ opacity: isCurrent ? 1 : 0.6 }} aria-busy={!isCurrent}>
            <Text size="sm" c="dimmed">
              {t('Compared at dry commit {sha}. Nothing is written yet.', {
                sha: answer.data.editedSha.slice(0, 7),
              })}
            </Text>
            <Effect preview={answer.data} />
          </Stack>
        )}
      </Stack>
    </Paper>
  )
}

/** Returns the effect in a few words; empty before there is an answer. */
export function effectText({ answer, isValid, isCurrent }: LivePreview): string {
  if (!isValid) return t('some values are invalid')
  if (!isCurrent || answer.isError) return ''
  if (answer.data?.error) return t('cannot be rendered')
  const count = answer.data?.objects.length ?? 0
  return count === 0
    ? t('no manifest changes')
    : t('{count, plural, one {# object would change} other {# objects would change}}', { count })
}
