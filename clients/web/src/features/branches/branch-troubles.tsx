import { Alert, Text } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import { GivenText } from '../../components/given-text.tsx'
import type { GetBranchResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { t } from '../../language/t.ts'

/** Shows the problems of a branch: a run that failed, a change by somebody else, and what cannot be read. */
export function BranchTroubles({ answer: { branch, error, queueError } }: { answer: GetBranchResponse }) {
  const troubles = {
    [t('The newest run failed')]: branch?.message ?? '',
    [t('Branch changed outside Wadi')]: branch?.foreignChange ?? '',
    [t('The branch cannot be read now')]: error,
    [t('The queue cannot be read')]: queueError,
  }
  return Object.entries(troubles).map(([title, text], index) =>
    text === '' ? null : (
      <Alert
        key={title}
        color={index === 0 ? 'red' : 'orange'}
        icon={index === 0 ? <XCircleIcon /> : <AlertIcon />}
        title={title}
      >
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <GivenText text={text} lang="en" />
        </Text>
      </Alert>
    ),
  )
}
