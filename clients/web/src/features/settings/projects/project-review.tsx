import { Alert, Stack, Text } from '@mantine/core'
import type { PreviewProjectResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { AffectedNames } from '../../../components/delete-question.tsx'
import { TextDiff } from '../../../components/text-diff.tsx'
import { Warnings } from '../../../components/warnings.tsx'
import { counted } from '../../../words/counted.ts'

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
          ? `It refuses no Application that it permits now, of ${counted(applications.length + hidden, 'member')}`
          : `It would refuse ${counted(lost.length + hiddenRefused, 'Application')} that it permits now`
      }
    >
      <Stack gap="sm">
        <AffectedNames title="Permitted now, refused then:" names={lost.map(textOf)} />
        {hiddenRefused > 0 && <Text size="sm">Of these you may not see {hiddenRefused}.</Text>}
        <AffectedNames title="Refused now and then:" names={refusedBefore.map(textOf)} />
        <TextDiff before={before} after={after} labels={['Stored now', 'As it shall be']} />
        <Warnings title="Warnings" texts={warnings} />
      </Stack>
    </Alert>
  )
}

function textOf({ name, reason }: { name: string; reason: string }): string {
  return `${name}: ${reason}`
}
