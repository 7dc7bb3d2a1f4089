import { Alert, Stack, Text } from '@mantine/core'
import type { PreviewProjectResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { AffectedNames } from '../../../components/delete-question.tsx'
import { TextDiff } from '../../../components/text-diff.tsx'
import { Warnings } from '../../../components/warnings.tsx'
import { t } from '../../../language/t.ts'

interface ProjectReviewProps {
  before: string
  after: string
  review: PreviewProjectResponse
}

/** Shows a change of a project and which Applications it would refuse. */
export function ProjectReview({ before, after, review }: ProjectReviewProps) {
  const { applications, refused, hidden, hiddenRefused, warnings } = review
  const lost = refused.filter(({ isNew }) => isNew)
  const refusedBefore = refused.filter(({ isNew }) => !isNew)
  const isHarmless = lost.length + hiddenRefused === 0
  return (
    <Alert
      role="status"
      variant={isHarmless ? 'outline' : 'light'}
      color={isHarmless ? 'cyan' : 'orange'}
      title={
        isHarmless
          ? t(
              'It refuses no Application that it permits now, of {count, plural, one {# member} other {# members}}',
              { count: applications.length + hidden },
            )
          : t(
              'It would refuse {count, plural, one {# Application} other {# Applications}} that it permits now',
              { count: lost.length + hiddenRefused },
            )
      }
    >
      <Stack gap="sm">
        <AffectedNames title={t('Permitted now, refused then:')} names={lost.map(textOf)} />
        {hiddenRefused > 0 && (
          <Text size="sm">{t('Of these you may not see {count, number}.', { count: hiddenRefused })}</Text>
        )}
        <AffectedNames title={t('Refused now and then:')} names={refusedBefore.map(textOf)} />
        <TextDiff before={before} after={after} labels={[t('Stored now'), t('As it shall be')]} />
        <Warnings title={t('Warnings')} texts={warnings} />
      </Stack>
    </Alert>
  )
}

function textOf({ name, reason }: { name: string; reason: string }): string {
  return `${name}: ${reason}`
}
