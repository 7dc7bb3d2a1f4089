import { Code, Group, Paper, Stack, Title } from '@mantine/core'
import { Age } from '../../components/age.tsx'
import { GivenText } from '../../components/given-text.tsx'
import type { ShownProof } from './application-state.ts'
import { t } from '../../language/t.ts'

/** Shows which key signed the hydrated commit, and what is attested of it. */
export function CommitProof({ proof }: { proof: ShownProof }) {
  const { key, owner, isAttested, gates, verifiedAt } = proof
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Proof of the hydrated commit')}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('Proof of the hydrated commit')}
        </Title>
        <Group gap="0.25rem 1.5rem" fz="sm" style={{ overflowWrap: 'anywhere' }}>
          <span>
            {t('Signed by:')} {key === '' ? t('unknown key') : <Code>{key}</Code>}
            {owner !== '' && (
              <>
                {' '}
                (<GivenText text={owner} />)
              </>
            )}
          </span>
          <span>{isAttested ? t('Attested: yes') : t('Attested: no')}</span>
          <span>
            {t('Gates of this commit:')} <GivenText text={gates} lang="en" />
          </span>
          <span>
            {t('Verified:')} <Age time={verifiedAt} />
          </span>
        </Group>
      </Stack>
    </Paper>
  )
}
